import type { ClusterPlan } from "../plan/kubeadm/model";

/** The site's proxy as scripts know it, without its exceptions; empty for none. */
export function proxyUrls({ proxy }: ClusterPlan): Record<"http_proxy_url" | "https_proxy_url", string> {
  return {
    http_proxy_url: proxy?.http_proxy?.reveal() ?? "",
    https_proxy_url: proxy?.https_proxy?.reveal() ?? "",
  };
}

/**
 * What a server does not ask the proxy for: everything inside of the cluster, in CIDR form, never a list of single
 * addresses of a block. Empty where there is no proxy.
 */
export function noProxyList(cluster: ClusterPlan, address: string): string {
  const { proxy, podCidr, serviceCidr } = cluster;
  if (proxy === undefined) return "";
  const given = proxy.no_proxy?.split(",").map((entry) => entry.trim()) ?? [];
  const own = ["127.0.0.1", "localhost", ".svc", ".cluster.local", podCidr, serviceCidr];
  return [...new Set([...given.filter(Boolean), ...own, proxy.k8s_node_cidr ?? address])].join(",");
}
