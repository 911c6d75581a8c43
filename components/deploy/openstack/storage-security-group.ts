import * as pulumi from "@pulumi/pulumi";
import { addRules, openGroup, type ClusterSecurityGroups } from "./cluster-security-group";
import { storageIngress } from "../../plan/kubeadm/ingress";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { PlannedServer } from "../../plan/servers/model";

export interface StorageSecurityGroupArgs {
  readonly cluster: ClusterPlan;
  readonly server: PlannedServer;
  /** The groups of the cluster's other servers, which the rules refer to. */
  readonly sources: Pick<ClusterSecurityGroups, "members" | "masters">;
}

/** The Neutron security group of a cluster's storage server. */
export class StorageSecurityGroup extends pulumi.ComponentResource {
  readonly securityGroupId: pulumi.Output<string>;

  constructor(name: string, args: StorageSecurityGroupArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:StorageSecurityGroup", name, {}, opts);
    const { cluster, server, sources } = args;
    const child = { parent: this };
    const group = openGroup(name, `storage server ${server.name}`, child);
    addRules(name, group, storageIngress(cluster), child, sources);
    this.securityGroupId = group.id;
    this.registerOutputs({ securityGroupId: this.securityGroupId });
  }
}
