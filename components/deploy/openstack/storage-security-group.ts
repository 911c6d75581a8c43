import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { addRules } from "./cluster-security-group";
import { storageIngress, type StorageIngressArgs } from "./ingress";

/** The Neutron security group of a cluster's storage server. */
export class StorageSecurityGroup extends pulumi.ComponentResource {
  readonly securityGroupId: pulumi.Output<string>;

  constructor(name: string, args: StorageIngressArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:StorageSecurityGroup", name, {}, opts);
    const child = { parent: this };
    const description = `storage server ${args.storage.server.name}`;
    const group = new openstack.networking.SecGroup(name, { description }, child);
    addRules(name, group, storageIngress(args), child);
    this.securityGroupId = group.id;
    this.registerOutputs({ securityGroupId: this.securityGroupId });
  }
}
