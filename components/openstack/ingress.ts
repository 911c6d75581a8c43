import { API_SERVER_PORT } from "../plan/api";
import type { ClusterPlan, StoragePlan } from "../plan/model";

const NFS_PORT = 2049;

/** One allowed kind of incoming traffic: from an address block, or from the members of the group. */
export interface IngressRule {
  readonly name: string;
  readonly protocol: "tcp" | "udp" | "vrrp";
  /** Absent for a protocol without ports. */
  readonly ports?: readonly [first: number, last: number];
  readonly from: { readonly cidr: string } | "members";
}

/**
 * The ports a kubeadm cluster needs, and no others
 * (https://kubernetes.io/docs/reference/networking/ports-and-protocols/).
 */
export function clusterIngress(cluster: ClusterPlan): IngressRule[] {
  const among = (name: string, protocol: "tcp" | "udp", first: number, last = first): IngressRule => {
    return { name, protocol, ports: [first, last], from: "members" };
  };
  const from = (cidr: string, name: string, first: number, last = first): IngressRule => {
    return { name: `${name}-${cidr}`, protocol: "tcp", ports: [first, last], from: { cidr } };
  };
  const rules = [
    // a sole master leaves its copy on a worker
    among("ssh-members", "tcp", 22),
    among("api-members", "tcp", API_SERVER_PORT),
    among("etcd", "tcp", 2379, 2380),
    among("kubelet", "tcp", 10250),
    among("node-ports-members", "tcp", 30000, 32767),
    ...cluster.managementCidrs.flatMap((cidr) => [
      from(cidr, "ssh", 22),
      from(cidr, "api", API_SERVER_PORT),
      from(cidr, "node-ports", 30000, 32767),
    ]),
    ...(cluster.api.kind === "haproxy" ? balancerIngress(cluster, cluster.api.port) : []),
  ];
  const cni = cluster.cniPorts.map((text) => {
    const [protocol, port] = text.split("/");
    return among(`cni-${protocol}-${port}`, protocol === "udp" ? "udp" : "tcp", Number(port));
  });
  const what = (rule: IngressRule) => JSON.stringify([rule.protocol, rule.ports, rule.from]);
  // Neutron refuses a rule that it has already
  return [...rules, ...cni.filter((rule) => !rules.map(what).includes(what(rule)))];

  function balancerIngress({ managementCidrs }: ClusterPlan, apiPort: number): IngressRule[] {
    return [
      { name: "vrrp", protocol: "vrrp", from: "members" },
      ...(apiPort === API_SERVER_PORT
        ? []
        : [
            among("balanced-api-members", "tcp", apiPort),
            ...managementCidrs.map((cidr) => from(cidr, "balanced-api", apiPort)),
          ]),
    ];
  }
}

export interface StorageIngressArgs {
  readonly storage: StoragePlan;
  /** Who may reach SSH. */
  readonly managementCidrs: readonly string[];
}

/** SSH from the management networks, NFS 4 from where something is exported to. */
export function storageIngress({ storage, managementCidrs }: StorageIngressArgs): IngressRule[] {
  const clients = [...new Set(storage.exports.map(({ to }) => to))];
  const from = (name: string, port: number) => (cidr: string) => {
    return {
      name: `${name}-${cidr}`,
      protocol: "tcp" as const,
      ports: [port, port] as const,
      from: { cidr },
    };
  };
  return [...managementCidrs.map(from("ssh", 22)), ...clients.map(from("nfs", NFS_PORT))];
}
