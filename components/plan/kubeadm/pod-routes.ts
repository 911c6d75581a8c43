import type { ClusterInstallation } from "../../settings/installation-model";
import type { Link, PlannedNetwork } from "../model";
import type { ClusterPlan, NodePool } from "./model";

/**
 * Where pods are reached by routes of Neutron: the virtual link of the nodes, whose router the cloud controller manager
 * gives a route to the pods of each node. Appends what is wrong to `faults`.
 */
export function planPodRoutes(
  { pod_network: podNetwork, cloud_provider: cloudProvider, master_node: masterNode }: ClusterInstallation,
  { master, worker }: { readonly master: NodePool; readonly worker: NodePool },
  { path, instance, networks }: { path: string; instance: string; networks: readonly PlannedNetwork[] },
  faults: string[],
): ClusterPlan["podRoutes"] {
  if (podNetwork === undefined) return undefined;
  const at = `${path}.pod_network`;
  if (cloudProvider === undefined)
    faults.push(
      `${at}: is for a cluster with cloud_provider, whose controller makes the routes; set that to openstack, or leave pod_network out`,
    );
  if (masterNode.pod_cidr_ipv6 !== undefined)
    faults.push(`${at}: is for IPv4 alone; leave out either it or master_node.pod_cidr_ipv6`);
  const points = new Map([master, worker].flatMap((pool) => nodePorts(pool)));
  const links = new Set([...points.values()].map((link) => ("virtualLink" in link ? link.virtualLink : "")));
  const [virtualLink = ""] = links;
  const network = networks.find((one) => one.virtualLink === virtualLink);
  if (links.size > 1 || network?.router === undefined) {
    faults.push(
      `${at}: the nodes have to be on one virtual link with a router, which gets the routes; give ${[...points.keys()].join(" and ")} ` +
        `the same virtualLink under vnfm:vnfs.${instance}.extVirtualLinks, and that a router under virtualLinks`,
    );
    return undefined;
  }
  return { virtualLink };
}

/** The connection point that a pool's nodes have their addresses at, with what it connects to. */
function nodePorts({ servers, nodeConnectionPoint }: NodePool): [string, Link][] {
  return servers
    .flatMap(({ ports }) => ports.filter(({ connectionPoint }) => connectionPoint === nodeConnectionPoint))
    .map(({ connectionPoint, link }) => [connectionPoint, link]);
}
