import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { providedBy } from "../../kube/order/providers";
import { madeBy, type CnfPlan } from "../../plan/workload/cnf";
import { togetherWith } from "../after";
import { secondsOf } from "./await-ready";
import { kubeCommand } from "./kube-command";

export interface CleanupArgs {
  readonly plan: CnfPlan;
  /** Of the cluster that the CNF is on. */
  readonly kubeconfig: pulumi.Output<string>;
  /** How long load balancers and volumes may take to go, such as `10m`. */
  readonly timeout: string;
  /** What goes with the whole cluster. @default the program knows of no end of it */
  readonly lifetime?: pulumi.Resource | undefined;
}

/**
 * Runs before a CNF goes whose controllers have made something outside of the cluster.
 *
 * A claim is gone before its volume is detached, so the volumes of claims that are gone are waited for: without the CSI
 * driver they would stay in the cloud. Where the CNF is on a cluster of the stack, which may go in the same run, the
 * Services with a load balancer that others made there are deleted, as these load balancers hold the cluster's network.
 * The other volumes have data, so they stay, and are named.
 *
 * @returns undefined where the CNF brings neither a controller of load balancers to such a cluster nor a CSI driver
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
      // where the cluster is made anew, the engine does not know this: so it finds that this runs before
      ...(lifetime && { triggers: [togetherWith(lifetime)] }),
    },
    pulumi.mergeOptions(opts, {
      customTimeouts: { delete: `${seconds + 120}s` },
      ...(lifetime && { deleteBeforeReplace: true }),
    }),
  );
}
