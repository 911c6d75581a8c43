import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import type { PlannedVirtualIp } from "../../plan/model";
import { portAddress } from "./node";
import type { VirtualLinks } from "./virtual-links";

export interface VirtualIpArgs {
  readonly virtualIp: PlannedVirtualIp;
  readonly virtualLinks: VirtualLinks;
}

/** An address that belongs to no server: a Neutron port of its own keeps it from being given out. */
export class VirtualIp extends pulumi.ComponentResource {
  readonly address: pulumi.Output<string>;

  constructor(name: string, args: VirtualIpArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:VirtualIp", name, {}, opts);
    const { connectionPoint, link } = args.virtualIp;
    const subnetId = "external" in link ? link.external.subnet : undefined;
    const port = new openstack.networking.Port(
      name,
      {
        networkId: args.virtualLinks.networkId(link),
        ...(subnetId === undefined ? {} : { fixedIps: [{ subnetId }] }),
        adminStateUp: true,
      },
      { parent: this },
    );
    this.address = portAddress(port, connectionPoint);
    this.registerOutputs({ address: this.address });
  }
}
