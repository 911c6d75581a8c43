import { isIn, parseAddress } from "../base/net/cidr";
import { Findings } from "../base/findings";
import { thingsOf, type CloudAnswer } from "../openstack/answers";
import { existingNetwork } from "../plan/link";
import { clusterOf, withServers, type InstancePlan, type KubeadmPlan, type ServersPlan } from "../plan/model";
import { isUuid } from "../base/uuid";
import type { Cloud } from "./cloud";
import type { ServerProblem } from "./needs";

/**
 * Problems with fixed addresses that are in use, or outside of all subnets of their network. Neutron shows ports of
 * another project only to the owner of the network, so addresses of such ports are not known here.
 */
export async function addressProblems(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly ServerProblem[]> {
  const fixed = withServers(plans).flatMap(fixedAddresses);
  const names = [...new Set(fixed.map(({ network }) => network))];
  const networks = await Promise.all(
    names.map(async (name) => [name, await networkOf(name, cloud)] as const),
  );
  const known = new Map(networks);
  const ofCloud = await Promise.all(fixed.map((one) => addressProblem(one, known.get(one.network), cloud)));
  return [...ofCloud.flat(), ...twice(fixed, known)];
}

/** A fixed address of a port in an existing network. */
interface FixedAddress {
  readonly instance: string;
  readonly connectionPoint: string;
  readonly address: string;
  /** Id or name of the network. */
  readonly network: string;
  /** Names of the servers that use the address. */
  readonly servers: readonly string[];
  /** Prefixes of the names that vnfm gives the port with this address. */
  readonly ours: readonly string[];
}

/**
 * Prefixes of port names of Octavia's load balancers; the rest of such a name is an id, which is not known in advance.
 */
const OF_BALANCERS = ["octavia-lb-", "ovn-lb-vip-"];

function fixedAddresses(plan: ServersPlan | KubeadmPlan): FixedAddress[] {
  const { name: instance, servers, virtualIps } = plan;
  const isBalanced = clusterOf(plan)?.api.kind === "octavia";
  const ofServers = servers.flatMap(({ key, name, ports }) =>
    ports.map((port) => ({
      ...port,
      servers: [name],
      ours: [`${instance}-${key}-${port.connectionPoint}-`],
    })),
  );
  const shared = virtualIps.map((virtualIp) => ({
    ...virtualIp,
    servers: servers
      .filter(({ ports }) => ports.some((port) => virtualIp.targets.includes(port.connectionPoint)))
      .map(({ name }) => name),
    ours: isBalanced ? OF_BALANCERS : [`${instance}-${virtualIp.connectionPoint}-`],
  }));
  return [...ofServers, ...shared].flatMap(
    ({ connectionPoint, link, fixedAddresses: addresses = [], ...owners }) => {
      const network = existingNetwork(link);
      if (network === undefined) return [];
      return addresses.map((address) => ({ instance, connectionPoint, address, network, ...owners }));
    },
  );
}

/**
 * A problem of a fixed address, and the servers with that address.
 * @param what the end of the message
 */
function problemOf(
  { instance, connectionPoint, address, servers }: FixedAddress,
  what: string,
): ServerProblem {
  const place = new Findings().instance(instance).get("extVirtualLinks");
  return { finding: place.finding(`${address}, a fixed address of ${connectionPoint}, ${what}`), servers };
}

/** Problems with addresses that several instances of the stack request; the plan reports those within one instance. */
function twice(
  fixed: readonly FixedAddress[],
  networks: ReadonlyMap<string, Network | undefined>,
): ServerProblem[] {
  const first = new Map<string, FixedAddress>();
  return fixed.flatMap((one) => {
    const key = `${networks.get(one.network)?.id ?? one.network} ${parseAddress(one.address)?.text}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, one);
    return other === undefined || other.instance === one.instance
      ? []
      : [problemOf(one, `is also that of ${other.connectionPoint} of ${other.instance}; use another one`)];
  });
}

interface Port {
  readonly id: string;
  readonly name?: string;
  readonly device_owner?: string;
}

interface Network {
  readonly id: string;
  /** CIDRs of the subnets that the user can see. */
  readonly cidrs: readonly string[];
}

async function addressProblem(
  fixed: FixedAddress,
  network: Network | undefined,
  cloud: Cloud,
): Promise<ServerProblem[]> {
  if (network === undefined) return [];
  const { address, network: nameOrId, ours } = fixed;
  const { id, cidrs } = network;
  if (cidrs.length > 0 && !cidrs.some((cidr) => isIn(address, cidr)))
    return [problemOf(fixed, `is in no subnet of the network "${nameOrId}": ${cidrs.join(", ")}`)];
  const query = `network_id=${id}&fixed_ips=${encodeURIComponent(`ip_address=${address}`)}`;
  const inUse = await cloud.get<CloudAnswer>("network", `/v2.0/ports?${query}`);
  const others = thingsOf<Port>(inUse, "ports").filter(
    ({ name = "" }) => !ours.some((prefix) => name.startsWith(prefix)),
  );
  return others.map(({ id, name = "", device_owner: owner = "" }) =>
    problemOf(
      fixed,
      `is used by the port ${name === "" ? id : `"${name}" (${id})`}${owner === "" ? "" : ` of ${owner}`}`,
    ),
  );
}

/**
 * @param nameOrId its id or name @returns undefined unless there is exactly one
 */
async function networkOf(nameOrId: string, cloud: Cloud): Promise<Network | undefined> {
  const id = isUuid(nameOrId) ? nameOrId : await idOfNetwork(nameOrId, cloud);
  if (id === undefined) return undefined;
  const path = `/v2.0/subnets?network_id=${id}`;
  const subnets = thingsOf<{ readonly cidr?: string }>(
    await cloud.get<CloudAnswer>("network", path),
    "subnets",
  );
  return { id, cidrs: subnets.flatMap(({ cidr }) => cidr ?? []) };
}

async function idOfNetwork(name: string, cloud: Cloud): Promise<string | undefined> {
  const path = `/v2.0/networks?name=${encodeURIComponent(name)}`;
  const [one, another] = thingsOf<{ readonly id?: string }>(
    await cloud.get<CloudAnswer>("network", path),
    "networks",
  );
  return another === undefined ? one?.id : undefined;
}
