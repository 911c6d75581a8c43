import type { Findings } from "../../base/findings";
import { own } from "../../base/own";
import { workloads, type InstancePlan } from "../model";
import type { FormerOutputs } from "../former-outputs";

/** Outputs of a workload cluster with CIDRs, and what uses their addresses. */
const BLOCKS = [
  ["podCidrs", "pods"],
  ["serviceCidrs", "Services"],
] as const;

/**
 * Records changed CIDRs of the pods or the Services of an existing workload cluster. Cluster API would accept them
 * without an error and use them for later machines; existing nodes and Services would keep their addresses.
 */
export function checkClusterNetworks(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  faults: Findings,
): void {
  for (const { name, cluster } of workloads(plans)) {
    const formerOutputs = own(former, name);
    for (const [key, owners] of BLOCKS) {
      const [has = [], planned = []] = [formerOutputs?.[key], cluster?.[key]];
      if (has.length > 0 && planned.length > 0 && has.join() !== planned.join())
        faults
          .instance(name)
          .fault(
            `its ${owners} would be in ${planned.join(" and ")}, but the cluster has ${has.join(" and ")}, which ` +
              `cannot change; write that, or create another cluster`,
          );
    }
  }
}
