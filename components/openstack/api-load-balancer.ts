import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import { API_SERVER_PORT } from "../plan/api";
import type { ApiPlan } from "../plan/model";
import type { VirtualLinks } from "./virtual-links";

export interface ApiLoadBalancerArgs {
  readonly api: Extract<ApiPlan, { kind: "octavia" }>;
  readonly virtualLinks: VirtualLinks;
  /** Addresses of the masters. */
  readonly masters: readonly pulumi.Input<string>[];
  /** From where anybody reaches the API. */
  readonly managementCidrs: readonly string[];
  /** Of the masters. */
  readonly securityGroupId: pulumi.Input<string>;
}

/** Octavia in front of the Kubernetes API: TCP to each master that takes connections. */
export class ApiLoadBalancer extends pulumi.ComponentResource {
  /** Known once the masters are behind it. */
  readonly address: pulumi.Output<string>;

  constructor(name: string, args: ApiLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:ApiLoadBalancer", name, {}, opts);
    const child = { parent: this };
    const { link } = args.api.virtualIp;
    const { provider, port } = args.api;
    const subnetId = "external" in link ? link.external.subnet : undefined;
    const balancer = new openstack.loadbalancer.LoadBalancer(
      name,
      {
        ...(subnetId === undefined
          ? { vipNetworkId: args.virtualLinks.networkId(link) }
          : { vipSubnetId: subnetId }),
        ...(provider === undefined ? {} : { loadbalancerProvider: provider }),
      },
      child,
    );
    // from the address itself where a master reaches itself through it, else from where the provider forwards
    const subnet = openstack.networking.getSubnetOutput({ subnetId: balancer.vipSubnetId }, child);
    new openstack.networking.SecGroupRule(
      `${name}-balanced`,
      {
        securityGroupId: args.securityGroupId,
        direction: "ingress",
        ethertype: subnet.ipVersion.apply((version) => (version === 6 ? "IPv6" : "IPv4")),
        protocol: "tcp",
        portRangeMin: API_SERVER_PORT,
        portRangeMax: API_SERVER_PORT,
        // Neutron refuses a rule that it has already
        remoteIpPrefix: pulumi
          .all([subnet.cidr, balancer.vipAddress])
          .apply(([cidr, vip]) =>
            args.managementCidrs.includes(cidr) ? `${vip}/${vip.includes(":") ? 128 : 32}` : cidr,
          ),
      },
      child,
    );
    const listener = new openstack.loadbalancer.Listener(
      `${name}-api`,
      { loadbalancerId: balancer.id, protocol: "TCP", protocolPort: port },
      child,
    );
    const pool = new openstack.loadbalancer.Pool(
      `${name}-masters`,
      // the one algorithm of the provider ovn
      {
        listenerId: listener.id,
        protocol: "TCP",
        lbMethod: provider === "ovn" ? "SOURCE_IP_PORT" : "ROUND_ROBIN",
      },
      child,
    );
    const members = new openstack.loadbalancer.Members(
      `${name}-members`,
      {
        poolId: pool.id,
        members: args.masters.map((address) => ({
          address,
          protocolPort: API_SERVER_PORT,
          subnetId: balancer.vipSubnetId,
        })),
      },
      child,
    );
    const monitor = new openstack.loadbalancer.Monitor(
      `${name}-alive`,
      { poolId: pool.id, type: "TCP", delay: 3, timeout: 2, maxRetries: 2, maxRetriesDown: 3 },
      // the load balancer takes one change at a time
      { ...child, dependsOn: [members] },
    );
    this.address = after(monitor, balancer.vipAddress);
    this.registerOutputs({ address: this.address });
  }
}
