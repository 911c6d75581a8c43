import type { Place } from "../../base/findings";
import { NODE_CIDR } from "../../settings/cluster-network-checks";
import type { ClusterSettings } from "../../settings/model";
import type { ClusterAddons } from "../model";

/**
 * The addons of a cluster from a template, with the data of the cluster that their charts need.
 * @param place of the cluster
 */
export function templateAddons(cluster: string, place: Place, settings: ClusterSettings): ClusterAddons {
  const { addons, network, credential, apiServer, blockStorage } = settings;
  const { readyTimeout, protectForeignObjects } = settings;
  const machines = [settings.controlPlane, ...Object.values(settings.nodeGroups)];
  const hasOtherPorts = machines.some(({ additionalPorts = [] }) => additionalPorts.length > 0);
  return {
    cluster,
    place: place.get("addons"),
    ...{ addons, podCidr: network.podCidr, credential, readyTimeout, protectForeignObjects },
    balancerProvider: apiServer.loadBalancerProvider,
    externalNetwork: network.externalNetwork,
    blockStorage,
    nodeCidr: hasOtherPorts && network.network === undefined ? (network.nodeCidr ?? NODE_CIDR) : undefined,
  };
}
