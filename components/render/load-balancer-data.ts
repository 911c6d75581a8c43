import { createHash } from "node:crypto";
import type { ClusterPlan } from "../plan/kubeadm/model";
import { renderHaproxyConfig } from "./haproxy-config";
import { renderKeepalivedConfig } from "./keepalived-config";
import { proxyData } from "./site-proxy";

/** A load balancer of a cluster. */
export interface LoadBalancerData {
  readonly address: string;
  /** Addresses of all load balancers, in the order in which they take over the virtual IP. */
  readonly addresses: readonly string[];
  readonly virtualIp: string;
  readonly virtualRouterId: number;
  /** A secret of the cluster, from which VRRP's password is derived. */
  readonly secret: string;
  /** All control-plane nodes of the plan; the first one is the primary. */
  readonly masters: readonly { readonly name: string; readonly address: string }[];
}

/** The shell variables of load-balancer.sh. */
export function loadBalancerData(
  cluster: ClusterPlan,
  { secret, masters, ...vrrp }: LoadBalancerData,
): Record<string, string> {
  return {
    address: vrrp.address,
    haproxy_config: renderHaproxyConfig({ apiPort: cluster.api.port, masters }),
    keepalived_config: renderKeepalivedConfig({
      ...vrrp,
      password: createHash("sha256").update(`vrrp ${secret}`).digest("hex").slice(0, 8),
    }),
    ...proxyData(cluster, vrrp.address),
  };
}
