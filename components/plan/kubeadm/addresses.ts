import { blocksIn, overlap, parseAddress, parseCidr, prefixLength, type Cidr } from "../../cidr";
import type { ClusterInstallation } from "../../settings/model";
import { virtualLinkOf } from "../link";
import type { ClusterPlan } from "./model";
import { nodePools } from "./pools";
import type { PlannedNetwork } from "../model";

interface Block {
  /** Where it is set, for faults. */
  readonly name: string;
  readonly cidr: Cidr;
  /** Whether nodes have its addresses. */
  readonly ofNodes: boolean;
}

interface Surroundings {
  /** Of k8s_cluster_installation_param in the stack config, for faults. */
  readonly path: string;
  readonly networks: readonly PlannedNetwork[];
  /** How many nodes the cluster has. */
  readonly nodes: number;
}

/**
 * Pods, Services and nodes must not share an address, and their blocks must be of sizes that kubeadm takes:
 * it would find out when the servers are there.
 */
export function checkAddresses(
  params: ClusterInstallation,
  { path, networks, nodes }: Surroundings,
  faults: string[],
): void {
  const blocks: Block[] = [];
  const add = (name: string, text: string | undefined, ofNodes: boolean): Cidr | undefined => {
    const cidr = text === undefined ? undefined : parseCidr(text);
    if (cidr !== undefined) blocks.push({ name, cidr, ofNodes });
    return cidr;
  };
  const master = `${path}.master_node`;
  const pods = add(`${master}.pod_cidr`, params.master_node.pod_cidr, false);
  const services = add(`${master}.cluster_cidr`, params.master_node.cluster_cidr, false);
  const podsIpv6 = add(`${master}.pod_cidr_ipv6`, params.master_node.pod_cidr_ipv6, false);
  const servicesIpv6 = add(`${master}.cluster_cidr_ipv6`, params.master_node.cluster_cidr_ipv6, false);
  add(`${path}.proxy.k8s_node_cidr`, params.proxy?.k8s_node_cidr, true);
  for (const { virtualLink, subnets } of networks) {
    for (const { cidr } of subnets) add(`virtual link ${virtualLink}`, cidr, true);
  }
  blocks.forEach((block, i) => {
    for (const other of blocks.slice(i + 1)) {
      // a subnet of a virtual link is where k8s_node_cidr's nodes are
      if ((block.ofNodes && other.ofNodes) || !overlap(block.cidr, other.cidr)) continue;
      faults.push(`${block.name}: ${block.cidr.text} overlaps ${other.cidr.text} of ${other.name}`);
    }
  });
  const ownMask = hasOwnNodeMask(params);
  if (pods !== undefined && !ownMask) checkPods(pods, nodes, `${master}.pod_cidr`, faults);
  if (services !== undefined) checkServices(services, `${master}.cluster_cidr`, faults);
  if (podsIpv6 !== undefined && !ownMask) checkPods(podsIpv6, nodes, `${master}.pod_cidr_ipv6`, faults);
  if (servicesIpv6 !== undefined) checkServices(servicesIpv6, `${master}.cluster_cidr_ipv6`, faults);
  const { pod_cidr_ipv6: ofPods, cluster_cidr_ipv6: ofServices } = params.master_node;
  if ((ofPods === undefined) !== (ofServices === undefined)) {
    const missing = ofPods === undefined ? "pod_cidr_ipv6" : "cluster_cidr_ipv6";
    faults.push(`${master}.${missing}: is required, as in a dual stack both pods and Services have IPv6`);
  }
}

/**
 * The networks that are made for a cluster's own connection points are IPv4, as the cluster is; with dual stack those of
 * its nodes have IPv6 too.
 */
