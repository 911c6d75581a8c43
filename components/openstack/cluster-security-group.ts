import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { SSH_PORT } from "../kubernetes/haproxy-config";
import { API_SERVER_PORT } from "../plan/api";
import type { ClusterPlan } from "../plan/model";

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
    // a sole master leaves its copy on a worker; a load balancer passes SSH on to the masters
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
    ...(cluster.api.kind === "master" ? [] : balancerIngress(cluster, cluster.api.port)),
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
      ...managementCidrs.map((cidr) => from(cidr, "balanced-ssh", SSH_PORT)),
    ];
  }
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
  // Neutron deletes the rules with their group; one by one, the plugin waits five seconds for each
  const opts = { ...child, deletedWith: group };
  for (const rule of rules) {
    new openstack.networking.SecGroupRule(
      `${name}-${rule.name}`,
      {
        securityGroupId: group.id,
        direction: "ingress",
        ethertype: rule.from !== "members" && rule.from.cidr.includes(":") ? "IPv6" : "IPv4",
        protocol: rule.protocol,
        ...(rule.ports === undefined ? {} : { portRangeMin: rule.ports[0], portRangeMax: rule.ports[1] }),
        ...(rule.from === "members" ? { remoteGroupId: group.id } : { remoteIpPrefix: rule.from.cidr }),
      },
      opts,
    );
  }
}
