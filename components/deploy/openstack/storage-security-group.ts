import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { addRules, openGroup } from "./cluster-security-group";
import { storageIngress, type StorageIngressArgs } from "../../plan/kubeadm/ingress";

export interface StorageSecurityGroupArgs extends StorageIngressArgs {
  /** Security group of the jump host for SSH. @default none */
  readonly jumpHostGroupId?: pulumi.Input<string> | undefined;
}

/** The Neutron security group of a cluster's storage server. */
export class StorageSecurityGroup extends pulumi.ComponentResource {
  readonly securityGroupId: pulumi.Output<string>;

  constructor(name: string, args: StorageSecurityGroupArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:StorageSecurityGroup", name, {}, opts);
    const child = { parent: this };
    const group = openGroup(name, `storage server ${args.storage.server.name}`, child);
    addRules(name, group, storageIngress(args), child);
    if (args.jumpHostGroupId !== undefined) {
      new openstack.networking.SecGroupRule(
        `${name}-tcp-22-jump-host`,
        {
          ...{ securityGroupId: group.id, direction: "ingress", ethertype: "IPv4", protocol: "tcp" },
          ...{ portRangeMin: 22, portRangeMax: 22, remoteGroupId: args.jumpHostGroupId },
        },
        { ...child, deletedWith: group },
      );
    }
    this.securityGroupId = group.id;
    this.registerOutputs({ securityGroupId: this.securityGroupId });
  }
}