export function checkNodeNetworks(
  { pools, api, storage, ipv6 }: ClusterPlan,
  { path, networks }: Pick<Surroundings, "path" | "networks">,
  faults: string[],
): void {
  const used = new Set([
    ...pools.flatMap(({ sshConnectionPoint, nodeConnectionPoint }) => [
      sshConnectionPoint,
      nodeConnectionPoint,
    ]),
    ...(api.kind === "master" ? [api.connectionPoint] : []),
    ...(storage?.persistentVolumes ?? []).map(({ connectionPoint }) => connectionPoint),
  ]);
  const ofNodes = new Set(nodePools({ pools }).map(({ nodeConnectionPoint }) => nodeConnectionPoint));
  const servers = pools.flatMap((pool) => pool.servers);
  for (const { virtualLink, subnets } of networks) {
    const ports = servers
      .flatMap((server) => server.ports)
      .filter(({ link }) => virtualLinkOf(link) === virtualLink);
    const cidrs = subnets.map(({ cidr }) => cidr);
    const lacks = (version: 4 | 6) => cidrs.every((cidr) => parseCidr(cidr)?.version !== version);
    const port = ports.find(({ connectionPoint }) => used.has(connectionPoint));
    const ofNode = ports.find(({ connectionPoint }) => ofNodes.has(connectionPoint));
    const is = `whose virtual link ${virtualLink} is ${cidrs.join(" and ")}`;
    if (port !== undefined && lacks(4))
      faults.push(
        `${path}: the cluster uses ${port.connectionPoint}, ${is}: ` +
          `networks of nodes are IPv4; give it an IPv4 cidr, or name an IPv4 network under extVirtualLinks.${virtualLink}`,
      );
    if (ipv6 !== undefined && ofNode !== undefined && lacks(6))
      faults.push(
        `${path}: nodes have ${ofNode.connectionPoint}, ${is}: in a dual stack it has IPv6 too; give it a subnet of IPv6`,
      );
  }
}

/** The address that others use of those of a port: the IPv4 one, wherever among them it is. */
export function addressInUse(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => parseAddress(address)?.version === 4) ?? addresses[0];
}

/**
 * What is wrong with an address that Neutron gave to a node, or to the API; undefined where nothing is. The plan
 * does not know the blocks of external networks.
 */
export function addressFault(
  whose: string,
  text: string,
  { podCidr, serviceCidr }: Pick<ClusterPlan, "podCidr" | "serviceCidr">,
): string | undefined {
  const address = parseAddress(text);
  if (address?.version === 6) {
    return (
      `${whose} has no IPv4 address, only ${text}: networks of nodes are IPv4; name an IPv4 subnet of the network ` +
      "under extVirtualLinks, or give the VNFD's virtual link an IPv4 cidr"
    );
  }
  const taken = Object.entries({ pod_cidr: podCidr, cluster_cidr: serviceCidr }).find(([, text]) => {
    const block = parseCidr(text);
    return address !== undefined && block !== undefined && overlap(block, address);
  });
  return (
    taken &&
    `${whose} has the address ${text}, which is in ${taken[1]} of master_node.${taken[0]}: ` +
      `give ${taken[0]} a block that shares no address with the networks of the nodes; of a cluster that has ` +
      "begun it is fixed, so terminate it first"
  );
}

/** Whether kubeadm's additions say how large the blocks of nodes are. */
export function hasOwnNodeMask({ kubeadm }: Pick<ClusterInstallation, "kubeadm">): boolean {
  return JSON.stringify(kubeadm?.cluster_configuration ?? {}).includes("node-cidr-mask-size");
}

/** By IP version: length of the prefix of the block that each node has of the pods' (node-cidr-mask-size). */
export const NODE_PREFIXES = { 4: 24, 6: 64 } as const;

/** By IP version: the lengths of prefixes that kubeadm takes for Services: ten addresses at least, and 20 bits at most. */
const SERVICE_PREFIXES = { 4: [12, 28], 6: [108, 124] } as const;

function checkPods(block: Cidr, nodes: number, setting: string, faults: string[]): void {
  const node = NODE_PREFIXES[block.version];
  const prefix = prefixLength(block);
  const room = blocksIn(block, node);
  if (prefix < node - 16 || prefix > node) {
    faults.push(`${setting}: ${block.text} has no size that kubeadm takes; use /${node - 16} to /${node}`);
  } else if (room < nodes) {
    faults.push(
      `${setting}: ${block.text} has a /${node} for at most ${room} of the ${nodes} nodes; use a larger block`,
    );
  }
}

function checkServices(block: Cidr, setting: string, faults: string[]): void {
  const [shortest, longest] = SERVICE_PREFIXES[block.version];
  const prefix = prefixLength(block);
  if (prefix < shortest || prefix > longest) {
    faults.push(`${setting}: ${block.text} has no size that kubeadm takes; use /${shortest} to /${longest}`);
  }
}
