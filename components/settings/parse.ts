import type { SchemaObject } from "ajv";
import { parseCidr } from "../cidr";
import { fields, isFields } from "../kube/object";
import { own } from "../own";
import { Secret } from "../secret";
import { ajv } from "./ajv";
import { hasTemplate, parseClusters } from "./clusters";
import { describeErrors, under } from "./faults";
import type { Settings } from "./model";
import { resolve, type Schema } from "./schema-part";
import schema from "./schema.json";
import { textProblem } from "./text";

const INSTANCE_NAME = new RegExp(schema.propertyNames.pattern);

const validate = ajv.compile(schema as SchemaObject);

/** Checked settings, and what the operator should know though it is no fault. */
export interface ParsedSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/**
 * Checks the values of `vnfm:vnfs` and `vnfm:clusterTemplates` against their schemas, fills in defaults and wraps
 * secrets.
 */
export function parseSettings(vnfs: unknown, clusterTemplates: unknown = {}): ParsedSettings {
  const isOf = (template: boolean) =>
    Object.fromEntries(Object.entries(fields(vnfs)).filter(([, one]) => hasTemplate(one) === template));
  const ofTemplates = isOf(true);
  const value: unknown = structuredClone(isFields(vnfs) ? isOf(false) : vnfs);
  const isValid = validate(value);
  const found: Findings = {
    faults: isValid ? [] : describeErrors(validate.errors ?? [], value),
    warnings: [],
  };
  const instances = Object.entries(fields(refine(value, schema, "vnfm:vnfs", found)));
  const clusters = parseClusters(clusterTemplates, ofTemplates, found.faults);
  const isRefused = (name: string): boolean => found.faults.some((fault) => isAbout(name, fault));
  return {
    settings: {
      vnfs: Object.fromEntries(instances.filter(([name]) => !isRefused(name))) as Settings["vnfs"],
      clusters,
      refused: [...instances.map(([name]) => name), ...Object.keys(ofTemplates)].filter(
        (name) => isRefused(name) && INSTANCE_NAME.test(name),
      ),
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
