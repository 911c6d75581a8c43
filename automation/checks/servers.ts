import { listed } from "../../components/openstack/listing";
import type { OpenStack } from "../../components/openstack/session";
import { Fault } from "../fault";
import type { StackState } from "../stack/stack-state";
import { nameOfUrn, SERVER } from "../stack/steps";
import type { Finding } from "./checks";

/** A server of the last run, and its VNFC. */
export interface MadeServer {
  readonly urn: string;
  readonly vnf: string;
  readonly vnfc: string;
  readonly id: string;
}

/**
 * The servers of a stack in the cloud of its settings; servers of a program's other providers are in unknown clouds.
 * @param vnf only those of this instance
 */
export function madeServers(state: StackState, vnf?: string): readonly MadeServer[] {
  return state.of(vnf).flatMap(({ urn, type, id, provider = "", vnf: owner, vnfc }): MadeServer[] => {
    if (type !== SERVER || id === undefined || vnfc === undefined) return [];
    return nameOfUrn(provider).startsWith("default") ? [{ urn, vnf: owner, vnfc, id }] : [];
  });
}

/** Statuses of a deleted server. */
const GONE = ["DELETED", "SOFT_DELETED"];
const SILENT = ["SHUTOFF", "PAUSED", "SUSPENDED", "SHELVED", "SHELVED_OFFLOADED"];

/** Statuses of servers that do not run. */
export const NOT_RUNNING: readonly string[] = [...GONE, ...SILENT, "ERROR"];

/** The statuses of the project's servers by id. */
export async function statusesOf(cloud: Pick<OpenStack, "get">): Promise<ReadonlyMap<string, string>> {
  const all = await listed<{ readonly id: string; readonly status: string }>(
    cloud,
    ...(["compute", "/servers/detail", "servers"] as const),
  );
  return new Map(all.map(({ id, status }) => [id, status]));
}

/**
 * Findings about servers that Nova no longer has, or that do not run: SSH would wait a minute for each of them, with a
 * less useful message. There are none if the cloud does not answer.
 * @param connect connects to the cloud, which is needed only for servers
 */
export async function lostServers(
  servers: readonly MadeServer[],
  connect: () => Promise<Pick<OpenStack, "get">>,
): Promise<readonly Finding[]> {
  if (servers.length === 0) return [];
  try {
    const statuses = await statusesOf(await connect());
    return servers.flatMap(({ id, ...place }): Finding[] => {
      const status = statuses.get(id);
      const about = { ...place, step: "server", kind: "differs" as const };
      if (status === undefined || GONE.includes(status))
        return [{ ...about, wayOut: "heal", text: `the server ${id} no longer exists` }];
      return SILENT.includes(status)
        ? [{ ...about, text: `the server ${id} is ${status}: start it, or heal it` }]
        : [];
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [];
  }
}
