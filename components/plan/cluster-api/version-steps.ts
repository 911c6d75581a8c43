import type { Findings } from "../../base/findings";
import { parseVersion } from "../../kube/cluster/version";
import { minorsAfter, versionBetween } from "../../kube/cluster/version-skew";
import { own } from "../../base/own";
import { ON_MACHINE } from "../../settings/sole-machine";
import type { FormerOutputs } from "../former-outputs";
import { workloads, type InstancePlan } from "../model";

/** The workload clusters of a stack whose version of Kubernetes is known, by instance. */
function clustersOf(plans: readonly InstancePlan[]): readonly {
  readonly name: string;
  readonly version: string;
  /** True if Cluster API cannot replace the only machine of the control plane. */
  readonly keepsMachine: boolean;
}[] {
  return workloads(plans).flatMap((plan) => {
    const version = plan.cluster?.kubernetesVersion;
    const keepsMachine = plan.kind === "template" && plan.keepsMachine;
    return version === undefined ? [] : [{ name: plan.name, version, keepsMachine }];
  });
}

/**
 * Records changes of a version that Kubernetes does not support: downgrades, and skipped minor versions. Kubeadm would
 * refuse them on the first new machine, when the control plane is being replaced already.
 */
export function checkVersionSteps(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  faults: Findings,
): void {
  for (const { name, version, keepsMachine } of clustersOf(plans)) {
    const has = own(former, name)?.kubernetesVersion;
    const [from, to] = [has, version].map(parseVersion);
    if (from === undefined || to === undefined) continue;
    const place = faults.instance(name);
    if (keepsMachine && has !== version)
      place.fault(
        `cannot change to Kubernetes ${version} from ${has}: ${ON_MACHINE}; create another cluster with one, or with kubeVip`,
      );
    const between = versionBetween(from, to);
    if (minorsAfter(to, from) < 0)
      place.fault(
        `Kubernetes ${version} is older than ${has}, the version of the cluster, and downgrades are not possible; create another cluster`,
      );
    else if (between !== undefined)
      place.fault(
        `Kubernetes ${version} is more than one minor version after ${has}, the version of the cluster; upgrade to ${between} first`,
      );
  }
}
