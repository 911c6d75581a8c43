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
 * A shared network behind a router that translates no addresses, and a route to it from this machine. The cloud's
 * administrator has made it: others may not leave out the translation. It has a subnet of IPv6 too, without a gateway.
 */
export class RoutedNetwork {
  private constructor(
    readonly name: string,
    readonly cidr: string,
    private readonly cloud: OpenStack,
    private readonly network: Made,
    private readonly subnet: Made,
    private readonly router: Router,
  ) {}

  static async create(name: string, cidr: string, cidrOfIPv6: string): Promise<RoutedNetwork> {
    const cloud = await OpenStack.connect("lab-admin");
    const neutron = <T>(path: string, body: object) => cloud.post<T>("network", `/v2.0/${path}`, body);
    const { networks } = await cloud.get<{ networks: Made[] }>("network", "/v2.0/networks?name=public");
    const { network } = await neutron<{ network: Made }>("networks", {
      network: { name, shared: true },
    });
    const { subnet } = await neutron<{ subnet: Made }>("subnets", {
      subnet: { name, network_id: network.id, ip_version: 4, cidr },
    });
    await neutron("subnets", {
      subnet: {
        name: `${name}-6`,
        network_id: network.id,
        ip_version: 6,
        cidr: cidrOfIPv6,
        gateway_ip: null,
      },
    });
    const { router } = await neutron<{ router: Router }>("routers", {
      router: { name, external_gateway_info: { network_id: networks[0]?.id, enable_snat: false } },
    });
    await cloud.put("network", `/v2.0/routers/${router.id}/add_router_interface`, { subnet_id: subnet.id });
    await mustRun("ip", ["route", "replace", cidr, "via", gatewayOf(router)]);
    return new RoutedNetwork(name, cidr, cloud, network, subnet, router);
  }

  async remove(): Promise<void> {
    const { cloud, router, subnet, network } = this;
    await mustRun("ip", ["route", "del", this.cidr, "via", gatewayOf(router)]);
    const interfaceOf = `/v2.0/routers/${router.id}/remove_router_interface`;
    await cloud.put("network", interfaceOf, { subnet_id: subnet.id });
    await cloud.delete("network", `/v2.0/routers/${router.id}`);
    await cloud.delete("network", `/v2.0/networks/${network.id}`);
  }
}

function gatewayOf({ external_gateway_info: { external_fixed_ips } }: Router): string {
  const [address] = external_fixed_ips;
  if (address === undefined) throw new Error("the router has no address on the external network");
  return address.ip_address;
}
