import type { SchemaObject } from "ajv";
import { fields, isFields } from "../kube/object";
import { isDeeper } from "../nesting";
import { ajv } from "./ajv";
import { hasTemplate, parseClusters } from "./clusters";
import { plainOf } from "./encrypted";
import { describeErrors, isAbout } from "./faults";
import { refine, type Findings } from "./refine";
import type { Settings } from "./model";
import schema from "./schema.json";

const INSTANCE_NAME = new RegExp(schema.propertyNames.pattern);

/** Maps and lists in one another; no setting comes near it, and code that walks through more may end the program. */
const MOST_NESTED = 100;

const validate = ajv.compile(schema as SchemaObject);

/** Checked settings, and what the operator should know though it is no fault. */
export interface ParsedSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/**
 * Checks the values of `vnfm:vnfs` and `vnfm:clusterTemplates` against their schemas, fills in defaults and wraps
 * secrets. An encrypted value comes in as a Secret: it stays one, or is refused.
 */
export function parseSettings(vnfs: unknown, clusterTemplates: unknown = {}): ParsedSettings {
  const tooDeep = Object.entries({ "vnfm:vnfs": vnfs, "vnfm:clusterTemplates": clusterTemplates })
    .filter(([, value]) => isDeeper(value, MOST_NESTED))
    .map(([key]) => `${key}: has more than ${MOST_NESTED} maps and lists in one another`);
  if (tooDeep.length > 0)
    return { settings: { vnfs: {}, clusters: {}, refused: [], faults: tooDeep }, warnings: [] };
  const isOf = (template: boolean) =>
    Object.fromEntries(Object.entries(fields(vnfs)).filter(([, one]) => hasTemplate(one) === template));
  const ofTemplates = isOf(true);
  const found: Findings = { faults: [], warnings: [], encrypted: new Set() };
  const value = plainOf(isFields(vnfs) ? isOf(false) : vnfs, "vnfm:vnfs", found.encrypted);
  if (!validate(value)) found.faults.push(...describeErrors(validate.errors ?? [], value, found.encrypted));
  const instances = Object.entries(fields(refine(value, schema, "vnfm:vnfs", found)));
  const clusters = parseClusters(clusterTemplates, ofTemplates, found);
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
