import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { existingSubnet } from "../../plan/link";
import type { PlannedVirtualIp } from "../../plan/model";
import { floatingIp } from "./floating-ip";
import { portAddress } from "./port";
import type { VirtualLinks } from "./virtual-links";

export interface VirtualIpArgs {
  readonly virtualIp: PlannedVirtualIp;
  readonly virtualLinks: VirtualLinks;
}

/** An address that servers share, or a load balancer has. */
export interface SharedAddress {
  readonly address: pulumi.Output<string>;
  /** Undefined where the plan gives it none. */
  readonly floatingIp: pulumi.Output<string> | undefined;
}

/** An address that belongs to no server: a Neutron port of its own keeps it from being given out. */
export class VirtualIp extends pulumi.ComponentResource implements SharedAddress {
  readonly address: pulumi.Output<string>;
  readonly floatingIp: pulumi.Output<string> | undefined;

  constructor(name: string, args: VirtualIpArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:VirtualIp", name, {}, opts);
    const { connectionPoint, link, floatingNetwork } = args.virtualIp;
    const { virtualLinks } = args;
    const child = { parent: this };
    const subnetId = existingSubnet(link);
    const port = new openstack.networking.Port(
      name,
      {
        networkId: virtualLinks.networkId(link),
        ...(subnetId === undefined ? {} : { fixedIps: [{ subnetId }] }),
        adminStateUp: true,
      },
      child,
    );
    this.address = portAddress(port, connectionPoint);
    const floating = { floatingNetwork, portId: port.id, link, virtualLinks };
    this.floatingIp = floatingIp(`${name}-floating`, floating, child);
    this.registerOutputs({ address: this.address });
  }
}
