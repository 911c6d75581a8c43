import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { providedBy } from "../../kube/order/providers";
import { madeBy } from "../../plan/workload/cnf";
import type { CnfPlan } from "../../plan/workload/model";
import { togetherWith } from "../after";
import { secondsOf } from "../../base/duration";
import { kubeCommand } from "./kube-command";

export interface CleanupArgs {
  readonly plan: CnfPlan;
  /** Kubeconfig of the CNF's cluster. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Time limit for the deletion of load balancers and volumes, such as `10m`. */
  readonly timeout: string;
  /** The resource that is deleted only with the whole cluster. Undefined: vnfm does not delete the cluster. */
  readonly lifetime?: pulumi.Resource | undefined;
}

/**
 * Runs before the deletion of a CNF whose controllers have created resources outside of the cluster. It waits for the
 * volumes of deleted PVCs: a PVC is deleted before its volume is detached, and without the CSI driver the volume would
 * stay in the cloud. If the cluster of this stack may be deleted in the same run, it also deletes Services with a load
 * balancer that others created there, because these load balancers block the deletion of the cluster's network. All
 * other volumes contain data, so they stay, and are listed.
 * @returns undefined for a CNF without a controller of load balancers for such a cluster and without a CSI driver
 */
export function cleanup(
  name: string,
  { plan, kubeconfig, timeout, lifetime }: CleanupArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command | undefined {
  const provided = providedBy(madeBy(plan).map(({ object }) => object));
  const isLast = lifetime !== undefined;
  const balances = provided.balances && isLast;
  const drivers = [...provided.drivers];
  if (!balances && drivers.length === 0) return undefined;
  const seconds = secondsOf(timeout);
  return kubeCommand(
    name,
    {
      ...{ script: "cleanup", kubeconfig, data: { seconds, balances, drivers, isLast } },
      ...{ atDeletion: true, logging: "stderr" },
      // if the cluster is replaced, the engine does not know this value, so that this runs before
      ...(lifetime && { triggers: [togetherWith(lifetime)] }),
    },
    pulumi.mergeOptions(opts, {
      customTimeouts: { delete: `${seconds + 120}s` },
      ...(lifetime && { deleteBeforeReplace: true }),
    }),
  );
}
