import { groupKind } from "../cnf/kinds";
import { at, fields, groupOf, shown, without, type KubeObject } from "../cnf/object";
import { didYouMean, oneOf } from "../nearest";
import { own } from "../own";
import type { VduMapping } from "../settings/model";
import type { DeploymentFlavour } from "../vnfd/model";

/** The controller of a VDU's pods. */
export interface PlannedVnfc {
  readonly vdu: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined where something else decides: an autoscaler, or the cluster's nodes for a DaemonSet. */
  readonly replicas: number | undefined;
}

/** Kinds that can be a VDU. */
const CONTROLLERS = ["apps/Deployment", "apps/StatefulSet", "apps/ReplicaSet", "apps/DaemonSet", "/Pod"];
const WITH_REPLICAS = ["apps/Deployment", "apps/StatefulSet", "apps/ReplicaSet"];

/**
 * The controller object of each VDU: that of vdu_mapping, else the one whose name is the VDU's property
 * `name`. By exact kind and name, never by a pattern.
 */
export function mapVdus(
  args: {
    readonly path: string;
    readonly flavour: DeploymentFlavour;
    readonly mapping: Readonly<Record<string, VduMapping>>;
    readonly objects: readonly KubeObject[];
    /** Whether some of the manifests could not be read: what is missing may be in them. */
    readonly isPartial: boolean;
  },
  faults: string[],
): ReadonlyMap<string, KubeObject> {
  const { flavour, mapping } = args;
  const setting = `${args.path}.additionalParams.vdu_mapping`;
  const controllers = args.objects.filter((object) => CONTROLLERS.includes(groupKind(object)));
  const vdus = Object.keys(flavour.vdus);
  for (const id of Object.keys(mapping)) {
    if (!vdus.includes(id))
      faults.push(`${setting}.${id}: the VNFD has no such VDU; ${oneOf(vdus)}${didYouMean(id, vdus)}`);
  }
  const found = new Map<string, KubeObject>();
  for (const vdu of Object.values(flavour.vdus)) {
    const wanted = own(mapping, vdu.id);
    const name = wanted?.name ?? vdu.name;
    const ofKind = controllers.filter(({ kind }) => wanted === undefined || kind === wanted.kind);
    const [match, ...more] = ofKind.filter(({ metadata }) => metadata.name === name);
    const where = `${setting}.${vdu.id}`;
    if (match === undefined) {
      if (args.isPartial) continue;
      const kinds = wanted?.kind ?? "Deployment, StatefulSet, ReplicaSet, DaemonSet or Pod";
      const names = ofKind.map(({ metadata }) => metadata.name ?? "");
      const way = wanted === undefined ? `; name the VDU's object here` : "";
      faults.push(`${where}: the manifests have no ${kinds} "${name}"${didYouMean(name, names)}${way}`);
    } else if (more.length > 0) {
      faults.push(
        `${where}: "${name}" is ${[match, ...more].map(shown).join(" and ")}; it must be one object`,
      );
    } else {
      found.set(vdu.id, match);
    }
  }
  checkShared(found, setting, faults);
  return found;
}

function checkShared(vdus: ReadonlyMap<string, KubeObject>, setting: string, faults: string[]): void {
  const owners = new Map<KubeObject, string>();
  for (const [vdu, object] of vdus) {
    const other = owners.get(object);
    if (other !== undefined) faults.push(`${setting}.${vdu}: ${shown(object)} is VDU ${other} already`);
    owners.set(object, vdu);
  }
}

/** The objects with the replicas that the VNFD and the settings want, and the VNFCs they are. */
export function scaleVdus(
  args: {
    readonly path: string;
    readonly flavour: DeploymentFlavour;
    readonly counts: Readonly<Record<string, number>>;
    readonly vdus: ReadonlyMap<string, KubeObject>;
    readonly objects: readonly KubeObject[];
  },
  faults: string[],
  warnings: string[],
): { readonly objects: readonly KubeObject[]; readonly vnfcs: readonly PlannedVnfc[] } {
  const { path, counts, flavour } = args;
  const changed = new Map<KubeObject, KubeObject>();
  const vnfcs: PlannedVnfc[] = [];
  for (const object of args.objects) {
    const target = autoscaler(object, args.objects);
    if (target !== undefined) changed.set(object, withoutReplicas(object));
  }
  for (const [vdu, object] of args.vdus) {
    const count = own(counts, vdu);
    const hpa = autoscaler(object, args.objects);
    if (hpa !== undefined && count !== undefined) {
      warnings.push(
        `${path}: VDU ${vdu}: ${shown(hpa)} decides the replicas of ${shown(object)}; its scale level is not used`,
      );
    } else if (count !== undefined) {
      const problem = unscalable(object, count, vdu, flavour);
      if (problem !== undefined) faults.push(`${path}.scale: VDU ${vdu}: ${problem}`);
      else if (WITH_REPLICAS.includes(groupKind(object))) changed.set(object, withReplicas(object, count));
    }
    const final = changed.get(object) ?? object;
    vnfcs.push({
      vdu,
      kind: object.kind,
      namespace: object.metadata.namespace ?? "default",
      name: object.metadata.name ?? "",
      replicas: hpa === undefined ? replicasOf(final) : undefined,
    });
  }
  return { objects: args.objects.map((object) => changed.get(object) ?? object), vnfcs };
}

/** Why a controller cannot have the instances. */
function unscalable(
  object: KubeObject,
  count: number,
  vdu: string,
  flavour: DeploymentFlavour,
): string | undefined {
  if (object.kind === "Pod" && count !== 1) {
    return `${shown(object)} is one pod and cannot be ${count}; use a Deployment`;
  }
  if (object.kind !== "DaemonSet") return undefined;
  const aspect = Object.values(flavour.scalingAspects).find(({ deltas }) => own(deltas, vdu) !== undefined);
  return (
    aspect &&
    `${shown(object)} runs one pod on each node and cannot be scaled; take the VDU out of aspect ${aspect.id}`
  );
}

/** The HorizontalPodAutoscaler that decides an object's replicas. */
function autoscaler(object: KubeObject, objects: readonly KubeObject[]): KubeObject | undefined {
  return objects.find((hpa) => {
    if (groupKind(hpa) !== "autoscaling/HorizontalPodAutoscaler") return false;
    const target = fields(at(hpa, "spec", "scaleTargetRef"));
    const group =
      typeof target["apiVersion"] === "string" ? groupOf({ apiVersion: target["apiVersion"] }) : "apps";
    const isKind = group === groupOf(object) && target["kind"] === object.kind;
    return (
      isKind &&
      target["name"] === object.metadata.name &&
      hpa.metadata.namespace === object.metadata.namespace
    );
  });
}

function withReplicas(object: KubeObject, replicas: number): KubeObject {
  return { ...object, spec: { ...fields(object["spec"]), replicas } };
}

/** An autoscaler and an apply that both set the replicas would fight. */
function withoutReplicas(object: KubeObject): KubeObject {
  return { ...object, spec: without(fields(object["spec"]), "replicas") };
}

function replicasOf(object: KubeObject): number | undefined {
  if (object.kind === "DaemonSet") return undefined;
  const replicas = at(object, "spec", "replicas");
  return typeof replicas === "number" ? replicas : 1;
}
