import { overlap, parseAddress, parseCidr, type Cidr } from "../../base/net/cidr";
import type { Place } from "../../base/findings";
import { checkNodeMasks, checkPodBlock, checkServiceBlock } from "../../kube/cluster/cluster-blocks";
import { argumentsOf } from "../../settings/component-reliances";
import type { ClusterInstallation } from "../../settings/model";
import { virtualLinkOf } from "../link";
import type { ClusterPlan } from "./model";
import { nodePools } from "./pools";
import type { PlannedNetwork } from "../servers/model";

interface Block {
  /** Name of the CIDR in error messages. */
  readonly name: string;
  readonly cidr: Cidr;
}

interface Surroundings {
  /** The setting k8s_cluster_installation_param. */
  readonly place: Place;
  readonly networks: readonly PlannedNetwork[];
  /** Number of nodes of the cluster. */
  readonly nodes: number;
}

/**
 * Records CIDRs of pods, Services and nodes that overlap, or whose sizes kubeadm refuses. Kubeadm would report them
 * only once the servers exist.
 */
export function checkAddresses(params: ClusterInstallation, { place, networks, nodes }: Surroundings): void {
  const master = place.get("master_node");
  const set = (at: Place, text: string | undefined): (Block & { readonly at: Place })[] => {
    const cidr = text === undefined ? undefined : parseCidr(text);
    return cidr === undefined ? [] : [{ at, name: at.text, cidr }];
  };
  const ofMaster = (key: "pod_cidr" | "cluster_cidr" | "pod_cidr_ipv6" | "cluster_cidr_ipv6") =>
    set(master.get(key), params.master_node[key]);
  const pods = [...ofMaster("pod_cidr"), ...ofMaster("pod_cidr_ipv6")];
  const services = [...ofMaster("cluster_cidr"), ...ofMaster("cluster_cidr_ipv6")];
  // some of these may be inside of others: a subnet of a virtual link contains k8s_node_cidr
  const ofNodes: Block[] = [
    ...set(place.get("proxy", "k8s_node_cidr"), params.proxy?.k8s_node_cidr),
    ...networks.flatMap(({ virtualLink, subnets }) =>
      subnets.flatMap(({ cidr: text }) => {
        const cidr = parseCidr(text);
        return cidr === undefined ? [] : [{ name: `virtual link ${virtualLink}`, cidr }];
      }),
    ),
  ];
  const ofCluster = [...pods, ...services];
  ofCluster.forEach(({ at, cidr }, i) => {
    for (const other of [...ofCluster.slice(i + 1), ...ofNodes])
      if (overlap(cidr, other.cidr)) at.fault(`${cidr.text} overlaps ${other.cidr.text} of ${other.name}`);
  });
  const args = controllerManagerArgs(params);
  const ofArgs = place.get("kubeadm", "cluster_configuration", "controllerManager", "extraArgs");
  checkNodeMasks(args, pods.length > 1, ofArgs);
  for (const { at, cidr } of pods)
    checkPodBlock(cidr, { args, nodes: { count: nodes, text: `the ${nodes} nodes` }, place: at });
  for (const { at, cidr } of services) checkServiceBlock(cidr, at);
  const { pod_cidr_ipv6: ofPods, cluster_cidr_ipv6: ofServices } = params.master_node;
  if ((ofPods === undefined) !== (ofServices === undefined)) {
    const missing = ofPods === undefined ? "pod_cidr_ipv6" : "cluster_cidr_ipv6";
    master.get(missing).fault("is required, because in a dual stack both pods and Services have IPv6");
  }
}

/**
 * Records networks of the wrong IP version. Networks that vnfm creates for a cluster's connection points must be IPv4;
 * in a dual-stack cluster those of the nodes must have IPv6 too.
 */
