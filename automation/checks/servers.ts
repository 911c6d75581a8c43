import { listed } from "../../components/openstack/listing";
import type { NamedCloud } from "../../components/openstack/clouds";
import type { OpenStack } from "../../components/openstack/session";
import { Fault } from "../fault";
import { cloudsOf, keyOf } from "../stack/clouds";
import type { StackState } from "../stack/stack-state";
import { SERVER } from "../stack/steps";
import type { Finding } from "./checks";

/** A server of the last run, and its VNFC. */
export interface MadeServer {
  readonly urn: string;
  readonly vnf: string;
  readonly vnfc: string;
  readonly id: string;
  /** @default the cloud of the stack config */
  readonly cloud?: NamedCloud;
}

/**
 * The servers of a stack, without those in clouds that are not known.
 * @param vnf only those of this instance
 */
export function madeServers(state: StackState, vnf?: string): readonly MadeServer[] {
  const cloudOf = cloudsOf(state.resources);
  return state.of(vnf).flatMap((resource): MadeServer[] => {
    const { urn, type, id, vnf: owner, vnfc } = resource;
    if (type !== SERVER || id === undefined || vnfc === undefined) return [];
    const cloud = cloudOf(resource);
    if (cloud === undefined) return [];
    return [{ urn, vnf: owner, vnfc, id, ...(cloud.named && { cloud: cloud.named }) }];
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
 * less useful message. There are none of a cloud that does not answer.
 * @param connectTo connects to a cloud; only clouds with servers are needed
 */
export async function lostServers(
  servers: readonly MadeServer[],
  connectTo: (cloud?: NamedCloud) => Promise<Pick<OpenStack, "get">>,
): Promise<readonly Finding[]> {
  const clouds = new Map(servers.map(({ cloud }) => [keyOf(cloud), cloud]));
  const found = await Promise.all(
    [...clouds].map(([key, cloud]) =>
      lostIn(
        servers.filter((server) => keyOf(server.cloud) === key),
        () => connectTo(cloud),
      ),
    ),
  );
  return found.flat();
}

async function lostIn(
  servers: readonly MadeServer[],
  connect: () => Promise<Pick<OpenStack, "get">>,
): Promise<readonly Finding[]> {
  try {
    const statuses = await statusesOf(await connect());
    return servers.flatMap(({ id, urn, vnf, vnfc }): Finding[] => {
      const status = statuses.get(id);
      const about = { ...{ urn, vnf, vnfc }, step: "server", kind: "differs" as const };
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
