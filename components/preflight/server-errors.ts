import { withServers, type InstancePlan } from "../plan/model";
import { logWarnings, type Cloud, type Connect } from "./cloud";
import { existingServers, type ProjectServer } from "./project-servers";

/**
 * Warns about servers with the status ERROR, with Nova's reason. Either an earlier run failed to create the server, and
 * this run replaces it, or it failed later.
 * @param connect connects to the cloud, which is needed only for instances with servers
 */
export async function warnOfServersInError(plans: readonly InstancePlan[], connect: Connect): Promise<void> {
  if (withServers(plans).length === 0) return;
  await logWarnings("servers in ERROR are", async () => serversInError(plans, await connect()));
}

/** Warnings about servers of the VNF instances with the status ERROR, with the reason. */
export async function serversInError(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly string[]> {
  return (await existingServers(plans, cloud))
    .filter(({ server: { status } }) => status === "ERROR")
    .map(
      ({ instance, planned: { key }, server: { id, fault } }) =>
        `vnfm:vnfs.${instance}: ${key}: server ${id} is in ERROR: ${reasonOf(fault)}`,
    );
}

/** Matches the plugin's message about a server that Nova has put into the status ERROR. */
const NOT_MADE = /instance \(([0-9a-f-]{36})\) to become ready: unexpected state 'ERROR'/g;

/**
 * Reasons from Nova for the servers that a failed run could not create, a line for each.
 * @param text messages of the run
 * @param connections returns connections to the clouds of the stack; called only for such servers
 */
export async function whyNotMade(
  text: string,
  connections: () => Promise<readonly Connect[]>,
): Promise<readonly string[]> {
  const ids = [...new Set([...text.matchAll(NOT_MADE)].flatMap(([, id]) => id ?? []))];
  if (ids.length === 0) return [];
  try {
    const clouds = await connections();
    return await Promise.all(
      ids.map(
        async (id) =>
          `server ${id}: ${reasonOf((await serverIn(clouds, id))?.fault)}; the next update re-creates it`,
      ),
    );
  } catch (error) {
    return [`why Nova could not create ${ids.join(", ")} is not known: ${(error as Error).message}`];
  }
}

/**
 * Finds a server in the first cloud that has it.
 * @throws the error of a cloud that may have it
 */
async function serverIn(clouds: readonly Connect[], id: string): Promise<ProjectServer | undefined> {
  const answers = await Promise.allSettled(
    clouds.map(async (connect) => {
      const cloud = await connect();
      return cloud.get<{ server?: ProjectServer }>("compute", `/servers/${id}`);
    }),
  );
  for (const answer of answers)
    if (answer.status === "fulfilled" && answer.value?.server !== undefined) return answer.value.server;
  const refused = answers.find((answer) => answer.status === "rejected");
  if (refused !== undefined) throw refused.reason;
  return undefined;
}

function reasonOf(fault: ProjectServer["fault"]): string {
  return fault?.message === undefined ? "Nova gives no reason" : `${fault.message} (${fault.code})`;
}