export function checkNodeNetworks(
  cluster: ClusterPlan,
  { place, networks }: Pick<Surroundings, "place" | "networks">,
): void {
  const { pools, ipv6 } = cluster;
  const used = connectionPointsOf(cluster);
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
      place.fault(
        `the cluster uses ${port.connectionPoint}, ${is}: ` +
          `networks of nodes are IPv4; set an IPv4 cidr for it, or an IPv4 network under extVirtualLinks.${virtualLink}`,
      );
    if (ipv6 !== undefined && ofNode !== undefined && lacks(6))
      place.fault(
        `nodes have ${ofNode.connectionPoint}, ${is}: in a dual stack it must have IPv6 too; add an IPv6 subnet`,
      );
  }
}

/** Records fixed addresses of nodes and of the API that addressFault would refuse once Neutron has assigned them. */
export function checkFixedAddresses(cluster: ClusterPlan, place: Place, instance: string): void {
  const { pools, api } = cluster;
  const used = connectionPointsOf(cluster);
  const ofPorts = pools
    .flatMap((pool) => pool.servers)
    .flatMap(({ key, ports }) =>
      ports
        .filter(({ connectionPoint }) => used.has(connectionPoint))
        .map(({ connectionPoint, fixedAddresses = [] }) => ({
          subject: `${connectionPoint} of ${instance}-${key}`,
          fixedAddresses,
        })),
    );
  const ofApi =
    api.kind === "master"
      ? []
      : [{ subject: `the API of ${instance}`, fixedAddresses: api.virtualIp.fixedAddresses }];
  for (const { subject: owner, fixedAddresses } of [...ofPorts, ...ofApi]) {
    const address = addressInUse(fixedAddresses);
    const fault = address === undefined ? undefined : addressFault(owner, address, cluster);
    if (fault !== undefined) place.fault(fault);
  }
}

/** Connection points whose addresses the cluster uses. */
function connectionPointsOf({ pools, api, storage }: ClusterPlan): ReadonlySet<string> {
  return new Set([
    ...pools.flatMap(({ sshConnectionPoint, nodeConnectionPoint }) => [
      sshConnectionPoint,
      nodeConnectionPoint,
    ]),
    ...(api.kind === "master" ? [api.connectionPoint] : []),
    ...(storage?.persistentVolumes ?? []).map(({ connectionPoint }) => connectionPoint),
  ]);
}

/** The IPv4 address of a port, in whatever position, which the other nodes use. */
export function addressInUse(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => parseAddress(address)?.version === 4) ?? addresses[0];
}

/**
 * The error about an address that Neutron assigned to a node or to the API; undefined if there is none. The plan does
 * not know the CIDRs of external networks.
 */
export function addressFault(
  owner: string,
  text: string,
  { podCidr, serviceCidr }: Pick<ClusterPlan, "podCidr" | "serviceCidr">,
): string | undefined {
  const address = parseAddress(text);
  if (address?.version === 6) {
    return (
      `${owner} has no IPv4 address, only ${text}: networks of nodes are IPv4; set an IPv4 subnet of the network, ` +
      "or an IPv4 address in fixedAddresses, under extVirtualLinks, or set an IPv4 cidr in the VNFD's virtual link"
    );
  }
  const taken = Object.entries({ pod_cidr: podCidr, cluster_cidr: serviceCidr }).find(([, text]) => {
    const block = parseCidr(text);
    return address !== undefined && block !== undefined && overlap(block, address);
  });
  return (
    taken &&
    `${owner} has the address ${text}, which is in ${taken[1]} of master_node.${taken[0]}: ` +
      `set ${taken[0]} to a block that does not overlap the networks of the nodes; for an existing cluster ` +
      "it cannot change, so terminate it first"
  );
}

/** Arguments of kube-controller-manager in kubeadm's additions, by name. */
export function controllerManagerArgs({
  kubeadm,
}: Pick<ClusterInstallation, "kubeadm">): ReadonlyMap<string, string> {
  return new Map(argumentsOf("controllerManager", kubeadm?.cluster_configuration));
}
