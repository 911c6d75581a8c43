import type { SchemaObject } from "ajv";
import type { Place } from "../base/findings";
import { fields, isFields, merge, type Fields } from "../kube/objects/object";
import { didYouMean, oneOf } from "../base/nearest";
import { own } from "../base/own";
import { ajv } from "./ajv";
import { recordErrors } from "./faults";
import { checkCluster } from "./cluster-checks";
import type { ClusterSettings } from "./model";
import { plainOf } from "./encrypted";
import { refine, type CheckResults } from "./refine";
import schema from "./schema.json";
import { DEFINITIONS } from "./schema-part";

const SCHEMA = {
  type: "object",
  propertyNames: schema.propertyNames,
  additionalProperties: { $ref: "#/definitions/cluster" },
};
const validate = ajv.compile({ ...SCHEMA, definitions: DEFINITIONS } as SchemaObject);

/** Returns true if an instance of the stack config is a cluster from a template. */
export function hasTemplate(instance: unknown): boolean {
  return fields(instance)["clusterTemplate"] !== undefined;
}

/**
 * The clusters, each merged with its template: maps are merged, lists and plain values replaced, so that `false` and
 * `0` of a cluster override the template. Secrets are wrapped.
 *
 * @param templates value of `vnfm:clusterTemplates`
 * @param instances entries of `vnfm:vnfs` with a template
 * @param place of `vnfm:vnfs`
 * @returns the valid clusters
 */
export function parseClusters(
  templates: unknown,
  instances: Readonly<Record<string, unknown>>,
  place: Place,
  found: CheckResults,
): Record<string, ClusterSettings> {
  const known = Object.keys(fields(templates));
  const merged: Record<string, unknown> = {};
  for (const [name, instance] of Object.entries(instances)) {
    const template = String(fields(instance)["clusterTemplate"]);
    const base = own(fields(templates), template);
    if (isFields(base)) merged[name] = withGroups(mergedWith(base, instance));
    else
      place
        .get(name, "clusterTemplate")
        .fault(
          `"${template}" is not a template of vnfm:clusterTemplates; ${oneOf(known)}${didYouMean(template, known)}`,
        );
  }
  const plain = plainOf(merged, place, found.encrypted);
  if (!validate(plain)) recordErrors(validate.errors ?? [], plain, place, found.encrypted);
  const refined = fields(refine(plain, SCHEMA, place, found));
  for (const [name, value] of Object.entries(refined)) checkCluster(fields(value), place.get(name));
  return Object.fromEntries(
    Object.entries(refined)
      .filter(([name]) => !place.findings.concern(name))
      .map(([name, value]) => [name, withoutSwitchedOff(value as ClusterSettings)]),
  );
}

/** Merges two maps. If one of them is no map, the second value stays as it is, so that the schema reports it. */
function mergedWith(base: unknown, over: unknown): unknown {
  return isFields(base) && isFields(over) ? merge(base, over) : over;
}

/** Merges `nodeGroup`, the common settings, into each group, so that its errors are reported at each group. */
function withGroups(cluster: unknown): Fields {
  const { nodeGroup, ...rest } = fields(cluster);
  const groups = Object.entries(fields(rest["nodeGroups"]));
  return {
    ...rest,
    ...(rest["nodeGroups"] !== undefined && {
      nodeGroups: Object.fromEntries(
        groups.map(([name, group]) => [name, mergedWith(fields(nodeGroup), group ?? {})]),
      ),
    }),
  };
}

function withoutSwitchedOff(cluster: ClusterSettings): ClusterSettings {
  const addons: [string, unknown][] = Object.entries(cluster.addons);
  return {
    ...cluster,
    addons: Object.fromEntries(addons.filter(([, addon]) => addon !== false)) as ClusterSettings["addons"],
  };
}
