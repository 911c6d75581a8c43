import { API_SERVER_PORT } from "./api";
import type { ClusterPlan, StoragePlan } from "./model";
import { parseTraffic, type Traffic } from "../../traffic";

/** One allowed kind of incoming traffic: from an address block, or from the members of the group. */
export interface IngressRule extends Traffic {
  /** The members by their addresses of IPv4, or of IPv6. */
  readonly from: { readonly cidr: string } | "members" | "members-ipv6";
}

const SSH = tcp(22);
const KUBE_APISERVER = tcp(API_SERVER_PORT);
const ETCD = tcp(2379, 2380);
const KUBELET = tcp(10250);
const NFS = tcp(2049);
/** The default range of node ports, for every protocol that a Service may have. */
const NODE_PORTS: readonly Traffic[] = ["tcp", "udp", "sctp"].map((protocol) => ({
  protocol,
  ports: [30000, 32767],
}));

/** What Services and probes of Kubernetes know, on any port. */
const POD_TRAFFIC: readonly Traffic[] = ["tcp", "udp", "sctp", "icmp"].map((protocol) => ({ protocol }));

/**
 * The ports a kubeadm cluster needs (https://kubernetes.io/docs/reference/networking/ports-and-protocols/), what the
 * operator has added, and nothing else.
 */
export function clusterIngress(cluster: ClusterPlan): IngressRule[] {
  const { api, cniPorts, managementCidrs, ingressRules, ipv6, podRoutes, podCidr } = cluster;
  const published = [SSH, KUBE_APISERVER, ...NODE_PORTS, ...(api.kind === "haproxy" ? [tcp(api.port)] : [])];
  return different([
    // SSH, because a sole master leaves its copy on a worker
    ...among([...published, ETCD, KUBELET, ...traffic(cniPorts)]),
    ...(api.kind === "haproxy" ? among([{ protocol: "vrrp" }]) : []),
    // nodes speak to each other by IPv4; by IPv6 the CNI has their pods do so, and Services have their ports
    ...(ipv6 ? among([...NODE_PORTS, ...traffic(cniPorts)], "members-ipv6") : []),
    // without a tunnel packets have the address of the pod, or that of the node that asks one
    ...(podRoutes ? [...among(POD_TRAFFIC), ...fromBlock(podCidr, POD_TRAFFIC)] : []),
    ...managementCidrs.flatMap((cidr) => fromBlock(cidr, published)),
    ...ingressRules.flatMap(({ ports, cidrs }) => cidrs.flatMap((cidr) => fromBlock(cidr, traffic(ports)))),
  ]);
}

/** From where kube-apiserver may be reached, besides the members of the group. */
export function apiClients(cluster: ClusterPlan): string[] {
  const isOfApi = (rule: IngressRule) => nameOf(rule) === nameOf({ ...KUBE_APISERVER, from: rule.from });
  return clusterIngress(cluster).flatMap((rule) =>
    typeof rule.from !== "string" && isOfApi(rule) ? [rule.from.cidr] : [],
  );
}

export interface StorageIngressArgs {
  readonly storage: StoragePlan;
  /** Who may reach SSH. */
  readonly managementCidrs: readonly string[];
}

/** SSH from the management networks, NFS 4 from where something is exported to. */
export function storageIngress({ storage, managementCidrs }: StorageIngressArgs): IngressRule[] {
  return different([
    ...managementCidrs.flatMap((cidr) => fromBlock(cidr, [SSH])),
    ...storage.exports.flatMap(({ to }) => fromBlock(to, [NFS])),
  ]);
}

/** What a rule lets in, as `udp-30000-32767-members` or `tcp-22-10.0.0.0/8`: no other rule of the group has it. */
export function nameOf({ protocol, ports, from }: IngressRule): string {
  return [protocol, ...new Set(ports ?? []), typeof from === "string" ? from : from.cidr].join("-");
}

/** Neutron refuses a rule that it has already. */
function different(rules: readonly IngressRule[]): IngressRule[] {
  return [...new Map(rules.map((rule) => [nameOf(rule), rule])).values()];
}

function among(allowed: readonly Traffic[], from: "members" | "members-ipv6" = "members"): IngressRule[] {
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
