import type { SchemaObject } from "ajv";
import { Findings } from "../base/findings";
import { fields, isFields } from "../kube/objects/object";
import { isDeeper } from "../base/nesting";
import { ajv } from "./ajv";
import { hasTemplate, parseClusters } from "./clusters";
import { plainOf } from "./encrypted";
import { recordErrors } from "./faults";
import { refine, type CheckResults } from "./refine";
import type { Settings } from "./model";
import schema from "./schema.json";

const INSTANCE_NAME = new RegExp(schema.propertyNames.pattern);

/**
 * Maximum depth of nested maps and lists. No setting comes near it, and recursion through much deeper values could
 * crash the process.
 */
const MOST_NESTED = 100;

const validate = ajv.compile(schema as SchemaObject);

/** Checked settings, and warnings for the operator. */
export interface ParsedSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/**
 * Checks the values of `vnfm:vnfs` and `vnfm:clusterTemplates` against their schemas, fills in defaults and wraps
 * secrets. An encrypted value is passed in as a Secret; it stays one or is an error.
 */
export function parseSettings(vnfs: unknown, clusterTemplates: unknown = {}): ParsedSettings {
  const faults = new Findings();
  for (const [key, value] of Object.entries({ "vnfm:vnfs": vnfs, "vnfm:clusterTemplates": clusterTemplates }))
    if (isDeeper(value, MOST_NESTED))
      faults.at(key).fault(`has more than ${MOST_NESTED} nested maps and lists`);
  if (faults.all.length > 0)
    return { settings: { vnfs: {}, clusters: {}, refused: [], faults: faults.all }, warnings: [] };
  const isOf = (template: boolean) =>
    Object.fromEntries(Object.entries(fields(vnfs)).filter(([, one]) => hasTemplate(one) === template));
  const ofTemplates = isOf(true);
  const place = faults.at("vnfm:vnfs");
  const found: CheckResults = { warnings: [], encrypted: new Set() };
  const value = plainOf(isFields(vnfs) ? isOf(false) : vnfs, place, found.encrypted);
  if (!validate(value)) recordErrors(validate.errors ?? [], value, place, found.encrypted);
  const instances = Object.entries(fields(refine(value, schema, place, found)));
  const clusters = parseClusters(clusterTemplates, ofTemplates, place, found);
  return {
    settings: {
      vnfs: Object.fromEntries(instances.filter(([name]) => !faults.concern(name))) as Settings["vnfs"],
      clusters,
      refused: [
        ...instances.map(([name, one]) => ({ name, isCnf: fields(one)["vim"] !== undefined })),
        ...Object.keys(ofTemplates).map((name) => ({ name, isCnf: false })),
      ].filter(({ name }) => faults.concern(name) && INSTANCE_NAME.test(name)),
      faults: faults.all,
    },
    warnings: found.warnings,
  };
}
