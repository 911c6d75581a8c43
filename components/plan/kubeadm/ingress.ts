import { API_SERVER_PORT } from "../../kube/cluster/control-plane";
import {
  NODE_PORT_ARGUMENT,
  NODE_PORTS,
  openNodePorts,
  parseNodePorts,
  type PortRange,
} from "../../kube/cluster/node-ports";
import { argumentsOf } from "../../settings/component-reliances";
import type { ClusterPlan } from "./model";
import { snapshotPlace } from "./snapshot-place";
import { parseTraffic, type Traffic } from "../../base/net/traffic";

/** Allowed incoming traffic of one kind: from a CIDR, or from servers of the cluster. */
export interface IngressRule extends Traffic {
  /** Source; `members` and `masters` are servers by their security group, with their IPv4 addresses. */
  readonly from: { readonly cidr: string } | "members" | "members-ipv6" | "masters";
}

/** The rules of each security group of a cluster. */
export interface ClusterIngress {
  /** Rules of all servers except the storage server. */
  readonly members: readonly IngressRule[];
  /** Further rules of masters. */
  readonly masters: readonly IngressRule[];
  /** Further rules of all servers except masters. Empty: there is no such group. */
  readonly others: readonly IngressRule[];
}

const SSH = tcp(22);
const KUBE_APISERVER = tcp(API_SERVER_PORT);
const ETCD = tcp(2379, 2380);
const KUBELET = tcp(10250);
const NFS = tcp(2049);

/** The port range for NodePort Services, from kubeadm's additions. An invalid range is recorded elsewhere. */
export function nodePortsOf(clusterConfiguration: unknown): PortRange {
  const argument = new Map(argumentsOf("apiServer", clusterConfiguration)).get(NODE_PORT_ARGUMENT);
  return (argument === undefined ? undefined : parseNodePorts(argument)) ?? NODE_PORTS;
}

/** Protocols of Services and probes of Kubernetes, on any port. */
const POD_TRAFFIC: readonly Traffic[] = ["tcp", "udp", "sctp", "icmp"].map((protocol) => ({ protocol }));
/** The same without the ports of etcd, as rules cannot distinguish the address of a master from those of its pods. */
const POD_TRAFFIC_OF_MASTERS: readonly Traffic[] = [
  tcp(1, 2378),
  tcp(2381, 65535),
  ...POD_TRAFFIC.filter(({ protocol }) => protocol !== "tcp"),
];

/**
 * The ports that a kubeadm cluster needs (https://kubernetes.io/docs/reference/networking/ports-and-protocols/) and
 * those that the operator has added, nothing else. The scheduler and the controller manager (10259, 10257) are queried
 * only on their own master, which needs no rule.
 */
export function clusterIngress(cluster: ClusterPlan): ClusterIngress {
  const { api, cniPorts, managementCidrs, ingressRules, ipv6, podRoutes, podCidr } = cluster;
  const ports = openNodePorts(nodePortsOf(cluster.kubeadm.clusterConfiguration));
  // every protocol that a Service may have
  const nodePorts = ["tcp", "udp", "sctp"].flatMap((protocol) =>
    ports.map((range) => ({ protocol, ports: range })),
  );
  const isBalanced = api.kind === "haproxy";
  const ofApi = [KUBE_APISERVER, ...(isBalanced ? [tcp(api.port)] : [])];
  const apiRules = [
    ...among(ofApi),
    ...(isBalanced ? among([{ protocol: "vrrp" }]) : []),
    ...managementCidrs.flatMap((cidr) => fromBlock(cidr, ofApi)),
  ];
  // load balancers on separate servers use the same ports
  const hasOwnBalancers = isBalanced && !api.onMasters;
  const published = [SSH, ...nodePorts];
  // without a tunnel packets have the address of the pod, or that of the node that connects to it
  const toPods = (allowed: readonly Traffic[]) =>
    podRoutes ? [...among(allowed), ...fromBlock(podCidr, allowed)] : [];
  return {
    members: different([
      ...among([...nodePorts, KUBELET, ...traffic(cniPorts)]),
      ...sshSources(cluster).flatMap((from) => among([SSH], from)),
      // nodes connect to each other by IPv4; by IPv6 the CNI connects their pods, and Services have their ports
      ...(ipv6 ? among([...nodePorts, ...traffic(cniPorts)], "members-ipv6") : []),
      ...(hasOwnBalancers ? apiRules : []),
      ...managementCidrs.flatMap((cidr) => fromBlock(cidr, published)),
      ...ingressRules.flatMap(({ ports, cidrs }) => cidrs.flatMap((cidr) => fromBlock(cidr, traffic(ports)))),
    ]),
    masters: different([
      ...among([ETCD], "masters"),
      ...(hasOwnBalancers ? [] : apiRules),
      ...toPods(POD_TRAFFIC_OF_MASTERS),
    ]),
    others: toPods(POD_TRAFFIC),
  };
}

/** The security group of the jump host. Undefined: no server of the cluster is one. */
export function jumpHostGroup({ jumpHost, pools }: ClusterPlan): "members" | "masters" | undefined {
  if (jumpHost?.kind !== "vnfc") return undefined;
  const pool = pools.find(({ servers }) => servers.some(({ key }) => key === jumpHost.vnfc));
  return pool?.role === "master" ? "masters" : "members";
}

/** Servers of the cluster that connect to others by SSH: the jump host, and masters that store snapshots on a worker. */
function sshSources(cluster: ClusterPlan): readonly ("members" | "masters")[] {
  const ofJumpHost = jumpHostGroup(cluster);
  return [
    ...(snapshotPlace(cluster).kind === "worker" ? ["masters" as const] : []),
    ...(ofJumpHost ? [ofJumpHost] : []),
  ];
}

/**
 * Rules of the storage server: SSH from the management networks, the jump host, and masters that store snapshots on it;
 * NFS 4 from the clients of its exports. Empty: the cluster has no storage server.
 */
export function storageIngress(cluster: ClusterPlan): IngressRule[] {
  const { storage, managementCidrs } = cluster;
  if (storage === undefined) return [];
  const ofJumpHost = jumpHostGroup(cluster);
  return different([
    ...(snapshotPlace(cluster).kind === "storage" ? among([SSH], "masters") : []),
    ...(ofJumpHost ? among([SSH], ofJumpHost) : []),
    ...managementCidrs.flatMap((cidr) => fromBlock(cidr, [SSH])),
    ...storage.exports.flatMap(({ to }) => fromBlock(to, [NFS])),
  ]);
}

/** Name of a rule, unique in its group, such as `udp-30000-32767-members` or `tcp-22-10.0.0.0/8`. */
export function ruleName({ protocol, ports, from }: IngressRule): string {
  return [protocol, ...new Set(ports ?? []), typeof from === "string" ? from : from.cidr].join("-");
}

/** Removes equal rules: Neutron refuses a rule that exists already. */
function different(rules: readonly IngressRule[]): IngressRule[] {
  return [...new Map(rules.map((rule) => [ruleName(rule), rule])).values()];
}

function among(
  allowed: readonly Traffic[],
  from: Exclude<IngressRule["from"], object> = "members",
): IngressRule[] {
  return allowed.map((one) => ({ ...one, from }));
}

function fromBlock(cidr: string, allowed: readonly Traffic[]): IngressRule[] {
  return allowed.map((one) => ({ ...one, from: { cidr } }));
}

function traffic(texts: readonly string[]): Traffic[] {
  return texts.map(parseTraffic).filter((one) => one !== undefined);
}

function tcp(first: number, last = first): Traffic {
  return { protocol: "tcp", ports: [first, last] };
}
