import type { Place } from "../../findings";
import type { ClusterSettings } from "../../settings/model";
import type { ClusterAddons } from "../model";

/** The addons of a cluster by a template, and what they have to know of it. @param place of the cluster */
export function templateAddons(cluster: string, place: Place, settings: ClusterSettings): ClusterAddons {
  const { addons, network, credential, readyTimeout, apiServer, blockStorage } = settings;
  return {
    cluster,
    place: place.get("addons"),
    ...{ addons, podCidr: network.podCidr, credential, readyTimeout },
    balancerProvider: apiServer.loadBalancerProvider,
    externalNetwork: network.externalNetwork,
    blockStorage,
  };
}
