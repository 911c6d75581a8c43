import { mustRun } from "./command";
import { OpenStack } from "./openstack";

interface Made {
  readonly id: string;
}

interface Router extends Made {
  readonly external_gateway_info: {
    readonly external_fixed_ips: readonly { readonly ip_address: string }[];
  };
}

/**
 * A network behind a router without NAT, and a route to it on this machine. The cloud's administrator creates it,
 * because other users may not disable NAT.
 */
export class RoutedNetwork {
  private constructor(
    readonly name: string,
    readonly cidr: string,
    readonly subnetId: string,
    private readonly cloud: OpenStack,
    private readonly network: Made,
    private readonly router: Router,
  ) {}

  /**
   * @param pool addresses for ports that name none, so that a test can name others. @default all of the CIDR
   * @param cidrOfIPv6 CIDR of a second subnet, without a gateway. @default no second subnet
   * @param project the project that owns the network. @default the administrator's, which shares it with all projects
   */
  static async create(
    name: string,
    cidr: string,
    {
      pool,
      cidrOfIPv6,
      project,
    }: {
      readonly pool?: { readonly start: string; readonly end: string };
      readonly cidrOfIPv6?: string;
      readonly project?: string;
    },
  ): Promise<RoutedNetwork> {
    const cloud = await OpenStack.connect("lab-admin");
    const neutron = <T>(path: string, body: object) => cloud.post<T>("network", `/v2.0/${path}`, body);
    const owner = project === undefined ? {} : { project_id: project };
    const { network } = await neutron<{ network: Made }>("networks", {
      network: { name, ...(project === undefined ? { shared: true } : owner) },
    });
    const { subnet } = await neutron<{ subnet: Made }>("subnets", {
      subnet: {
        name,
        network_id: network.id,
        ip_version: 4,
        cidr,
        ...(pool && { allocation_pools: [pool] }),
        ...owner,
      },
    });
    if (cidrOfIPv6 !== undefined)
      await neutron("subnets", {
        subnet: {
          name: `${name}-6`,
          network_id: network.id,
          ip_version: 6,
          cidr: cidrOfIPv6,
          gateway_ip: null,
        },
      });
    const external = { network_id: await cloud.networkId("public"), enable_snat: false };
    const { router } = await neutron<{ router: Router }>("routers", {
      router: { name, external_gateway_info: external },
    });
    await cloud.put("network", `/v2.0/routers/${router.id}/add_router_interface`, { subnet_id: subnet.id });
    await mustRun("ip", ["route", "replace", cidr, "via", gatewayOf(router)]);
    return new RoutedNetwork(name, cidr, subnet.id, cloud, network, router);
  }

  /** Address of the router on the external network. */
  get gateway(): string {
    return gatewayOf(this.router);
  }

  async remove(): Promise<void> {
    const { cloud, router, subnetId, network } = this;
    await mustRun("ip", ["route", "del", this.cidr, "via", gatewayOf(router)]);
    const interfaceOf = `/v2.0/routers/${router.id}/remove_router_interface`;
    await cloud.put("network", interfaceOf, { subnet_id: subnetId });
    await cloud.delete("network", `/v2.0/routers/${router.id}`);
    await cloud.delete("network", `/v2.0/networks/${network.id}`);
  }
}

function gatewayOf({ external_gateway_info: { external_fixed_ips } }: Router): string {
  const [address] = external_fixed_ips;
  if (address === undefined) throw new Error("the router has no address on the external network");
  return address.ip_address;
}
