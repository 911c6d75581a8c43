import { Findings } from "../base/findings";
import { withServers, type InstancePlan } from "../plan/model";
import type { ServerNeed } from "../plan/servers/needs";
import { LATE_ID } from "../base/uuid";
import { optional, type Cloud } from "./cloud";
import { needProblems } from "./cluster-needs";
import type { ServerProblem } from "./server-needs";

/**
 * Problems with networks, subnets, routers, security groups, QoS policies, zones and volume types of servers that the
 * cloud does not have, or has several times. The provider would report them for each resource, in the middle of the
 * run. Kinds that the user may not list are not checked.
 */
export async function thingProblems(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly ServerProblem[]> {
  const problemsOf = async (instance: string, need: ServerNeed): Promise<ServerProblem[]> => {
    const place = new Findings().instance(instance);
    const found = await optional(`${need.kind} ${need.asked} is`, () => needProblems([need], place, cloud));
    const { servers, isLookedUp } = need;
    return (found ?? []).map(({ finding }) => ({ finding, servers, isOfEachRun: isLookedUp }));
  };
  const needs = withServers(plans).flatMap(({ name, cloudNeeds }) =>
    cloudNeeds.filter(({ asked }) => asked !== LATE_ID).map((need) => problemsOf(name, need)),
  );
  return (await Promise.all(needs)).flat();
}
