import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../plan/model";

/** One allowed kind of incoming traffic: from an address block, or from the members of the group. */
export interface IngressRule {
  readonly name: string;
  readonly protocol: "tcp" | "udp";
  readonly first: number;
  readonly last: number;
  readonly from: { readonly cidr: string } | "members";
}

/**
 * The ports a kubeadm cluster needs, and no others
 * (https://kubernetes.io/docs/reference/networking/ports-and-protocols/).
 */
export function clusterIngress(cluster: ClusterPlan): IngressRule[] {
  const among = (name: string, protocol: "tcp" | "udp", first: number, last = first): IngressRule => {
    return { name, protocol, first, last, from: "members" };
  };
  return [
    among("api-members", "tcp", 6443),
    among("etcd", "tcp", 2379, 2380),
    among("kubelet", "tcp", 10250),
    among("node-ports-members", "tcp", 30000, 32767),
    ...cluster.cniPorts.map((text) => {
      const [protocol, port] = text.split("/");
      return among(`cni-${protocol}-${port}`, protocol === "udp" ? "udp" : "tcp", Number(port));
    }),
    ...cluster.managementCidrs.flatMap((cidr) => [
      { name: `ssh-${cidr}`, protocol: "tcp" as const, first: 22, last: 22, from: { cidr } },
      { name: `api-${cidr}`, protocol: "tcp" as const, first: 6443, last: 6443, from: { cidr } },
      { name: `node-ports-${cidr}`, protocol: "tcp" as const, first: 30000, last: 32767, from: { cidr } },
    ]),
  ];
}

/** The Neutron security group of a cluster's nodes. */
export class ClusterSecurityGroup extends pulumi.ComponentResource {
  readonly securityGroupId: pulumi.Output<string>;

  constructor(name: string, args: { readonly cluster: ClusterPlan }, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:ClusterSecurityGroup", name, {}, opts);
    const child = { parent: this };
    const group = new openstack.networking.SecGroup(
      name,
      { description: `nodes of ${args.cluster.vimName}` },
      child,
    );
    addRules(name, group, clusterIngress(args.cluster), child);
    this.securityGroupId = group.id;
    this.registerOutputs({ securityGroupId: this.securityGroupId });
  }
}

/** Lets a security group's members be reached as the rules say. */
export function addRules(
  name: string,
  group: openstack.networking.SecGroup,
  rules: readonly IngressRule[],
  child: pulumi.CustomResourceOptions,
): void {
  for (const rule of rules) {
    new openstack.networking.SecGroupRule(
      `${name}-${rule.name}`,
      {
        securityGroupId: group.id,
        direction: "ingress",
        ethertype: rule.from !== "members" && rule.from.cidr.includes(":") ? "IPv6" : "IPv4",
        protocol: rule.protocol,
        portRangeMin: rule.first,
        portRangeMax: rule.last,
        ...(rule.from === "members" ? { remoteGroupId: group.id } : { remoteIpPrefix: rule.from.cidr }),
      },
      child,
    );
  }
}
