import { isIn, isSameAddress } from "../base/net/cidr";
import { Findings, type Finding, type Place } from "../base/findings";
import type { ApiAddresses } from "../plan/cluster-api/needs";
import type { InstancePlan, TemplatePlan } from "../plan/model";
import { assertNone } from "../base/settings-fault";
import { answered, type Cloud, type Connect } from "./cloud";
import { resourcesOf, type Resource } from "./resources";

/**
 * Checks the addresses in settings of clusters from templates, before anything is created: the controllers of a cluster
 * would wait for an address that it cannot have.
 * @param isThere returns true for an instance that an earlier run created, which has its addresses
 * @throws SettingsFault with all addresses that a cluster cannot have
 */
export async function checkApiAddresses(
  plans: readonly InstancePlan[],
  isThere: (instance: string) => boolean,
  connect: Connect,
): Promise<void> {
  const clusters = plans
    .filter((plan) => plan.kind === "template")
    .filter(({ name, addresses: { floatingIp, fixedIp } }) => !isThere(name) && (floatingIp ?? fixedIp));
  if (clusters.length === 0) return;
  const cloud = await connect();
  const found = await Promise.all(clusters.map((cluster) => addressFindings(cluster, cloud)));
  assertNone(new Findings(...found.flat()));
}

/** Errors about the addresses of a cluster that is to be created. */
export async function addressFindings(
  { name, addresses }: Pick<TemplatePlan, "name" | "addresses">,
  cloud: Cloud,
): Promise<Finding[]> {
  const place = new Findings().instance(name).get("apiServer");
  const found = await Promise.all([
    addresses.floatingIp === undefined
      ? []
      : floatingIpFindings(name, addresses, cloud, place.get("floatingIp")),
    addresses.fixedIp === undefined ? [] : fixedIpFindings(name, addresses, cloud, place.get("fixedIp")),
  ]);
  return found.flat();
}

interface FloatingIp {
  readonly floating_ip_address: string;
  readonly floating_network_id: string;
  readonly project_id: string;
  /** Port with the floating IP. Undefined: it is free; the API answers with null, which is left out. */
  readonly port_id?: string;
}

async function floatingIpFindings(
  cluster: string,
  { floatingIp = "", externalNetwork }: ApiAddresses,
  cloud: Cloud,
  place: Place,
): Promise<Finding[]> {
  const path = `/v2.0/floatingips?floating_ip_address=${floatingIp}`;
  const answer = await cloud.get<{ floatingips: readonly FloatingIp[] }>("network", path);
  if (answer === undefined) return [];
  const one = answer.floatingips.find(({ floating_ip_address: candidate }) =>
    isSameAddress(floatingIp, candidate),
  );
  const network = externalNetwork === undefined ? undefined : await networkOf(externalNetwork, cloud);
  if (one === undefined || one.project_id !== cloud.projectId)
    return [
      place.finding(
        `${floatingIp} is not a floating IP of the project; create it with \`openstack floating ip create ` +
          `${externalNetwork ?? "NETWORK"}\` and set its address, or remove the setting, and one is created`,
      ),
    ];
  if (network !== undefined && network.id !== one.floating_network_id)
    return [
      place.finding(
        `${floatingIp} is of another network than network.externalNetwork, "${externalNetwork}"; use one of that`,
      ),
    ];
  if (one.port_id === undefined || (await isOfCluster(cluster, one.port_id, cloud))) return [];
  return [place.finding(`${floatingIp} is in use by the port ${one.port_id}; use a free one`)];
}

async function fixedIpFindings(
  cluster: string,
  { fixedIp = "", network: nameOrId, subnet }: ApiAddresses,
  cloud: Cloud,
  place: Place,
): Promise<Finding[]> {
  // a network that is to be created has no address in use
  const network = nameOrId === undefined ? undefined : await networkOf(nameOrId, cloud);
  if (network === undefined) return [];
  const all = await resourcesOf("subnet", cloud);
  const subnets = all.filter(
    ({ network_id, id, name }) =>
      network_id === network.id && (subnet === undefined || subnet === id || subnet === name),
  );
  const cidrs = subnets.flatMap(({ cidr }) => cidr ?? []);
  if (cidrs.length > 0 && !cidrs.some((cidr) => isIn(fixedIp, cidr)))
    return [
      place.finding(
        `${fixedIp} is in no subnet of the machines, in the network "${nameOrId}": ${cidrs.join(", ")}; use an address of these`,
      ),
    ];
  if (subnets.some(({ gateway_ip: gateway }) => isSameAddress(fixedIp, gateway)))
    return [place.finding(`${fixedIp} is the gateway of the network "${nameOrId}"; use another address`)];
  const path = `/v2.0/ports?network_id=${network.id}&fixed_ips=${encodeURIComponent(`ip_address=${fixedIp}`)}`;
  const { ports = [] } =
    (await cloud.get<{ ports?: readonly { readonly id: string }[] }>("network", path)) ?? {};
  const ofOthers = await Promise.all(ports.map(async ({ id }) => !(await isOfCluster(cluster, id, cloud))));
  return ports
    .filter((_, i) => ofOthers[i])
    .map(({ id }) => place.finding(`${fixedIp} is used by the port ${id}; use a free address`));
}

/**
 * A network of the cloud.
 * @param nameOrId its id or name
 * @returns undefined unless there is exactly one, which checkClusterNeeds reports
 */
async function networkOf(nameOrId: string, cloud: Cloud): Promise<Resource | undefined> {
  const all = await resourcesOf("network", cloud);
  const byId = all.find(({ id }) => id === nameOrId);
  const [one, another] = all.filter(({ name }) => name === nameOrId);
  return byId ?? (another === undefined ? one : undefined);
}

/** Returns true for a port of a partly created cluster: that of its load balancer, or of a machine. */
async function isOfCluster(cluster: string, port: string, cloud: Cloud): Promise<boolean> {
  const named = await cloud.get<{ port?: { readonly name?: string } }>("network", `/v2.0/ports/${port}`);
  if (named?.port?.name?.startsWith(`${cluster}-control-plane-`)) return true;
  const path = `/v2/lbaas/loadbalancers?vip_port_id=${port}`;
  // a cloud without Octavia has no such load balancer
  const answer = await answered(
    () => cloud.get<{ loadbalancers?: readonly { readonly name: string }[] }>("load-balancer", path),
    () => undefined,
  );
  return (answer?.loadbalancers ?? []).some(
    ({ name }) => name === `k8s-clusterapi-cluster-${cluster}-${cluster}-kubeapi`,
  );
}
