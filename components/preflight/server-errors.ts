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
 * Reasons from Nova for the servers that a failed run could not create, a line for each. @param text messages of the
 * run
 */
export async function whyNotMade(text: string, connect: Connect): Promise<readonly string[]> {
  const ids = [...new Set([...text.matchAll(NOT_MADE)].flatMap(([, id]) => id ?? []))];
  if (ids.length === 0) return [];
  try {
    const cloud = await connect();
    return await Promise.all(
      ids.map(async (id) => {
        const body = await cloud.get<{ server?: ProjectServer }>("compute", `/servers/${id}`);
        return `server ${id}: ${reasonOf(body?.server?.fault)}; the next update re-creates it`;
      }),
    );
  } catch (error) {
    return [`why Nova could not create ${ids.join(", ")} is not known: ${(error as Error).message}`];
  }
}

function reasonOf(fault: ProjectServer["fault"]): string {
  return fault?.message === undefined ? "Nova gives no reason" : `${fault.message} (${fault.code})`;
}
