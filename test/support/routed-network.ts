import { mustRun } from "./command";
import type { OpenStack } from "./openstack";

interface Made {
  readonly id: string;
}

interface Router extends Made {
  readonly external_gateway_info: {
    readonly external_fixed_ips: readonly { readonly ip_address: string }[];
  };
}

/** A network of the project's own behind a router, and a route to it from this machine: no floating IPs needed. */
export class RoutedNetwork {
  private constructor(
    readonly name: string,
    readonly cidr: string,
    private readonly cloud: OpenStack,
    private readonly network: Made,
    private readonly subnet: Made,
    private readonly router: Router,
  ) {}

  static async create(cloud: OpenStack, name: string, cidr: string): Promise<RoutedNetwork> {
    const neutron = <T>(path: string, body: object) => cloud.post<T>("network", `/v2.0/${path}`, body);
    const { networks } = await cloud.get<{ networks: Made[] }>("network", "/v2.0/networks?name=public");
    const { network } = await neutron<{ network: Made }>("networks", { network: { name } });
    const { subnet } = await neutron<{ subnet: Made }>("subnets", {
      subnet: { name, network_id: network.id, ip_version: 4, cidr },
    });
    const { router } = await neutron<{ router: Router }>("routers", {
      router: { name, external_gateway_info: { network_id: networks[0]?.id } },
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
