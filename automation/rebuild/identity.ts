import { SERVER_OWNER, type ListedServer } from "../../components/plan/servers/server-owner";
import { listed } from "../../components/openstack/listing";
import type { OpenStack } from "../../components/openstack/session";
import { Fault } from "../fault";

/** The servers of a stack in the cloud. */
export interface OwnedServers {
  /** Identity of the stack, which its servers have in their metadata: see stackIdentity. */
  readonly identity: string;
  readonly ids: readonly string[];
}

interface Server extends ListedServer {
  readonly id: string;
}

/**
 * The servers of the stack whose state is lost. Others in the project may have the same names.
 * @param instances of the stack config that have servers
 * @param stack its name. The identity begins with the first name that a stack had
 * @param identity the one to choose
 * @throws Fault if there is none, or if it is not certain
 */
export async function ownedServers(
  cloud: Pick<OpenStack, "get">,
  {
    instances,
    stack,
    identity,
  }: { readonly instances: readonly string[]; readonly stack: string; readonly identity: string | undefined },
): Promise<OwnedServers> {
  // a former state has the identity of a stack without servers
  if (instances.length === 0 && identity !== undefined) return { identity, ids: [] };
  const all = await listed<Server>(cloud, "compute", "/servers/detail", "servers");
  const byIdentity = new Map<string, Server[]>();
  for (const server of all) {
    const [, owner, instance] = /^(.+)\/([^/]+)$/.exec(server.metadata?.[SERVER_OWNER] ?? "") ?? [];
    if (owner === undefined || instance === undefined || !instances.includes(instance)) continue;
    byIdentity.set(owner, [...(byIdentity.get(owner) ?? []), server]);
  }
  const candidates = [...byIdentity]
    .sort()
    .map(([owner, servers]) => `${owner}: ${servers.map(({ name, id }) => `${name} ${id}`).join(", ")}`);
  const [only, ...others] = byIdentity.keys();
  if (only === undefined)
    throw new Fault(
      `no server in the project belongs to ${instances.join(", ")}: there is no state to make again`,
    );
  const chosen = identity ?? only;
  const servers = byIdentity.get(chosen);
  const isOfName = only.startsWith(`${stack}-`) && /^[0-9a-f]{8}$/.test(only.slice(stack.length + 1));
  const isCertain = identity !== undefined || (others.length === 0 && isOfName);
  if (servers === undefined || !isCertain)
    throw new Fault(
      `it is not certain which servers belong to stack ${stack}; choose by --identity:\n${candidates.join("\n")}`,
    );
  return { identity: chosen, ids: servers.map(({ id }) => id) };
}
