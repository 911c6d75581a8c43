import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import type { PlannedNetwork } from "../plan/model";

/** A Neutron network with its subnet, for an internal virtual link (SOL001 VnfVirtualLink). */
export class Network extends pulumi.ComponentResource {
  readonly networkId: pulumi.Output<string>;

  constructor(
    name: string,
    args: { readonly network: PlannedNetwork },
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super("vnfm:openstack:Network", name, {}, opts);
    const child = { parent: this };
    const { cidr, gatewayIp, dhcpEnabled } = args.network;
    const network = new openstack.networking.Network(name, {}, child);
    const subnet = new openstack.networking.Subnet(
      name,
      {
        networkId: network.id,
        cidr,
        ipVersion: cidr.includes(":") ? 6 : 4,
        enableDhcp: dhcpEnabled,
        // without a router of ours a gateway would be a default route to nowhere
        ...(gatewayIp === undefined ? { noGateway: true } : { gatewayIp }),
      },
      child,
    );
    // a port asks for its addresses at creation, so the subnet must be there
    this.networkId = pulumi.all([network.id, subnet.id]).apply(([id]) => id);
    this.registerOutputs({ networkId: this.networkId });
  }
}
