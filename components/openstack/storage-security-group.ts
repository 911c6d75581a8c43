import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import type { StoragePlan } from "../plan/model";
import { addRules, type IngressRule } from "./cluster-security-group";

const NFS_PORT = 2049;

export interface StorageSecurityGroupArgs {
  readonly storage: StoragePlan;
  /** Who may reach SSH. */
  readonly managementCidrs: readonly string[];
}

/** SSH from the management networks, NFS 4 from where something is exported to. */
export function storageIngress({ storage, managementCidrs }: StorageSecurityGroupArgs): IngressRule[] {
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

/** The Neutron security group of a cluster's storage server. */
export class StorageSecurityGroup extends pulumi.ComponentResource {
  readonly securityGroupId: pulumi.Output<string>;

  constructor(name: string, args: StorageSecurityGroupArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:StorageSecurityGroup", name, {}, opts);
    const child = { parent: this };
    const description = `storage server ${args.storage.server.name}`;
    const group = new openstack.networking.SecGroup(name, { description }, child);
    addRules(name, group, storageIngress(args), child);
    this.securityGroupId = group.id;
    this.registerOutputs({ securityGroupId: this.securityGroupId });
  }
}
