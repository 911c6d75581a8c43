import { Fault } from "../base/fault";
import { Findings } from "../base/findings";
import { assertNone, together } from "../base/settings-fault";
import type { VnfContext } from "../deploy/instance";
import { readVims, type StackOutputs } from "../gather/other-stacks";
import { OpenStack } from "../openstack/session";
import type { FormerOutputs } from "../plan/former-outputs";
import { isWorkload, type InstancePlan } from "../plan/model";
import { preflight } from "../preflight/preflight";
import type { Cloud } from "./clouds";

/** Returns the cloud of an instance: the same object for instances in the same cloud. */
type CloudOf = (plan: InstancePlan) => Promise<Cloud>;

/**
 * Runs the checks of instances, each in its cloud.
 * @param stacks outputs of the other stacks that the program has read before: see readVims
 * @returns the cloud of each instance, with the data that the checks have read there and from other stacks
 * @throws SettingsFault with everything that is missing in all clouds
 */
export async function preflightByCloud(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  cloudOf: CloudOf,
  stacks?: Map<string, Promise<StackOutputs>>,
): Promise<ReadonlyMap<InstancePlan, VnfContext>> {
  const byCloud = await groups(plans, cloudOf);
  const [vims, ...checked] = await together([
    readVims(plans, stacks),
    ...byCloud.map(async ([cloud, ofCloud]) => {
      const { access, config: cloudConfig, provider } = cloud;
      // the components that a program creates later need another session: a token ends, and a cloud changes
      const connection = { ...cloud, connect: OpenStack.whenNeeded(access) };
      const data = await preflight(ofCloud, former, connection);
      return [ofCloud, { ...data, access, cloudConfig, provider }] as const;
    }),
  ]);
  return new Map(
    checked.flatMap(([ofCloud, context]) => ofCloud.map((plan) => [plan, { ...context, vims }] as const)),
  );
}

/** The instances in each cloud. @throws SettingsFault with each cloud that is not in clouds.yaml */
async function groups(
  plans: readonly InstancePlan[],
  cloudOf: CloudOf,
): Promise<(readonly [Cloud, readonly InstancePlan[]])[]> {
  const found = new Map<Cloud, InstancePlan[]>();
  const faults = new Findings();
  for (const plan of plans) {
    try {
      const cloud = await cloudOf(plan);
      found.set(cloud, [...(found.get(cloud) ?? []), plan]);
    } catch (error) {
      if (!(error instanceof Fault) || plan.cloud === undefined) throw error;
      const isAddon = isWorkload(plan) && plan.settingsOf !== undefined;
      if (!isAddon) faults.instance(plan.name).get("cloud").fault(error.message);
    }
  }
  assertNone(faults);
  return [...found];
}
