import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { Reach } from "../../remote/reaching";
import { renderHaproxyConfig } from "../../render/haproxy-config";
import { renderKeepalivedConfig } from "../../render/keepalived-config";
import { noProxyList, proxyUrls } from "../../render/site-proxy";
import { phaseStep } from "./phase-step";

export interface LoadBalancerArgs {
  readonly reach: pulumi.Input<Reach>;
  readonly serverId: pulumi.Input<string>;
  /** Address of this load balancer. */
  readonly address: pulumi.Input<string>;
  /** Of all of them, in the order in which they take the virtual address over. */
  readonly addresses: pulumi.Output<string[]>;
  readonly virtualIp: pulumi.Input<string>;
  readonly virtualRouterId: number;
  /** A secret of the cluster, from which VRRP's password is made. */
  readonly secret: pulumi.Input<string>;
  /** Port of the Kubernetes API on the virtual address. */
  readonly apiPort: number;
  readonly cluster: ClusterPlan;
  /** Every declared master, the primary first. */
  readonly masters: readonly { readonly name: string; readonly address: pulumi.Output<string> }[];
}

/** HAProxy and keepalived on one server. @returns what is there once they run */
export function loadBalancer(
  name: string,
  args: LoadBalancerArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  const { reach, serverId, address, virtualIp, virtualRouterId, apiPort, cluster } = args;
  const masters = pulumi.all(
    args.masters.map((master) => master.address.apply((at) => ({ name: master.name, address: at }))),
  );
  return phaseStep(
    name,
    "load-balancer",
    {
      reach,
      target: serverId,
      data: {
        address,
        haproxy_config: masters.apply((all) => renderHaproxyConfig({ apiPort, masters: all })),
        keepalived_config: pulumi
          .all([address, args.addresses, virtualIp, args.secret])
          .apply(([own, all, ip, text]) =>
            renderKeepalivedConfig({
              virtualRouterId,
              password: createHash("sha256").update(`vrrp ${text}`).digest("hex").slice(0, 8),
              virtualIp: ip,
              address: own,
              addresses: all,
            }),
          ),
        ...proxyUrls(cluster),
        no_proxy_list: pulumi.output(address).apply((own) => noProxyList(cluster, own)),
      },
    },
    opts,
  );
}
