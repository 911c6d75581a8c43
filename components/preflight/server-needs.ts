import { Findings, textOf, type Finding } from "../base/findings";
import { assertFault } from "../base/fault";
import { thingsOf, type Answer } from "../openstack/answers";
import type { OpenStack } from "../openstack/session";
import { isServerOf, type Present } from "../plan/demand";
import { withServers, type InstancePlan } from "../plan/model";
import { assertNone } from "../base/settings-fault";
import { addressProblems } from "./address-problems";
import { imageProblems } from "./image-problems";
import { thingProblems } from "./server-things";
import { tellUnchecked } from "./unchecked";

type Cloud = Pick<OpenStack, "get" | "flavors">;

/**
 * Asks the cloud, before anything is made, for what Nova, Cinder or Neutron would refuse in the middle of a run: an image
 * that is not active or too large for the disk that it goes to, a fixed address that somebody has, a network or a zone
 * that it does not have. Of images and flavors that there are not, or several times, the lookup by name tells. What the
 * cloud does not tell is not checked.
 *
 * @param connect to the cloud, which is done only where servers are wanted
 * @throws SettingsFault with all that a server which is not there yet cannot be made of
 */
export async function checkServerNeeds(
  plans: readonly InstancePlan[],
  connect: () => Promise<Cloud>,
): Promise<void> {
  if (withServers(plans).length === 0) return;
  const problems = await newServersProblems(plans, connect).catch((error: unknown) => {
    assertFault(error);
    tellUnchecked("what servers need of the cloud is", error);
    return [];
  });
  assertNone(new Findings(...problems));
}

async function newServersProblems(
  plans: readonly InstancePlan[],
  connect: () => Promise<Cloud>,
): Promise<readonly Finding[]> {
  const cloud = await connect();
  const problems = await serverProblems(plans, cloud);
  if (problems.length === 0) return [];
  const there = await serversThere(plans, [...new Set(problems.flatMap(({ servers }) => servers))], cloud);
  // a server that is there does not need its image any more, and has its addresses
  return problems
    .filter(({ servers, isOfEachRun }) => isOfEachRun || servers.some((name) => !there.includes(name)))
    .map(({ finding }) => finding);
}

/** Returns those of the names that servers of the instances are there with. */
export async function serversThere(
  plans: readonly InstancePlan[],
  names: readonly string[],
  cloud: Pick<OpenStack, "get">,
): Promise<readonly string[]> {
  // One by one: Nova reads the name as a regular expression, but takes the `|` in it for a plain character.
  const answers = await Promise.all(
    names.map((name) =>
      cloud.get<Answer>("compute", `/servers/detail?name=${encodeURIComponent(`^${name}$`)}`),
    ),
  );
  const found = answers.flatMap((body) => thingsOf<Present["servers"][number]>(body, "servers"));
  return withServers(plans).flatMap(({ name: instance, servers }) =>
    servers
      .map(({ name }) => name)
      .filter((name) => names.includes(name) && found.some((one) => isServerOf(instance, name, one))),
  );
}

/** What the cloud would refuse. */
export interface ServerProblem {
  readonly finding: Finding;
  /** Names of the servers that it is about. */
  readonly servers: readonly string[];
  /** Each run would fail by it, also where all of these servers are there. @default false */
  readonly isOfEachRun?: boolean;
}

export async function serverProblems(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly ServerProblem[]> {
  const found = await Promise.all([
    imageProblems(plans, cloud),
    addressProblems(plans, cloud),
    thingProblems(plans, cloud),
  ]);
  return merged(found.flat());
}

/** Each finding once, with all servers that it is about. */
function merged(problems: readonly ServerProblem[]): readonly ServerProblem[] {
  const byText = new Map<string, ServerProblem>();
  for (const problem of problems) {
    const text = textOf(problem.finding);
    const servers = [...(byText.get(text)?.servers ?? []), ...problem.servers];
    byText.set(text, { ...problem, servers });
  }
  return [...byText.values()];
}
