import type { Place } from "../../base/findings";
import { CINDER_CSI } from "../../settings/cluster-checks";
import type { ClusterInstallation, VnfSettings } from "../../settings/model";
import { virtualLinkOf } from "../link";
import type { ClusterAddons } from "../model";
import type { PlannedNetwork } from "../servers/model";
import type { ClusterContext } from "./context";
import { INSTALLATION } from "./installation";
import type { ClusterPlan } from "./model";
import type { Role } from "../servers/model";
import { poolsOf } from "./pools";

/** Records errors in settings for the use of the cloud by a cluster. */
export function checkCloudProvider(
  { cloud_provider, addons, credential, block_storage: blockStorage }: ClusterInstallation,
  { place, instance, rotate }: Pick<ClusterContext, "place" | "instance" | "rotate">,
): void {
  if (cloud_provider !== undefined && addons === undefined) {
    place
      .get("addons")
      .fault(
        "is required with cloud_provider: nodes accept no pods until a cloud controller manager runs; add openstack-cloud-controller-manager",
      );
    return;
  }
  if (blockStorage !== undefined && addons?.[CINDER_CSI] === undefined)
    place.get("block_storage").fault(`is for ${CINDER_CSI}; add it under addons, or remove this`);
  if (cloud_provider !== undefined) return;
  if (addons !== undefined)
    place
      .get("addons")
      .fault("is for a cluster with cloud_provider; set that to openstack, or remove addons");
  const without = "is for a cluster with cloud_provider; remove it";
  if (credential !== undefined) place.get("credential").fault(without);
  if (rotate?.credential !== undefined)
    place.findings.instance(instance).get("rotate", "credential").fault(without);
}

/**
 * The addons of a kubeadm cluster, and the data of the cluster for them; undefined if it does not use the cloud.
 * @param place of the instance
 */
export function kubeadmAddons(
  cluster: string,
  place: Place,
  { additionalParams, rotate, readyTimeout, protectForeignObjects }: VnfSettings,
  externalNetwork?: string,
): ClusterAddons | undefined {
  const params = additionalParams?.k8s_cluster_installation_param;
  if (params?.cloud_provider === undefined || params.addons === undefined) return undefined;
  const token = rotate?.credential;
  return {
    cluster,
    place: place.get(...INSTALLATION, "addons"),
    addons: params.addons,
    podCidr: params.master_node.pod_cidr,
    credential: { ...params.credential, ...(token !== undefined && { rotate: token }) },
    ...{ readyTimeout, protectForeignObjects },
    balancerProvider: params.load_balancer.provider,
    externalNetwork,
    blockStorage: params.block_storage,
  };
}

/**
 * The external network for floating IPs of Services: that of the workers' router, else that of the floating IPs of the
 * nodes and of their API. Undefined: the settings do not determine it.
 */
export function externalNetworkOf(
  cluster: ClusterPlan,
  networks: readonly PlannedNetwork[],
): string | undefined {
  const { api } = cluster;
  const portsOf = (role: Role) =>
    poolsOf(cluster, role).flatMap(({ servers, nodeConnectionPoint: nodePoint }) =>
      servers.flatMap(({ ports }) => ports.filter(({ connectionPoint }) => connectionPoint === nodePoint)),
    );
  const [[ofMaster], [ofWorker]] = [portsOf("master"), portsOf("worker")];
  const workerLink = ofWorker && virtualLinkOf(ofWorker.link);
  const router = networks.find(({ virtualLink }) => virtualLink === workerLink)?.router;
  if (router?.kind === "made") return router.externalNetwork;
  return (
    ofWorker?.floatingNetwork ??
    ofMaster?.floatingNetwork ??
    (api.kind === "master" ? undefined : api.virtualIp.floatingNetwork)
  );
}
