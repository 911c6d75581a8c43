import type { Finding, Place } from "../base/findings";
import { CONFIGURATIONS, type Configuration } from "../kube/cluster/configurations";
import { isFields } from "../kube/objects/object";
import { parseVersion } from "../kube/cluster/version";
import { didYouMean } from "../base/nearest";
import { own } from "../base/own";
import { Secret } from "../base/secret";
import { VALUES, valueProblem, type ValueCheck } from "./component-values";
import table from "./kubeadm-fields.json";

export interface ConfigurationFindings {
  readonly faults: Finding[];
  /** Fields that vnfm does not know, in a Kubernetes version that is newer than vnfm, or not set. */
  readonly warnings: Finding[];
}

/**
 * Checks additions to one of kubeadm's documents: reports fields that do not exist, and values that kubeadm, the
 * kubelet or kube-proxy would reject on a server that exists already.
 *
 * @param version of Kubernetes in the settings, such as `v1.33.0`
 * @param versionSetting name of the setting of the version
 * @param place of the additions
 */
export function compareConfiguration(
  setting: Configuration,
  additions: unknown,
  version: string | undefined,
  versionSetting: "kubernetes_version" | "kubernetesVersion",
  place: Place,
): ConfigurationFindings {
  const found: ConfigurationFindings = { faults: [], warnings: [] };
  const { apiVersion, kind } = CONFIGURATIONS[setting];
  const minor = parseVersion(version)?.minor;
  if (additions !== undefined)
    new Comparison(apiVersion, minor, versionSetting, found).compare(additions, kind, place);
  return found;
}

/**
 * `string`, `duration`, `boolean`, `integer`, `number`, `any`, the name of a type, or a list or a map of one of these.
 */
type FieldType = string | { readonly list: FieldType } | { readonly map: FieldType };
type FieldTypes = Readonly<Record<string, FieldType>>;

const TYPES = table.types as Readonly<Record<string, FieldTypes>>;
const SINCE = table.since as Readonly<Record<string, Readonly<Record<string, number>>>>;
const [OLDEST, NEWEST] = table.minors as [number, number];

/** Compares a document with the fields that its API version has in all known Kubernetes releases. */
class Comparison {
  constructor(
    private readonly apiVersion: string,
    /** Minor version of Kubernetes in the settings. */
    private readonly minor: number | undefined,
    private readonly versionSetting: string,
    private readonly found: ConfigurationFindings,
  ) {}

  /** @param check of the value, or of each entry of a list or a map */
  compare(value: unknown, type: FieldType, place: Place, check?: ValueCheck): void {
    // refine reports an encrypted value
    if (value instanceof Secret) return;
    if (value === null) {
      this.fault(place, "is empty; set a value or remove it");
    } else if (!fits(value, type)) {
      this.fault(place, `is ${kindOf(value)}; in ${this.apiVersion} it is ${described(type)}`);
    } else if (Array.isArray(value) && typeof type === "object" && "list" in type) {
      value.forEach((item, i) => this.compare(item, type.list, place.get(i), check));
    } else if (isFields(value)) {
      for (const [key, inner] of Object.entries(value))
        this.compareField(key, inner, type, place.get(key), check);
    } else {
      const problem = valueProblem(value, type, check);
      if (problem !== undefined) this.fault(place, `${JSON.stringify(value)} ${problem}`);
    }
  }

  private compareField(key: string, value: unknown, type: FieldType, place: Place, check?: ValueCheck): void {
    if (typeof type === "object")
      return "map" in type ? this.compare(value, type.map, place, check) : undefined;
    const fields = own(TYPES, type);
    if (fields === undefined) return;
    const field = own(fields, key);
    if (field === undefined) return this.unknown(key, fields, place);
    const since = own(own(SINCE, type) ?? {}, key);
    if (since !== undefined && this.minor !== undefined && this.minor < since) {
      this.fault(
        place,
        `is a field of Kubernetes 1.${since} and newer; remove it, or raise ${this.versionSetting}`,
      );
    }
    this.compare(value, field, place, own(own(VALUES, type) ?? {}, key));
  }

  private fault(place: Place, message: string): void {
    this.found.faults.push(place.finding(message));
  }

  private unknown(key: string, fields: FieldTypes, place: Place): void {
    const problem = `${this.apiVersion} has no such field${didYouMean(key, Object.keys(fields))}`;
    if (this.minor !== undefined && this.minor <= NEWEST) this.fault(place, problem);
    else {
      this.found.warnings.push(
        place.finding(
          `${problem}; allowed: the fields of Kubernetes 1.${OLDEST} to 1.${NEWEST}, and kubeadm rejects unknown fields on the first machine, ` +
            "before the cluster is bootstrapped",
        ),
      );
    }
  }
}

function fits(value: unknown, type: FieldType): boolean {
  if (typeof type === "object") return "list" in type ? Array.isArray(value) : isFields(value);
  switch (type) {
    case "any":
      return true;
    case "duration":
      return typeof value === "string";
    case "string":
    case "boolean":
    case "number":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value);
    default:
      return isFields(value);
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : `a ${NOUNS[typeof value]}`;
}

/** The type of a field in words, as kindOf has them for values. */
function described(type: FieldType): string {
  if (typeof type === "string") return `a ${noun(type)}`;
  return "list" in type ? `a list of ${plural(type.list)}` : `a map of ${plural(type.map)}`;
}

function plural(type: FieldType): string {
  if (typeof type === "object") return "list" in type ? "lists" : "maps";
  return noun(type).replace(/^\w+( number)?/, "$&s");
}

/** The name of a type; for a map with at most four fields, with their names. */
function noun(type: string): string {
  const fields = Object.keys(own(TYPES, type) ?? {});
  const few = fields.length <= 4 ? ` with ${fields.join(", ")}` : "";
  return own(NOUNS, type) ?? `map${few}`;
}

const NOUNS: Readonly<Record<string, string>> = {
  any: "value",
  string: "text",
  duration: "duration, as in 1m30s",
  boolean: "boolean",
  number: "number",
  integer: "whole number",
};
