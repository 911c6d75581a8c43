import { isIn } from "../../cidr";
import type { OpenStack } from "../../openstack/session";
import { withServers, type InstancePlan, type PlannedServer } from "../../plan/model";
import { isUuid } from "../../uuid";
import type { ServerProblem } from "./server-needs";

type Cloud = Pick<OpenStack, "get">;

/**
 * Fixed addresses that somebody has, or that are in no subnet of their network. Neutron shows the ports of another
 * project only to the owner of the network, so the address of such a port is not known here.
 */
export async function addressProblems(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly ServerProblem[]> {
  const fixed = withServers(plans).flatMap(({ name, servers }) =>
    servers.flatMap((server) => fixedAddresses(name, server)),
  );
  return (await Promise.all(fixed.map((one) => addressProblem(one, cloud)))).flat();
}

/** A fixed address of a port in a network that is there already. */
interface FixedAddress {
  readonly path: string;
  readonly connectionPoint: string;
  readonly address: string;
  /** Its id or name. */
  readonly network: string;
  readonly server: PlannedServer;
  /** What the name of the port begins with, where an earlier run has made it. */
  readonly ours: string;
}

function fixedAddresses(instance: string, server: PlannedServer): FixedAddress[] {
  return server.ports.flatMap(({ connectionPoint, link, fixedAddresses: addresses = [] }) =>
    addresses.flatMap((address): FixedAddress[] => {
      if (!("external" in link)) return [];
      const ours = `${instance}-${server.key}-${connectionPoint}-`;
      const { network } = link.external;
      return [{ path: `vnfm:vnfs.${instance}`, connectionPoint, address, network, server, ours }];
    }),
  );
}

interface Port {
  readonly id: string;
  readonly name: string;
  readonly device_owner: string;
}

interface Network {
  readonly id: string;
}

interface Subnet {
  readonly cidr: string;
}

async function addressProblem(fixed: FixedAddress, cloud: Cloud): Promise<ServerProblem[]> {
  const { path, connectionPoint, address, network: asked, server, ours } = fixed;
  const id = isUuid(asked) ? asked : await idOfNetwork(asked, cloud);
  if (id === undefined) return [];
  const ask = <T>(query: string) => cloud.get<T>("network", query);
  const [inUse, inIt] = await Promise.all([
    ask<{ ports: readonly Port[] }>(
      `/v2.0/ports?network_id=${id}&fixed_ips=${encodeURIComponent(`ip_address=${address}`)}`,
    ),
    ask<{ subnets: readonly Subnet[] }>(`/v2.0/subnets?network_id=${id}`),
  ]);
  const cidrs = (inIt?.subnets ?? []).map(({ cidr }) => cidr);
  const what = `${path}.extVirtualLinks: ${address}, a fixed address of ${connectionPoint},`;
  const servers = [server.name];
  if (cidrs.length > 0 && !cidrs.some((cidr) => isIn(address, cidr)))
    return [{ text: `${what} is in no subnet of the network "${asked}": ${cidrs.join(", ")}`, servers }];
  const others = (inUse?.ports ?? []).filter(({ name }) => !name.startsWith(ours));
  return others.map(({ id, name, device_owner: owner }) => ({
    text: `${what} is taken by the port ${name === "" ? id : `"${name}" (${id})`}${owner === "" ? "" : ` of ${owner}`}`,
    servers,
  }));
}

async function idOfNetwork(name: string, cloud: Cloud): Promise<string | undefined> {
  const path = `/v2.0/networks?name=${encodeURIComponent(name)}`;
  const [one, another] = (await cloud.get<{ networks: readonly Network[] }>("network", path))?.networks ?? [];
  return another === undefined ? one?.id : undefined;
}
