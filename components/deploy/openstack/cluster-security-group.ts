import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { clusterIngress, nameOf, type IngressRule } from "../../plan/kubeadm/ingress";

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
  // Neutron deletes the rules with their group; one by one, each is a request more
  const opts = { ...child, deletedWith: group };
  for (const rule of rules) {
    const { from } = rule;
    const isIpv6 = typeof from === "string" ? from === "members-ipv6" : from.cidr.includes(":");
    const ethertype = isIpv6 ? "IPv6" : "IPv4";
    new openstack.networking.SecGroupRule(
      `${name}-${nameOf(rule)}`,
      {
        securityGroupId: group.id,
        direction: "ingress",
        ethertype,
        // Neutron answers so whatever it was asked for
        protocol: rule.protocol === "icmp" && ethertype === "IPv6" ? "ipv6-icmp" : rule.protocol,
        ...(rule.ports === undefined ? {} : { portRangeMin: rule.ports[0], portRangeMax: rule.ports[1] }),
        ...(typeof from === "string" ? { remoteGroupId: group.id } : { remoteIpPrefix: from.cidr }),
      },
      opts,
    );
  }
}
