import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { parseAddress, parseCidr, type Cidr } from "../../base/net/cidr";
import type { PlannedNetwork, PlannedRouter, PlannedSubnet } from "../../plan/servers/model";
import { defaultGateway, defaultPool } from "../../base/net/subnet-problems";
import { networkId, routerId } from "./lookups";

/** A Neutron network with its subnets and their router, for a virtual link (SOL001 VnfVirtualLink). */
export class Network extends pulumi.ComponentResource {
  readonly networkId: pulumi.Output<string>;
  /** Id of the router of its subnets. Undefined: they have none. */
  readonly routerId: pulumi.Output<string> | undefined;
  /** Resources that connect its subnets with other networks, which floating IPs require. */
  readonly routed: readonly pulumi.Resource[];

  constructor(
    name: string,
    args: { readonly network: PlannedNetwork },
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super("vnfm:openstack:Network", name, {}, opts);
    const child = { parent: this };
    const { subnets: planned, mtu, vlanTransparent, dnsNameservers, router } = args.network;
    const network = new openstack.networking.Network(
      name,
      // not every cloud supports these fields
      { ...(mtu === undefined ? {} : { mtu }), ...(vlanTransparent ? { transparentVlan: true } : {}) },
      child,
    );
    const subnets = planned.map((subnet, i) => {
      const subnetName = i === 0 ? name : `${name}-${i + 1}`;
      return new openstack.networking.Subnet(
        subnetName,
        subnetArgs(network.id, subnet, { hasRouter: router !== undefined, dnsNameservers }),
        // while a router has the gateway's address, Neutron refuses to remove it from the subnet, and the engine
        // deletes last
        router === undefined ? { ...child, ignoreChanges: ["gatewayIp", "noGateway"] } : child,
      );
    });
    this.routerId = router && idOfRouter(name, router, child);
    this.routed = this.routerId === undefined ? [] : connectRouter(name, this.routerId, subnets, child);
    // a port gets its addresses at creation, so the subnets must exist
    this.networkId = pulumi.all([network.id, pulumi.all(subnets.map(({ id }) => id))]).apply(([id]) => id);
    this.registerOutputs({ networkId: this.networkId });
  }
}

/** Creates the router unless it exists. @returns its id */
function idOfRouter(
  name: string,
  planned: PlannedRouter,
  child: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  switch (planned.kind) {
    case "existing":
      return routerId(planned.router, child);
    case "made": {
      const externalNetworkId = networkId(planned.externalNetwork, child);
      return new openstack.networking.Router(name, { externalNetworkId }, child).id;
    }
  }
}

/** @returns the ports of a router in subnets */
function connectRouter(
  name: string,
  router: pulumi.Output<string>,
  subnets: readonly openstack.networking.Subnet[],
  child: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  return subnets.map((subnet, i) => {
    const interfaceName = i === 0 ? `${name}-router` : `${name}-router-${i + 1}`;
    return new openstack.networking.RouterInterface(
      interfaceName,
      { routerId: router, subnetId: subnet.id },
      child,
    );
  });
}

function subnetArgs(
  network: pulumi.Output<string>,
  subnet: PlannedSubnet,
  { hasRouter, dnsNameservers }: { hasRouter: boolean; dnsNameservers: readonly string[] },
): openstack.networking.SubnetArgs {
  const { cidr, gatewayIp, dhcpEnabled, ipv6AddressMode: mode } = subnet;
  const block = parseCidr(cidr);
  const version = block?.version ?? 4;
  const pools = poolsOf(subnet, block);
  const nameservers = dnsNameservers.filter((address) => parseAddress(address)?.version === version);
  return {
    networkId: network,
    cidr,
    ipVersion: version,
    enableDhcp: dhcpEnabled,
    ...gatewayArgs(gatewayIp, block, hasRouter),
    ...(mode === undefined ? {} : { ipv6AddressMode: mode, ipv6RaMode: mode }),
    ...(pools.length === 0 ? {} : { allocationPools: pools.map(({ start, end }) => ({ start, end })) }),
    ...(nameservers.length === 0 ? {} : { dnsNameservers: nameservers }),
  };
}

/**
 * The allocation pools of the VNFD or the stack config, else Neutron's default for a subnet with a router, which may be
 * added later.
 */
function poolsOf(
  { gatewayIp, ipAllocationPools: pools }: PlannedSubnet,
  block: Cidr | undefined,
): PlannedSubnet["ipAllocationPools"] {
  if (pools.length > 0 || gatewayIp !== undefined || block === undefined) return pools;
  const pool = defaultPool(block);
  return pool === undefined ? [] : [pool];
}

function gatewayArgs(gatewayIp: string | undefined, block: Cidr | undefined, hasRouter: boolean) {
  if (gatewayIp !== undefined) return { gatewayIp };
  // Neutron's default is the first address; without a router it would be a default route to nowhere. Neutron adds no
  // gateway to a subnet that was created without one
  if (!hasRouter) return { noGateway: true };
  return block === undefined ? {} : { gatewayIp: defaultGateway(block) };
}
