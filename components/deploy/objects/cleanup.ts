import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { providedBy } from "../../kube/providers";
import { madeBy, type CnfPlan } from "../../plan/workload/cnf";
import { secondsOf } from "./await-ready";
import { kubeCommand } from "./kube-command";

export interface CleanupArgs {
  readonly plan: CnfPlan;
  /** Of the cluster that the CNF is on. */
  readonly kubeconfig: pulumi.Output<string>;
  /** How long load balancers may take to go, such as `10m`. */
  readonly timeout: string;
  /** What goes with the whole cluster. */
  readonly lifetime: pulumi.Resource;
}

/**
 * Runs before a CNF goes with its cluster: what it brings has made load balancers and volumes in the cloud, also for
 * objects that this stack does not know. Those load balancers hold the cluster's network, so their Services are deleted
 * while there is a controller that cleans up after them; volumes have data, so they stay, and are named.
 * @returns undefined where the CNF brings neither a controller of load balancers nor a CSI driver
 */
export function cleanup(
  name: string,
  { plan, kubeconfig, timeout, lifetime }: CleanupArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command | undefined {
  const { balances, drivers } = providedBy(madeBy(plan).map(({ object }) => object));
  if (!balances && drivers.length === 0) return undefined;
  const seconds = secondsOf(timeout);
  const data = { seconds, balances, drivers: [...drivers] };
  const limit = `${seconds + 120}s`;
  return kubeCommand(
    name,
    {
      ...{ script: "cleanup.cjs", kubeconfig, data, atDeletion: true, logging: "stderr" },
      // where the cluster is made anew, the engine does not know this: so it finds that this runs before
      triggers: [lifetime.urn],
    },
    pulumi.mergeOptions(opts, { deleteBeforeReplace: true, customTimeouts: { delete: limit } }),
  );
}
