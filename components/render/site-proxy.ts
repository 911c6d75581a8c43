import { at, text } from "../kube/objects/object";
import { DNS_DOMAIN, noProxy } from "../plan/no-proxy";
import type { ClusterPlan } from "../plan/kubeadm/model";

/** Returns the shell variables with the URLs of the site's proxy. They are empty without a proxy. */
export function proxyUrls({ proxy }: ClusterPlan): Record<"http_proxy_url" | "https_proxy_url", string> {
  return {
    http_proxy_url: proxy?.http_proxy?.reveal() ?? "",
    https_proxy_url: proxy?.https_proxy?.reveal() ?? "",
  };
}

/** Returns the value of `no_proxy` on a server with this address. Empty without a proxy. */
export function noProxyList(cluster: ClusterPlan, address: string): string {
  const { proxy, podCidr, serviceCidr, ipv6, kubeadm } = cluster;
  if (proxy === undefined) return "";
  const dnsDomain = text(at(kubeadm.clusterConfiguration, "networking", "dnsDomain")) ?? DNS_DOMAIN;
  const nodes = proxy.k8s_node_cidr ?? address;
  return noProxy(proxy.no_proxy, { podCidr, serviceCidr, ipv6, nodes, dnsDomain });
}
