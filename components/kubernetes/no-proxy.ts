import type { ClusterPlan } from "../plan/model";

/** Everything inside of the cluster, in CIDR form: never a list of single addresses of a block. */
export function noProxy(cluster: ClusterPlan, nodeAddresses: readonly string[]): string {
  const nodes = cluster.proxy?.k8s_node_cidr === undefined ? nodeAddresses : [cluster.proxy.k8s_node_cidr];
  const given = cluster.proxy?.no_proxy?.split(",").map((entry) => entry.trim()) ?? [];
  const own = ["127.0.0.1", "localhost", ".svc", ".cluster.local", cluster.podCidr, cluster.serviceCidr];
  return [...new Set([...given.filter(Boolean), ...own, ...nodes])].join(",");
}
