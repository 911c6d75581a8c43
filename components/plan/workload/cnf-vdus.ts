import type { Place } from "../../base/findings";
import { MACHINE_SETS } from "../../kube/objects/cluster-api";
import { groupKind } from "../../kube/objects/kinds";
import { at, fields, groupOf, shown, without, type KubeObject } from "../../kube/objects/object";
import { limits } from "../../base/limits";
import { didYouMean, oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import type { VduMapping } from "../../settings/model";
import type { DeploymentFlavour, Vdu } from "../../vnfd/model";

/** The controller of a VDU's pods or machines. */
export interface PlannedVnfc {
  readonly vdu: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined if something else decides: an autoscaler, or the cluster's nodes for a DaemonSet. */
  readonly replicas: number | undefined;
}

const WITH_REPLICAS = ["apps/Deployment", "apps/StatefulSet", "apps/ReplicaSet", ...MACHINE_SETS];
/** Kinds that can be a VDU; `vdu_mapping` may name each of them. */
export const CONTROLLERS = [...WITH_REPLICAS, "apps/DaemonSet", "/Pod"];

/**
 * The controller object of each VDU: that of vdu_mapping, else the one whose name is the VDU's property `name`, by
 * exact kind and name. A VDU may have none; if the VNFD has instances of it there is a warning, unless vdu_mapping
 * allows it.
 */
export function mapVdus(
  args: {
    readonly place: Place;
    readonly flavour: DeploymentFlavour;
    readonly mapping: Readonly<Record<string, VduMapping | "none">>;
    readonly counts: Readonly<Record<string, number>>;
    readonly objects: readonly KubeObject[];
    /** True if some manifests could not be read: they may contain the missing objects. */
    readonly isPartial: boolean;
  },
  warnings: string[],
): ReadonlyMap<string, KubeObject> {
  const { flavour, mapping } = args;
  const setting = args.place.get("additionalParams", "vdu_mapping");
  const controllers = args.objects.filter((object) => CONTROLLERS.includes(groupKind(object)));
  const vdus = Object.keys(flavour.vdus);
  const mapped = Object.keys(mapping);
  for (const id of mapped) {
    if (!vdus.includes(id))
      setting.get(id).fault(`the VNFD has no such VDU; ${oneOf(vdus)}${didYouMean(id, vdus, mapped)}`);
  }
  const nameOf = (vdu: Vdu): string => {
    const target = own(mapping, vdu.id);
    return target === undefined || target === "none" ? vdu.name : target.name;
  };
  const taken = Object.values(flavour.vdus).map(nameOf);
  const found = new Map<string, KubeObject>();
  for (const vdu of Object.values(flavour.vdus)) {
    const target = own(mapping, vdu.id);
    if (target === "none") continue;
    const name = nameOf(vdu);
    const ofKind = controllers.filter(({ kind }) => target === undefined || kind === target.kind);
    const [match, ...more] = ofKind.filter(({ metadata }) => metadata.name === name);
    const where = setting.get(vdu.id);
    if (match === undefined) {
      if (args.isPartial) continue;
      const kinds = target?.kind ?? "Deployment, StatefulSet, ReplicaSet, DaemonSet, Pod or set of machines";
      const names = ofKind.map(({ metadata }) => metadata.name ?? "");
      const problem = `the CNF has no ${kinds} "${name}"${didYouMean(name, names, taken)}`;
      if (target !== undefined) where.fault(problem);
      else if ((own(args.counts, vdu.id) ?? vdu.minInstances) > 0)
        warnings.push(
          `${where.text}: ${problem}; VDU ${vdu.id} has no VNFC and is not scaled: set its object here, or none`,
        );
    } else if (more.length > 0) {
      where.fault(`"${name}" is ${[match, ...more].map(shown).join(" and ")}; it must be one object`);
    } else {
      found.set(vdu.id, match);
    }
  }
  checkShared(found, setting);
  return found;
}

function checkShared(vdus: ReadonlyMap<string, KubeObject>, setting: Place): void {
  const owners = new Map<KubeObject, string>();
  for (const [vdu, object] of vdus) {
    const other = owners.get(object);
    if (other !== undefined)
      setting
        .get(vdu)
        .fault(`${shown(object)} is already VDU ${other}; set another object, or none for one of them`);
    owners.set(object, vdu);
  }
}

/** The objects with the replicas of the VNFD and the settings, and their VNFCs. */
export function scaleVdus(
  args: {
    readonly place: Place;
    readonly flavour: DeploymentFlavour;
    readonly counts: Readonly<Record<string, number>>;
    readonly vdus: ReadonlyMap<string, KubeObject>;
    readonly objects: readonly KubeObject[];
    /** Objects of charts, whose replicas come from a value of the chart. */
    readonly ofCharts: readonly KubeObject[];
  },
  warnings: string[],
): { readonly objects: readonly KubeObject[]; readonly vnfcs: readonly PlannedVnfc[] } {
  const { place, counts, flavour } = args;
  const changed = new Map<KubeObject, KubeObject>();
  const vnfcs: PlannedVnfc[] = [];
  for (const object of args.objects) {
    const target = autoscaler(object, args.objects);
    if (target !== undefined) changed.set(object, withoutReplicas(object));
  }
  for (const [vdu, object] of args.vdus) {
    const count = own(counts, vdu);
    const hpa = autoscaler(object, [...args.objects, ...args.ofCharts]);
    if (hpa !== undefined && count !== undefined) {
      warnings.push(
        `${place.text}: VDU ${vdu}: ${shown(hpa)} determines the replicas of ${shown(object)}; the scale level is ignored`,
      );
    } else if (count !== undefined) {
      const problem = unscalable(object, count, vdu, flavour);
      if (problem !== undefined) place.get("scale").fault(`VDU ${vdu}: ${problem}`);
      else if (args.ofCharts.includes(object)) checkReplicas(place, vdu, object, count, flavour);
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

/** Records a CNF whose controllers have more pods, or machines, than any cluster can. */
export function checkSum(place: Place, objects: readonly KubeObject[]): void {
  const scaled = objects.filter((object) => WITH_REPLICAS.includes(groupKind(object)));
  const sum = scaled.reduce((total, object) => total + (replicasOf(object) ?? 0), 0);
  if (sum <= limits.instances) return;
  const [most] = scaled.sort((a, b) => (replicasOf(b) ?? 0) - (replicasOf(a) ?? 0));
  const ofMost = most === undefined ? "" : `, ${replicasOf(most)} of them of ${shown(most)}`;
  place.fault(
    `would have ${sum} replicas${ofMost}; at most ${limits.instances} are allowed: lower spec.replicas`,
  );
}

/** Records charts that give a VDU other replicas than the VNFD and the settings. */
function checkReplicas(
  place: Place,
  vdu: string,
  object: KubeObject,
  count: number,
  flavour: DeploymentFlavour,
): void {
  const replicas = replicasOf(object);
  if (replicas === count || !WITH_REPLICAS.includes(groupKind(object))) return;
  const aspects = Object.values(flavour.scalingAspects).filter(
    ({ deltas }) => own(deltas, vdu) !== undefined,
  );
  const setting = place.get("additionalParams", "helm_replica_values");
  (aspects[0] ? setting.get(aspects[0].id) : setting).fault(
    `${shown(object)} of the chart has ${String(replicas)} replicas, but VDU ${vdu} should have ${count}; ` +
      "set the value of the chart that determines its replicas",
  );
}

/** The reason why a controller cannot have this number of instances. */
function unscalable(
  object: KubeObject,
  count: number,
  vdu: string,
  flavour: DeploymentFlavour,
): string | undefined {
  if (object.kind === "Pod" && count !== 1) {
    return `${shown(object)} is one pod and cannot be scaled to ${count}; use a Deployment`;
  }
  if (object.kind !== "DaemonSet") return undefined;
  const aspect = Object.values(flavour.scalingAspects).find(({ deltas }) => own(deltas, vdu) !== undefined);
  return (
    aspect &&
    `${shown(object)} runs one pod on each node and cannot be scaled; remove the VDU from aspect ${aspect.id}`
  );
}

/** Kinds whose objects determine the replicas of their `spec.scaleTargetRef`. */
const AUTOSCALERS = ["autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject"];

/** The object that determines an object's replicas, such as a HorizontalPodAutoscaler. */
export function autoscaler(object: KubeObject, objects: readonly KubeObject[]): KubeObject | undefined {
  return objects.find((other) => {
    if (!AUTOSCALERS.includes(groupKind(other))) return false;
    // a ScaledObject may leave out both: see https://keda.sh/docs/latest/reference/scaledobject-spec/
    const { apiVersion = "apps/v1", kind = "Deployment", name } = fields(at(other, "spec", "scaleTargetRef"));
    return (
      groupOf({ apiVersion: String(apiVersion) }) === groupOf(object) &&
      kind === object.kind &&
      name === object.metadata.name &&
      other.metadata.namespace === object.metadata.namespace
    );
  });
}

function withReplicas(object: KubeObject, replicas: number): KubeObject {
  return { ...object, spec: { ...fields(object["spec"]), replicas } };
}

/** Removes the replicas of an autoscaled object, as the autoscaler and the apply would overwrite each other. */
function withoutReplicas(object: KubeObject): KubeObject {
  return { ...object, spec: without(fields(object["spec"]), "replicas") };
}

/** The replicas of a workload; undefined if it has one pod on each node. */
export function replicasOf(object: KubeObject): number | undefined {
  if (object.kind === "DaemonSet") return undefined;
  const replicas = at(object, "spec", "replicas");
  return typeof replicas === "number" ? replicas : 1;
}
