import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import { ipAddress } from "../../base/net/cidr";
import { API_SERVER_PORT } from "../../kube/cluster/control-plane";
import { API_IDLE_LIMIT_SECONDS } from "../../plan/kubeadm/api";
import { existingSubnet } from "../../plan/link";
import type { ApiPlan } from "../../plan/kubeadm/model";
import { withoutStackTrace } from "../run-error";
import { floatingIp } from "./floating-ip";
import { inRelease } from "./provider-release";
import { keptAddresses, type SharedAddress } from "./virtual-ip";
import type { VirtualLinks } from "./virtual-links";

export interface ApiLoadBalancerArgs {
  readonly api: Extract<ApiPlan, { kind: "octavia" }>;
  readonly virtualLinks: VirtualLinks;
  /** The master on which the cluster is bootstrapped. */
  readonly first: BalancedMaster;
  /** CIDRs that the masters' security group allows to connect to kube-apiserver already. */
  readonly apiClients: readonly string[];
  /** Security group of the masters. */
  readonly securityGroupId: pulumi.Input<string>;
}

export interface BalancedMaster {
  /** Key of the server, unique in its VNF instance. */
  readonly key: string;
  readonly address: pulumi.Input<string>;
}

/**
 * Octavia in front of the Kubernetes API: TCP to each master that accepts connections. A driver may treat a master as
 * healthy before its first check, so masters become members once they are in the cluster.
 */
export class ApiLoadBalancer extends pulumi.ComponentResource implements SharedAddress {
  /** Address of the API, known once the first master is a member. */
  readonly address: pulumi.Output<string>;
  readonly floatingIp: pulumi.Output<string> | undefined;
  readonly #name: string;
  readonly #pool: openstack.loadbalancer.Pool;
  readonly #subnetId: pulumi.Output<string>;

  constructor(name: string, args: ApiLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:openstack:ApiLoadBalancer", name, {}, opts);
    const child = { parent: this };
    const { virtualIp } = args.api;
    const { link, floatingNetwork, fixedAddresses } = virtualIp;
    const [vipAddress] = fixedAddresses;
    const { virtualLinks } = args;
    const { provider, port } = args.api;
    const subnetId = existingSubnet(link);
    const balancer = new openstack.loadbalancer.LoadBalancer(
      name,
      {
        ...(subnetId === undefined
          ? { vipNetworkId: virtualLinks.networkId(link) }
          : { vipSubnetId: subnetId }),
        ...(vipAddress !== undefined && { vipAddress }),
        ...(provider === undefined ? {} : { loadbalancerProvider: provider }),
      },
      // a new address would mean a new load balancer, which no client would find
      { ...child, ignoreChanges: ["vipAddress", "vipSubnetId"] },
    );
    const current = balancer.vipAddress.apply((text) =>
      withoutStackTrace(() => [ipAddress(text, `load balancer ${name}`)]),
    );
    const address = keptAddresses(name, virtualIp, current).apply(([sole = ""]) => sole);
    // the source is the address itself if a master connects to itself through it, else the provider's
    const subnet = openstack.networking.getSubnetOutput({ subnetId: balancer.vipSubnetId }, inRelease(child));
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
          .all([subnet.cidr, address])
          .apply(([cidr, vip]) =>
            args.apiClients.includes(cidr) ? `${vip}/${vip.includes(":") ? 128 : 32}` : cidr,
          ),
      },
      child,
    );
    const listener = new openstack.loadbalancer.Listener(
      `${name}-api`,
      {
        loadbalancerId: balancer.id,
        protocol: "TCP",
        protocolPort: port,
        // in milliseconds; 50 s by default. The provider ovn accepts and ignores them: it only forwards packets
        timeoutClientData: API_IDLE_LIMIT_SECONDS * 1000,
        timeoutMemberData: API_IDLE_LIMIT_SECONDS * 1000,
      },
      child,
    );
    const pool = new openstack.loadbalancer.Pool(
      `${name}-masters`,
      // the only algorithm of the provider ovn
      {
        listenerId: listener.id,
        protocol: "TCP",
        lbMethod: provider === "ovn" ? "SOURCE_IP_PORT" : "ROUND_ROBIN",
      },
      child,
    );
    this.#name = name;
    this.#pool = pool;
    this.#subnetId = balancer.vipSubnetId;
    const first = this.forwardTo(args.first);
    const monitor = new openstack.loadbalancer.Monitor(
      `${name}-alive`,
      { poolId: pool.id, type: "TCP", delay: 3, timeout: 2, maxRetries: 2, maxRetriesDown: 3 },
      // a load balancer accepts one change at a time
      { ...child, dependsOn: [first] },
    );
    this.address = after(monitor, address);
    const floating = { floatingNetwork, portId: balancer.vipPortId, link, virtualLinks };
    this.floatingIp = floatingIp(`${name}-floating`, floating, child);
    this.registerOutputs({ address: this.address });
  }

  /** @param joined resources that exist once the master is in the cluster. @default none, it is the first */
  forwardTo({ key, address }: BalancedMaster, joined: readonly pulumi.Resource[] = []): pulumi.Resource {
    return new openstack.loadbalancer.Member(
      `${this.#name}-${key}`,
      { poolId: this.#pool.id, address, protocolPort: API_SERVER_PORT, subnetId: this.#subnetId },
      { parent: this, dependsOn: [...joined] },
    );
  }
}
