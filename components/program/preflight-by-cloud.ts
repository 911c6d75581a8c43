import { together } from "../base/settings-fault";
import type { VnfContext } from "../deploy/instance";
import type { FormerOutputs } from "../plan/former-outputs";
import type { InstancePlan } from "../plan/model";
import { preflight } from "../preflight/preflight";
import type { Cloud } from "./clouds";

/**
 * Runs the checks of instances, each in its cloud.
 * @param cloudOf returns the same object for instances in the same cloud
 * @returns the cloud of each instance, with the data that the checks have read there
 * @throws SettingsFault with everything that is missing in all clouds
 */
export async function preflightByCloud(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  cloudOf: (plan: InstancePlan) => Promise<Cloud>,
): Promise<ReadonlyMap<InstancePlan, VnfContext>> {
  const byCloud = new Map<Cloud, InstancePlan[]>();
  for (const plan of plans) {
    const cloud = await cloudOf(plan);
    byCloud.set(cloud, [...(byCloud.get(cloud) ?? []), plan]);
  }
  const checked = await together(
    [...byCloud].map(async ([cloud, ofCloud]) => {
      const { access, config: cloudConfig, provider } = cloud;
      const context = { ...(await preflight(ofCloud, former, cloud)), access, cloudConfig, provider };
      return ofCloud.map((plan) => [plan, context] as const);
    }),
  );
  return new Map(checked.flat());
}
