import { fields } from "../kube/objects/object";
import { own } from "../base/own";
import type { VnfSettings } from "./model";
import { DEFINITIONS, type Schema } from "./schema-part";

/** Kind of a VNF instance, as its settings show. A workload cluster from a template has a schema of its own. */
export type InstanceKind = "cluster" | "servers" | "cnf";

/** A setting that does not apply to the kind of its instance. */
export interface Misplaced {
  /** Path of the setting below the instance. */
  readonly setting: readonly string[];
  /** Kinds to which the setting applies. */
  readonly kinds: readonly string[];
}

/** An object of the schema with only the settings for a kind of instance. */
function ofKind(object: Schema, kind: InstanceKind): Schema {
  const settings = Object.entries(object.properties ?? {});
  return {
    ...object,
    properties: Object.fromEntries(settings.filter(([, { kinds }]) => kinds?.includes(kind) ?? true)),
  };
}

/** Additional required settings of each kind: of the instance, and of its `additionalParams`. */
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

/** Returns the settings of an instance that only other kinds have. A default value is ignored. */
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
