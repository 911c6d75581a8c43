import { Findings, type Finding } from "../base/findings";
import type { ServerNeed } from "../plan/cloud-need";
import { withServers, type InstancePlan } from "../plan/model";
import { assertNone } from "../base/settings-fault";
import { LATE_ID } from "../base/uuid";
import { addressProblems } from "./address-problems";
import { optional, type Cloud, type Connect } from "./cloud";
import { needProblems, type ServerProblem } from "./needs";
import { existingServers } from "./project-servers";

/**
 * Checks, before anything is created, for requests that Nova, Cinder or Neutron would refuse in the middle of a run: an
 * image that is not active or too large for its disk, a fixed address in use, a network or a zone that does not exist.
 * Missing and ambiguous images and flavors are reported by the lookup by name. Data that the cloud does not report are
 * not checked.
 * @param connect connects to the cloud, which is needed only for instances with servers
 * @throws SettingsFault with all problems of servers that do not exist yet
 */
export async function checkServerNeeds(plans: readonly InstancePlan[], connect: Connect): Promise<void> {
  if (withServers(plans).length === 0) return;
  const problems = await optional("what servers need of the cloud is", () =>
    newServersProblems(plans, connect),
  );
  assertNone(new Findings(...(problems ?? [])));
}

async function newServersProblems(
  plans: readonly InstancePlan[],
  connect: Connect,
): Promise<readonly Finding[]> {
  const cloud = await connect();
  const problems = await serverProblems(plans, cloud);
  if (problems.length === 0) return [];
  const existing = await existingServers(plans, cloud);
  const there = new Set(existing.map(({ planned }) => planned.name));
  // an existing server no longer needs its image, and has its addresses
  return problems
    .filter(({ servers, isLookedUp }) => isLookedUp || servers.some((name) => !there.has(name)))
    .map(({ finding }) => finding);
}

export async function serverProblems(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly ServerProblem[]> {
  const problemsOf = async (instance: string, need: ServerNeed): Promise<ServerProblem[]> => {
    const place = new Findings().instance(instance);
    const problems = await optional(`${need.kind} ${need.name} is`, () => needProblems(need, place, cloud));
    return (problems ?? []).map(({ finding }) => ({ ...need, finding }));
  };
  const ofNeeds = withServers(plans).flatMap(({ name: instance, cloudNeeds }) =>
    cloudNeeds.filter(({ name }) => name !== LATE_ID).map((need) => problemsOf(instance, need)),
  );
  return (await Promise.all([...ofNeeds, addressProblems(plans, cloud)])).flat();
}
