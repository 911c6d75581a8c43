import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { Role } from "../../plan/servers/model";
import { clusterIngress, ruleName, type IngressRule } from "../../plan/kubeadm/ingress";

/** The Neutron security groups of a cluster's servers: one for all of them, and others by role. */
export class ClusterSecurityGroups extends pulumi.ComponentResource {
  /** The group of all servers except the storage server. */
  readonly members: openstack.networking.SecGroup;
  readonly masters: openstack.networking.SecGroup;
  readonly #others: openstack.networking.SecGroup | undefined;

  constructor(name: string, args: { readonly cluster: ClusterPlan }, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:ClusterSecurityGroups", name, {}, opts);
    const child = { parent: this };
    const { vimName } = args.cluster;
    const rules = clusterIngress(args.cluster);
    const group = (of: string, what: string) =>
      new openstack.networking.SecGroup(of, { description: `${what} of ${vimName}` }, child);
    this.members = openGroup(name, `servers of ${vimName}`, child);
    this.masters = group(`${name}-masters`, "masters");
    this.#others =
      rules.others.length === 0 ? undefined : group(`${name}-others`, "workers and load balancers");
    const sources = { members: this.members, masters: this.masters };
    addRules(name, this.members, rules.members, child, sources);
    addRules(`${name}-masters`, this.masters, rules.masters, child, sources);
    if (this.#others) addRules(`${name}-others`, this.#others, rules.others, child, sources);
    this.registerOutputs({ securityGroupId: this.members.id });
  }

  /** @param role undefined for a server of the instance that is not part of the cluster */
  idsOf(role: Exclude<Role, "storage"> | undefined): pulumi.Output<string>[] {
    const own = role === "master" ? this.masters : this.#others;
    return [this.members, ...(own === undefined ? [] : [own])].map(({ id }) => id);
  }
}

/** The groups that rules refer to as sources. */
type Sources = Readonly<Record<"members" | "masters", openstack.networking.SecGroup>>;

/**
 * Creates a security group with its own rules for all egress. The rules that Neutron adds to new groups are configured
 * by the cloud's operator, and may allow none. One such group per server suffices.
 */
export function openGroup(
  name: string,
  description: string,
  child: pulumi.CustomResourceOptions,
): openstack.networking.SecGroup {
  // Neutron refuses a rule that it has already
  const group = new openstack.networking.SecGroup(name, { description, deleteDefaultRules: true }, child);
  for (const ethertype of ["IPv4", "IPv6"])
    new openstack.networking.SecGroupRule(
      `${name}-egress-${ethertype.toLowerCase()}`,
      { securityGroupId: group.id, direction: "egress", ethertype },
      { ...child, deletedWith: group },
    );
  return group;
}

/**
 * Adds ingress rules to a security group.
 * @param sources groups of rules for servers of a cluster. @default the group itself
 */
export function addRules(
  name: string,
  group: openstack.networking.SecGroup,
  rules: readonly IngressRule[],
  child: pulumi.CustomResourceOptions,
  sources: Sources = { members: group, masters: group },
): void {
  // Neutron deletes the rules with their group; deleted one by one, each would be a request
  const opts = { ...child, deletedWith: group };
  for (const rule of rules) {
    const { from } = rule;
    const isIpv6 = typeof from === "string" ? from === "members-ipv6" : from.cidr.includes(":");
    const ethertype = isIpv6 ? "IPv6" : "IPv4";
    new openstack.networking.SecGroupRule(
      `${name}-${ruleName(rule)}`,
      {
        securityGroupId: group.id,
        direction: "ingress",
        ethertype,
        // Neutron reports this name for any spelling
        protocol: rule.protocol === "icmp" && ethertype === "IPv6" ? "ipv6-icmp" : rule.protocol,
        ...(rule.ports === undefined ? {} : { portRangeMin: rule.ports[0], portRangeMax: rule.ports[1] }),
        ...(typeof from === "string"
          ? { remoteGroupId: sources[from === "masters" ? "masters" : "members"].id }
          : { remoteIpPrefix: from.cidr }),
      },
      opts,
    );
  }
}
