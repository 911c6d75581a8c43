import type { Findings } from "../base/findings";
import { own } from "../base/own";
import type { Settings } from "../settings/model";
import type { FormerOutputs } from "./former-outputs";
import { isWorkload, type InstancePlan } from "./model";

/** Adds to each plan the cloud of its instance. An addon is in the cloud of its cluster. */
export function inClouds(plans: readonly InstancePlan[], { vnfs, clusters }: Settings): InstancePlan[] {
  return plans.map((plan) => {
    const owner = (isWorkload(plan) ? plan.settingsOf : undefined) ?? plan.name;
    const cloud = own(vnfs, owner)?.cloud ?? own(clusters, owner)?.cloud;
    return cloud === undefined ? plan : { ...plan, cloud };
  });
}

/**
 * Records instances that exist in another cloud: a run would create all of their servers again there, and delete the
 * present ones with their volumes.
 */
export function checkClouds(plans: readonly InstancePlan[], former: FormerOutputs, faults: Findings): void {
  for (const plan of plans) {
    const { name, cloud } = plan;
    // an addon is checked with its cluster
    if (isWorkload(plan) && plan.settingsOf !== undefined) continue;
    const existing = own(former, name);
    if (existing === undefined || existing.cloud === cloud) continue;
    faults
      .instance(name)
      .get("cloud")
      .fault(
        `the instance is in ${shown(existing.cloud)}, and cannot move to ${shown(cloud)}: ` +
          "create an instance with another name there, and terminate this one",
      );
  }
}

function shown(cloud: string | undefined): string {
  return cloud === undefined ? "the cloud of the stack" : `the cloud ${cloud}`;
}
