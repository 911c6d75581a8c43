import { isIn } from "../cidr";
import { Findings, type Place } from "../findings";
import type { OpenStack } from "../openstack/session";
import { existingNetwork } from "../plan/link";
import { withServers, type InstancePlan, type PlannedServer } from "../plan/model";
import { isUuid } from "../uuid";
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
  const names = [...new Set(fixed.map(({ network }) => network))];
  const networks = await Promise.all(
    names.map(async (name) => [name, await networkOf(name, cloud)] as const),
  );
  const known = new Map(networks);
  return (await Promise.all(fixed.map((one) => addressProblem(one, known.get(one.network), cloud)))).flat();
}

/** A fixed address of a port in a network that is there already. */
interface FixedAddress {
  /** That names it. */
  readonly place: Place;
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
      const network = existingNetwork(link);
      if (network === undefined) return [];
      const ours = `${instance}-${server.key}-${connectionPoint}-`;
      const place = new Findings().instance(instance).get("extVirtualLinks");
      return [{ place, connectionPoint, address, network, server, ours }];
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
  /** Of its subnets that the user sees. */
  readonly cidrs: readonly string[];
}

async function addressProblem(
  { place, connectionPoint, address, network: asked, server, ours }: FixedAddress,
  network: Network | undefined,
  cloud: Cloud,
): Promise<ServerProblem[]> {
  if (network === undefined) return [];
  const { id, cidrs } = network;
  const problem = (what: string): ServerProblem => ({
    finding: place.finding(`${address}, a fixed address of ${connectionPoint}, ${what}`),
    servers: [server.name],
  });
  if (cidrs.length > 0 && !cidrs.some((cidr) => isIn(address, cidr)))
    return [problem(`is in no subnet of the network "${asked}": ${cidrs.join(", ")}`)];
  const query = `network_id=${id}&fixed_ips=${encodeURIComponent(`ip_address=${address}`)}`;
  const inUse = await cloud.get<{ ports: readonly Port[] }>("network", `/v2.0/ports?${query}`);
  const others = (inUse?.ports ?? []).filter(({ name }) => !name.startsWith(ours));
  return others.map(({ id, name, device_owner: owner }) =>
    problem(
      `is taken by the port ${name === "" ? id : `"${name}" (${id})`}${owner === "" ? "" : ` of ${owner}`}`,
    ),
  );
}

/** @param asked its id or name @returns undefined where there is not exactly one */
async function networkOf(asked: string, cloud: Cloud): Promise<Network | undefined> {
  const id = isUuid(asked) ? asked : await idOfNetwork(asked, cloud);
  if (id === undefined) return undefined;
  const path = `/v2.0/subnets?network_id=${id}`;
  const body = await cloud.get<{ subnets: readonly { readonly cidr: string }[] }>("network", path);
  return { id, cidrs: (body?.subnets ?? []).map(({ cidr }) => cidr) };
}

async function idOfNetwork(name: string, cloud: Cloud): Promise<string | undefined> {
  const path = `/v2.0/networks?name=${encodeURIComponent(name)}`;
  const body = await cloud.get<{ networks: readonly { readonly id: string }[] }>("network", path);
  const [one, another] = body?.networks ?? [];
  return another === undefined ? one?.id : undefined;
}
