import { at, isFields } from "../../kube/object";
import { didYouMean } from "../../nearest";
import { own } from "../../own";
import { under } from "../../settings/faults";
import type { ClusterInstallation, KubeadmAdditions } from "../../settings/installation-model";
import table from "./kubeadm-fields.json";

/** The documents of kubeadm's configuration that an operator may add to, by their settings. */
export const CONFIGURATIONS = {
  cluster_configuration: { apiVersion: "kubeadm.k8s.io/v1beta4", kind: "ClusterConfiguration" },
  kubelet_configuration: { apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration" },
  kube_proxy_configuration: {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
  },
} as const;

type Setting = keyof typeof CONFIGURATIONS;

/** What other settings, or the program, say of kubeadm's configuration: two answers would contradict. */
const SAID_BY: Readonly<Record<Setting, Readonly<Record<string, string>>>> = {
  cluster_configuration: {
    apiVersion: "the program",
    kind: "the program",
    clusterName: "vim_name",
    kubernetesVersion: "kubernetes_version",
    controlPlaneEndpoint: "master_node.cluster_cp_name",
    "networking.podSubnet": "master_node.pod_cidr",
    "networking.serviceSubnet": "master_node.cluster_cidr",
  },
  kubelet_configuration: { apiVersion: "the program", kind: "the program" },
  kube_proxy_configuration: {
    apiVersion: "the program",
    kind: "the program",
    clusterCIDR: "master_node.pod_cidr",
  },
};

type Params = Pick<ClusterInstallation, "kubeadm" | "kubernetes_version">;

/** What is certainly wrong in the additions to kubeadm's configuration. @param path of the installation */
export function kubeadmFaults({ kubeadm = {}, kubernetes_version: version }: Params, path: string): string[] {
  return [...saidTwice(kubeadm, path), ...findings(kubeadm, version, path).faults];
}

/** What of them kubeadm may know, in a version that this program does not. */
export function kubeadmWarnings(
  { kubeadm = {}, kubernetes_version: version }: Params,
  path: string,
): string[] {
  return findings(kubeadm, version, path).warnings;
}

function saidTwice(additions: KubeadmAdditions, path: string): string[] {
  return settings().flatMap((setting) =>
    Object.entries(SAID_BY[setting])
      .filter(([key]) => at(additions[setting], ...key.split(".")) !== undefined)
      .map(([key, owner]) => `${path}.kubeadm.${setting}.${key}: is set by ${owner}; leave it out`),
  );
}

interface Findings {
  readonly faults: string[];
  readonly warnings: string[];
}

function findings(additions: KubeadmAdditions, version: string | undefined, path: string): Findings {
  const found: Findings = { faults: [], warnings: [] };
  const minor = version === undefined ? undefined : Number(version.split(".")[1]);
  for (const setting of settings()) {
    const { apiVersion, kind } = CONFIGURATIONS[setting];
    const given = additions[setting];
    if (given !== undefined)
      new Comparison(apiVersion, minor, found).compare(given, kind, `${path}.kubeadm.${setting}`);
  }
  return found;
}

function settings(): Setting[] {
  return Object.keys(CONFIGURATIONS) as Setting[];
}

/** `string`, `boolean`, `integer`, `number`, `any`, the name of a type, or a list or a map of one of these. */
type FieldType = string | { readonly list: FieldType } | { readonly map: FieldType };
type FieldTypes = Readonly<Record<string, FieldType>>;

const TYPES = table.types as Readonly<Record<string, FieldTypes>>;
const SINCE = table.since as Readonly<Record<string, Readonly<Record<string, number>>>>;
const [OLDEST, NEWEST] = table.minors as [number, number];

/** Compares a document with the fields of its API version, as Kubernetes' releases have them up to now. */
class Comparison {
  constructor(
    private readonly apiVersion: string,
    /** Minor version of Kubernetes that the operator asks for. */
    private readonly minor: number | undefined,
    private readonly found: Findings,
  ) {}

  compare(value: unknown, type: FieldType, path: string): void {
    if (value === null) {
      this.found.faults.push(`${path}: is empty; give a value or leave it out`);
    } else if (!fits(value, type)) {
      this.found.faults.push(`${path}: is ${kindOf(value)}; in ${this.apiVersion} it is ${described(type)}`);
    } else if (Array.isArray(value) && typeof type === "object" && "list" in type) {
      value.forEach((item, i) => this.compare(item, type.list, `${path}[${i}]`));
    } else if (isFields(value)) {
      for (const [key, inner] of Object.entries(value)) this.compareField(key, inner, type, under(path, key));
    }
  }

  private compareField(key: string, value: unknown, type: FieldType, path: string): void {
    if (typeof type === "object") return "map" in type ? this.compare(value, type.map, path) : undefined;
    const fields = own(TYPES, type);
    if (fields === undefined) return;
    const field = own(fields, key);
    if (field === undefined) return this.unknown(key, fields, path);
    const since = own(own(SINCE, type) ?? {}, key);
    if (since !== undefined && this.minor !== undefined && this.minor < since) {
      this.found.faults.push(
        `${path}: is a field of Kubernetes 1.${since} and newer; leave it out, or raise kubernetes_version`,
      );
    }
    this.compare(value, field, path);
  }

  private unknown(key: string, fields: FieldTypes, path: string): void {
    const text = `${path}: ${this.apiVersion} has no such field${didYouMean(key, Object.keys(fields))}`;
    if (this.minor !== undefined && this.minor <= NEWEST) this.found.faults.push(text);
    else {
      this.found.warnings.push(
        `${text}; known are those of Kubernetes 1.${OLDEST} to 1.${NEWEST}, and kubeadm refuses on the first master, ` +
          "before the cluster begins, what it does not know",
      );
    }
  }
}

function fits(value: unknown, type: FieldType): boolean {
  if (typeof type === "object") return "list" in type ? Array.isArray(value) : isFields(value);
  switch (type) {
    case "any":
      return true;
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

/** The type of a field, in the words of kindOf. */
function described(type: FieldType): string {
  if (typeof type === "string") return `a ${noun(type)}`;
  return "list" in type ? `a list of ${plural(type.list)}` : `a map of ${plural(type.map)}`;
}

function plural(type: FieldType): string {
  if (typeof type === "object") return "list" in type ? "lists" : "maps";
  return noun(type).replace(/^\w+( number)?/, "$&s");
}

/** A type that has few fields is named by them. */
function noun(type: string): string {
  const fields = Object.keys(own(TYPES, type) ?? {});
  const few = fields.length <= 4 ? ` with ${fields.join(", ")}` : "";
  return own(NOUNS, type) ?? `map${few}`;
}

const NOUNS: Readonly<Record<string, string>> = {
  any: "value",
  string: "text",
  boolean: "boolean",
  number: "number",
  integer: "whole number",
};
