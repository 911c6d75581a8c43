import { isIP } from "node:net";
import Ajv, { type SchemaObject } from "ajv";
import { parseCidr } from "../cidr";
import { fields } from "../kube/object";
import { publicKeys } from "../openpgp";
import { own } from "../own";
import { Secret } from "../secret";
import { describeErrors, under } from "./faults";
import { parseTraffic } from "../traffic";
import { isKubeconfig } from "./kubeconfig";
import type { Settings } from "./model";
import { resolve, type Schema } from "./schema-part";
import schema from "./schema.json";
import { textProblem } from "./text";

/** OpenSSH or PEM. */
const PRIVATE_KEY = /^-----BEGIN ([A-Z]+ )?PRIVATE KEY-----\r?\n[^-]+-----END ([A-Z]+ )?PRIVATE KEY-----\s*$/;

const INSTANCE_NAME = new RegExp(schema.propertyNames.pattern);

const ajv = new Ajv({ allErrors: true, useDefaults: true, verbose: true, allowUnionTypes: true });
ajv.addFormat("cidr", (text: string) => parseCidr(text) !== undefined);
ajv.addFormat("ipv4-cidr", (text: string) => parseCidr(text)?.version === 4);
ajv.addFormat("http-url", (text: string) => /^https?:\/\/[^\s"'\\]+$/.test(text) && URL.canParse(text));
ajv.addFormat("absolute-path", isAbsolutePath);
ajv.addFormat("apt-url", (text: string) => /^https?:\/\/[\w.~:/+,[\]-]+$/.test(text) && URL.canParse(text));
ajv.addFormat("hosts-line", isHostsLine);
ajv.addFormat("kubeconfig", isKubeconfig);
ajv.addFormat("no-proxy", (text: string) =>
  text.split(",").every((host) => /^ *[-\w.:/*[\]]* *$/.test(host)),
);
ajv.addFormat("openpgp-key", (text: string) => publicKeys(text) !== undefined);
ajv.addFormat("private-key", PRIVATE_KEY);
ajv.addFormat("traffic", (text: string) => parseTraffic(text) !== undefined);
const validate = ajv.compile(schema as SchemaObject);

/** Checked settings, and what the operator should know though it is no fault. */
export interface ParsedSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/** Checks the value of `vnfm:vnfs` against schema.json, fills in its defaults and wraps its secrets. */
export function parseSettings(vnfs: unknown): ParsedSettings {
  const value = structuredClone(vnfs);
  const isValid = validate(value);
  const found: Findings = {
    faults: isValid ? [] : describeErrors(validate.errors ?? [], value),
    warnings: [],
  };
  const instances = Object.entries(fields(refine(value, schema, "vnfm:vnfs", found)));
  const isRefused = (name: string): boolean => found.faults.some((fault) => isAbout(name, fault));
  return {
    settings: {
      vnfs: Object.fromEntries(instances.filter(([name]) => !isRefused(name))) as Settings["vnfs"],
      refused: instances.map(([name]) => name).filter((name) => isRefused(name) && INSTANCE_NAME.test(name)),
      faults: found.faults,
    },
    warnings: found.warnings,
  };
}

/** Whether a fault is one of an instance, or in it. */
function isAbout(instance: string, fault: string): boolean {
  const place = under("vnfm:vnfs", instance);
  return fault.startsWith(place) && /^[.:[]/.test(fault.slice(place.length));
}

/** In characters that fstab, exports and ganesha.conf take as they are, written in one way only. */
function isAbsolutePath(text: string): boolean {
  return /^(\/[A-Za-z0-9._-]+)+$/.test(text) && !/\/\.{1,2}(\/|$)/.test(text);
}

function isHostsLine(text: string): boolean {
  const [, address = ""] = /^(\S+) +[A-Za-z0-9][\w.-]*$/.exec(text) ?? [];
  return isIP(address) !== 0;
}

interface Findings {
  readonly faults: string[];
  readonly warnings: string[];
}

/** Wraps what the schema marks writeOnly, clears the host bits of CIDRs, refuses texts that are no plain text. */
function refine(value: unknown, schemaOfValue: Schema, path: string, found: Findings): unknown {
  const known = resolve(schemaOfValue);
  if (typeof value === "string") {
    const problem = textProblem(value, known);
    if (problem !== undefined) found.faults.push(`${path}: ${problem}`);
    if (known.writeOnly) return new Secret(value);
    return known.format === "cidr" || known.format === "ipv4-cidr"
      ? withoutHostBits(value, path, found.warnings)
      : value;
  }
  if (Array.isArray(value)) {
    return value.map((item, i) => refine(item, known.items ?? {}, `${path}[${i}]`, found));
  }
  if (typeof value !== "object" || value === null) return value;
  const objectSchema = known.anyOf?.find((alternative) => alternative.properties) ?? known;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const place = under(path, key);
      const problem = textProblem(key, { type: "string" });
      if (problem !== undefined) found.faults.push(`${place}: the key ${problem}`);
      const rest =
        typeof objectSchema.additionalProperties === "object" ? objectSchema.additionalProperties : {};
      return [key, refine(item, own(objectSchema.properties ?? {}, key) ?? rest, place, found)];
    }),
  );
}

function withoutHostBits(text: string, path: string, warnings: string[]): string {
  const canonical = parseCidr(text)?.text ?? text;
  if (canonical !== text) warnings.push(`${path}: ${text} has host bits set; ${canonical} is used`);
  return canonical;
}
