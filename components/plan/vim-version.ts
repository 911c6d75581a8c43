import { OLDEST_CLUSTER } from "../kube/cluster/version-skew";
import { own } from "../base/own";
import type { ClusterInstallation, Settings, VnfSettings } from "../settings/model";

/**
 * The version of Kubernetes of a CNF's cluster according to the stack config: the declared one for a cluster of this
 * stack, or the oldest that vnfm creates. Undefined for all other clusters.
 */
export function vimVersion(vnf: VnfSettings, settings: Settings): string | undefined {
  const installation = installationOf(vnf, settings);
  return statedVersion(vnf, settings) ?? (installation && declaredVersion(installation));
}

/**
 * Returns the Kubernetes version of a CNF's target cluster; undefined if the stack config does not contain it. The
 * cluster's setting takes precedence over the CNF's, which may be forgotten at an upgrade of the cluster.
 */
export function statedVersion(vnf: VnfSettings, settings: Settings): string | undefined {
  const ofTemplate = typeof vnf.vim === "string" ? own(settings.clusters, vnf.vim) : undefined;
  return (
    ofTemplate?.kubernetesVersion ??
    installationOf(vnf, settings)?.kubernetes_version ??
    vnf.additionalParams?.kubernetes_version
  );
}

function installationOf({ vim }: VnfSettings, { vnfs }: Settings): ClusterInstallation | undefined {
  const params = typeof vim === "string" ? own(vnfs, vim)?.additionalParams : undefined;
  return params?.k8s_cluster_installation_param;
}

/** The version of Kubernetes of a cluster of this stack, or the oldest that it may have. */
export function declaredVersion({
  kubernetes_version: version,
}: Pick<ClusterInstallation, "kubernetes_version">): string {
  return version ?? OLDEST_CLUSTER;
}
