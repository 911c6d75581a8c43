import type { Place } from "../../base/findings";
import { didYouMean, oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import type { ClusterInstallation, WorkerNode } from "../../settings/model";
import type { DeploymentFlavour, ScalingAspect } from "../../vnfd/model";
import { checkConnectionPoint } from "../servers/connection-point";
import type { ClusterContext } from "./context";
import { workerPools } from "./installation";
import type { NodePool } from "./model";
import type { Role } from "../servers/model";
import { ofVdu } from "./pools";

/** A pool with its setting. */
export type PlacedPool = readonly [Place, pool: NodePool];

/** The pool of masters, and the pools of workers, with that of worker_node first. */
export function planNodePools(
  params: ClusterInstallation,
  context: ClusterContext,
): readonly [masters: PlacedPool, ...workers: PlacedPool[]] {
  const planned = (role: Role, place: Place, node: WorkerNode): PlacedPool => [
    place,
    planPool(role, node, { ...context, place }),
  ];
  const masters = planned("master", context.place.get("master_node"), params.master_node);
  const workers = workerPools(params, context.place).map(([place, node]) => planned("worker", place, node));
  // an additional pool may be empty
  for (const [place, { vdu, servers }] of [masters, ...workers.slice(0, 1)]) {
    if (vdu !== "" && servers.length === 0)
      place.fault(`VDU ${vdu} has no server; set an image and a scale level that creates one`);
  }
  return [masters, ...workers];
}

/** Checks that each VDU has one role and belongs to one pool. @param place of the cluster's parameters */
export function checkVdus(pools: readonly PlacedPool[], place: Place): void {
  const owners = new Map<string, Place>();
  for (const [poolPlace, { vdu }] of pools) {
    const owner = owners.get(vdu);
    if (owner === undefined) owners.set(vdu, poolPlace);
    // a missing VDU has an error already
    else if (vdu !== "") poolPlace.fault(`uses the VDU of ${owner.textFrom(place)}, ${vdu}; use another VDU`);
  }
}

/** @param context with the place of the pool */
function planPool(role: Role, params: WorkerNode, context: ClusterContext): NodePool {
  const { place } = context;
  const vdu = vduOf(params, context);
  const servers = ofVdu(vdu, role, context);
  const nodeConnectionPoint = params.nic_cp_name ?? params.ssh_cp_name;
  checkConnectionPoint(params.ssh_cp_name, place.get("ssh_cp_name"), vdu, context.flavour);
  checkConnectionPoint(nodeConnectionPoint, place.get("nic_cp_name"), vdu, context.flavour);
  return {
    ...{ role, vdu: vdu ?? "" },
    sshConnectionPoint: params.ssh_cp_name,
    nodeConnectionPoint,
    login: { username: params.username, password: params.password, privateKey: params.private_key },
    ...(params.labels && { labels: params.labels }),
    ...(params.taints && { taints: params.taints }),
    servers,
  };
}

/** The VDU of a pool: the named one, or the one with the connection point ssh_cp_name; aspect_id must agree. */
function vduOf(params: WorkerNode, { place, flavour }: ClusterContext): string | undefined {
  const vdu = params.vdu_id ?? own(flavour.connectionPoints, params.ssh_cp_name)?.vdu;
  if (params.vdu_id !== undefined && own(flavour.vdus, params.vdu_id) === undefined) {
    const known = Object.keys(flavour.vdus);
    place
      .get("vdu_id")
      .fault(
        `"${params.vdu_id}" is not a VDU of the VNFD; ${oneOf(known)}${didYouMean(params.vdu_id, known)}`,
      );
    return undefined;
  }
  if (params.aspect_id !== undefined) checkAspect(params.aspect_id, vdu, place.get("aspect_id"), flavour);
  return vdu;
}

/**
 * Checks that aspect_id agrees with the VNFD. For a VDU without an aspect it is ignored, because Tacker's requests set
 * an aspect of the master also in a flavour with a single control plane.
 */
function checkAspect(
  id: string,
  vdu: string | undefined,
  place: Place,
  { scalingAspects }: DeploymentFlavour,
): void {
  const scales = ({ deltas }: ScalingAspect) => vdu === undefined || own(deltas, vdu) !== undefined;
  const known = Object.keys(scalingAspects);
  const aspect = own(scalingAspects, id);
  const scaled = Object.keys(aspect?.deltas ?? {});
  if (aspect !== undefined && scales(aspect)) return;
  if (scaled.length === 0 && !Object.values(scalingAspects).some(scales)) return;
  place.fault(
    aspect === undefined
      ? `"${id}" is not a scaling aspect of the VNFD; ${oneOf(known)}${didYouMean(id, known)}`
      : `aspect "${id}" scales ${scaled.join(", ") || "no VDU"}, not ${vdu}`,
  );
}
