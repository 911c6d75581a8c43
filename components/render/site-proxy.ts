import type { ClusterPlan } from "../plan/kubeadm/model";
import { noProxy } from "../plan/nodes/proxy";

/** Shell variables of the site's proxy, for a server with this address; empty without a proxy. */
export function proxyData(
  { nodes: { proxy } }: ClusterPlan,
  address: string,
): Record<"http_proxy_url" | "https_proxy_url" | "no_proxy_list", string> {
  return {
    http_proxy_url: proxy?.http?.reveal() ?? "",
    https_proxy_url: proxy?.https?.reveal() ?? "",
    no_proxy_list: proxy === undefined ? "" : noProxy(proxy, address),
  };
}
