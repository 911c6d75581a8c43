import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import type { PlannedNetwork, PlannedSubnet } from "../../plan/model";

/** A Neutron network with its subnets, for an internal virtual link (SOL001 VnfVirtualLink). */
export class Network extends pulumi.ComponentResource {
  readonly networkId: pulumi.Output<string>;

  constructor(
    name: string,
    args: { readonly network: PlannedNetwork },
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super("vnfm:openstack:Network", name, {}, opts);
    const child = { parent: this };
    const { subnets: planned, mtu, vlanTransparent } = args.network;
    const network = new openstack.networking.Network(
      name,
      // not each cloud can do it, and knows the word
      { ...(mtu === undefined ? {} : { mtu }), ...(vlanTransparent ? { transparentVlan: true } : {}) },
      child,
    );
    const subnets = planned.map((subnet, i) => {
      const subnetName = i === 0 ? name : `${name}-${i + 1}`;
      return new openstack.networking.Subnet(subnetName, subnetArgs(network, subnet), child);
    });
    // a port asks for its addresses at creation, so the subnets must be there
    this.networkId = pulumi.all([network.id, pulumi.all(subnets.map(({ id }) => id))]).apply(([id]) => id);
    this.registerOutputs({ networkId: this.networkId });
  }
}

function subnetArgs(
  network: openstack.networking.Network,
  subnet: PlannedSubnet,
): openstack.networking.SubnetArgs {
  const { cidr, gatewayIp, dhcpEnabled, ipv6AddressMode: mode, ipAllocationPools: pools } = subnet;
  return {
    networkId: network.id,
    cidr,
    ipVersion: cidr.includes(":") ? 6 : 4,
    enableDhcp: dhcpEnabled,
    // without a router of ours a gateway would be a default route to nowhere
    ...(gatewayIp === undefined ? { noGateway: true } : { gatewayIp }),
    ...(mode === undefined ? {} : { ipv6AddressMode: mode, ipv6RaMode: mode }),
    ...(pools.length === 0 ? {} : { allocationPools: pools.map(({ start, end }) => ({ start, end })) }),
  };
}
