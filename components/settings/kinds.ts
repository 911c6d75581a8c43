import { fields } from "../kube/objects/object";
import { own } from "../base/own";
import type { VnfSettings } from "./model";
import { DEFINITIONS, type Schema } from "./schema-part";

/** Kind of a VNF instance by its settings. A workload cluster from a template has a schema of its own. */
export type InstanceKind = "cluster" | "servers" | "cnf";

/** A setting that an instance of its kind does not have. */
export interface Misplaced {
  /** Its keys, from the instance on. */
  readonly setting: readonly string[];
  /** Kinds that have the setting. */
  readonly kinds: readonly string[];
}

/** An object of the schema with the settings alone that instances of a kind have. */
function ofKind(object: Schema, kind: InstanceKind): Schema {
  const settings = Object.entries(object.properties ?? {});
  return {
    ...object,
    properties: Object.fromEntries(settings.filter(([, { kinds }]) => kinds?.includes(kind) ?? true)),
  };
}

/** Settings that an instance of a kind has to have beside what all have, and those of its parameters. */
const REQUIRED: Readonly<
  Record<InstanceKind, { readonly vnf: readonly string[]; readonly params: readonly string[] }>
> = {
  cluster: { vnf: ["additionalParams"], params: ["k8s_cluster_installation_param"] },
  servers: { vnf: [], params: [] },
  cnf: { vnf: ["vim", "additionalParams"], params: [] },
};

/** The schema of an instance of a kind. */
export function vnfOf(kind: InstanceKind): Schema {
  const vnf = ofKind(DEFINITIONS.vnf, kind);
  return { ...vnf, required: [...(vnf.required ?? []), ...REQUIRED[kind].vnf] };
}

/** The schema of `additionalParams` of an instance of a kind. */
export function paramsOf(kind: InstanceKind): Schema {
  return { ...ofKind(DEFINITIONS.additionalParams, kind), required: REQUIRED[kind].params };
}

/** Returns the settings of other kinds that an instance sets; of a setting with a default, another value. */
export function misplaced(settings: VnfSettings, kind: InstanceKind): Misplaced[] {
  const { vnf, additionalParams } = DEFINITIONS;
  return [
    ...misplacedIn(vnf, settings, kind),
    ...misplacedIn(additionalParams, settings.additionalParams, kind, "additionalParams"),
  ];
}

function misplacedIn(object: Schema, values: unknown, kind: InstanceKind, ...keys: string[]): Misplaced[] {
  return Object.entries(object.properties ?? {}).flatMap(([name, { kinds = [kind], default: byDefault }]) => {
    const value = own(fields(values), name);
    return kinds.includes(kind) || value === undefined || value === byDefault
      ? []
      : [{ setting: [...keys, name], kinds }];
  });
}
