import type { ClusterPlan } from "../plan/kubeadm/model";

/** The shell variables with the URLs of the site's proxy. They are empty where there is none. */
export function proxyUrls({ proxy }: ClusterPlan): Record<"http_proxy_url" | "https_proxy_url", string> {
  return {
    http_proxy_url: proxy?.http_proxy?.reveal() ?? "",
    https_proxy_url: proxy?.https_proxy?.reveal() ?? "",
  };
}

/**
 * The value of `no_proxy` on a server: everything inside of the cluster, which the server reaches without the proxy.
 * Blocks of addresses stand there as CIDRs, never address by address. Empty where there is no proxy.
 */
export function noProxyList(cluster: ClusterPlan, address: string): string {
  const { proxy, podCidr, serviceCidr } = cluster;
  if (proxy === undefined) return "";
  const given = proxy.no_proxy?.split(",").map((entry) => entry.trim()) ?? [];
  const own = ["127.0.0.1", "localhost", ".svc", ".cluster.local", podCidr, serviceCidr];
  return [...new Set([...given.filter(Boolean), ...own, proxy.k8s_node_cidr ?? address])].join(",");
}
