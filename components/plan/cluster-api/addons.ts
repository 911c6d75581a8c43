import type { ClusterSettings } from "../../settings/model";
import type { ClusterAddons } from "../model";

/** The addons of a cluster by a template, and what they have to know of it. */
export function templateAddons(cluster: string, settings: ClusterSettings): ClusterAddons {
  const { addons, network, credential, readyTimeout, apiServer, blockStorage } = settings;
  return {
    cluster,
    path: `vnfm:vnfs.${cluster}.addons`,
    ...{ addons, podCidr: network.podCidr, credential, readyTimeout },
    balancerProvider: apiServer.loadBalancerProvider,
    externalNetwork: network.externalNetwork,
    blockStorage,
  };
}
