import { own } from "../own";
import type { ClusterInstallation, Settings, VnfSettings } from "../settings/model";

/** kubeadm's API v1beta4, which the program writes, is of this version and newer. */
const OLDEST = "v1.31.0";

/**
 * The version of Kubernetes of the cluster that a CNF is on, as far as the stack config tells: the declared one of a
 * cluster of this stack, or the oldest that the program makes. Undefined for all other clusters.
 */
export function vimVersion({ vim }: VnfSettings, { vnfs, clusters }: Settings): string | undefined {
  if (typeof vim !== "string") return undefined;
  const cluster = own(clusters, vim);
  if (cluster !== undefined) return cluster.kubernetesVersion;
  const params = own(vnfs, vim)?.additionalParams;
  return params?.k8s_cluster_installation_param && declaredVersion(params.k8s_cluster_installation_param);
}

/** The version of Kubernetes of a cluster of this stack, or the oldest that it may have. */
export function declaredVersion({
  kubernetes_version: version,
}: Pick<ClusterInstallation, "kubernetes_version">): string {
  return version ?? OLDEST;
}
