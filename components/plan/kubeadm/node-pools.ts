import { didYouMean, oneOf } from "../../nearest";
import { own } from "../../own";
import type { ClusterInstallation, WorkerNode } from "../../settings/installation-model";
import type { DeploymentFlavour, ScalingAspect } from "../../vnfd/model";
import { checkConnectionPoint } from "../servers/connection-point";
import type { ClusterContext } from "./cluster";
import { workerPools } from "./installation";
import type { NodePool, Role } from "./model";
import { ofVdu } from "./pools";

/** A pool with its setting, below those of the cluster. */
export type PoolBySetting = readonly [setting: string, pool: NodePool];

/** The masters, and the pools of workers, that of worker_node first. Appends what is wrong to `faults`. */
export function planNodePools(
  params: ClusterInstallation,
  context: ClusterContext,
  faults: string[],
): readonly [masters: PoolBySetting, ...workers: PoolBySetting[]] {
  const planned = (role: Role, setting: string, given: WorkerNode): PoolBySetting => [
    setting,
    planPool(role, given, { ...context, path: `${context.path}.${setting}` }, faults),
  ];
  const masters = planned("master", "master_node", params.master_node);
  const workers = workerPools(params).map(([setting, given]) => planned("worker", setting, given));
  // a further pool may be empty
  for (const [setting, { vdu, servers }] of [masters, ...workers.slice(0, 1)]) {
    if (vdu !== "" && servers.length === 0)
      faults.push(
        `${context.path}.${setting}: VDU ${vdu} has no server; give it an image and a scale level that makes one`,
      );
  }
  return [masters, ...workers];
}

/** A VDU has one role, and is one pool. */
export function checkVdus(pools: readonly PoolBySetting[], path: string, faults: string[]): void {
  const owners = new Map<string, string>();
  for (const [setting, { vdu }] of pools) {
    const owner = owners.get(vdu);
    if (owner === undefined) owners.set(vdu, setting);
    // that there is none has been told
    else if (vdu !== "")
      faults.push(`${path}.${setting}: has the VDU of ${owner}, ${vdu}; give it one of its own`);
  }
}

/** @param context with the path of the pool's setting */
function planPool(role: Role, params: WorkerNode, context: ClusterContext, faults: string[]): NodePool {
  const { path } = context;
  const vdu = vduOf(params, context, faults);
  const servers = ofVdu(vdu, role, context);
  const nodeConnectionPoint = params.nic_cp_name ?? params.ssh_cp_name;
  checkConnectionPoint(params.ssh_cp_name, `${path}.ssh_cp_name`, vdu, context.flavour, faults);
  checkConnectionPoint(nodeConnectionPoint, `${path}.nic_cp_name`, vdu, context.flavour, faults);
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

/** The pool's VDU: named outright, or the one that ssh_cp_name is bound to; aspect_id must agree. */
function vduOf(params: WorkerNode, { path, flavour }: ClusterContext, faults: string[]): string | undefined {
  const vdu = params.vdu_id ?? own(flavour.connectionPoints, params.ssh_cp_name)?.vdu;
  if (params.vdu_id !== undefined && own(flavour.vdus, params.vdu_id) === undefined) {
    const known = Object.keys(flavour.vdus);
    faults.push(
      `${path}.vdu_id: "${params.vdu_id}" is no VDU of the VNFD; ${oneOf(known)}${didYouMean(params.vdu_id, known)}`,
    );
    return undefined;
  }
  if (params.aspect_id !== undefined)
    checkAspect(params.aspect_id, vdu, `${path}.aspect_id`, flavour, faults);
  return vdu;
}

/**
 * The VNFD says which aspect scales the VDU, and aspect_id must agree. For a VDU that none scales it says nothing:
 * Tacker's requests name one of the master also with a flavour that has a single master.
 */
function checkAspect(
  id: string,
  vdu: string | undefined,
  path: string,
  { scalingAspects }: DeploymentFlavour,
  faults: string[],
): void {
  const scales = ({ deltas }: ScalingAspect) => vdu === undefined || own(deltas, vdu) !== undefined;
  const known = Object.keys(scalingAspects);
  const aspect = own(scalingAspects, id);
  const scaled = Object.keys(aspect?.deltas ?? {});
  if (aspect !== undefined && scales(aspect)) return;
  if (scaled.length === 0 && !Object.values(scalingAspects).some(scales)) return;
  faults.push(
    aspect === undefined
      ? `${path}: "${id}" is no scaling aspect of the VNFD; ${oneOf(known)}${didYouMean(id, known)}`
      : `${path}: aspect "${id}" scales ${scaled.join(", ") || "no VDU"}, not ${vdu}`,
  );
}
