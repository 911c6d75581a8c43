import type { Place } from "../../base/findings";
import { own } from "../../base/own";
import { blockAt, blocksIn, parseCidr, prefixLength } from "../../base/net/cidr";
import { hasOwnNodeMask, NODE_PREFIXES } from "../../kube/cluster/cluster-blocks";
import { isFalse } from "../../settings/component-reliances";
import type { ClusterInstallation } from "../../settings/model";
import type { DeploymentFlavour } from "../../vnfd/model";
import { virtualLinkOf } from "../link";
import type { Link, PlannedNetwork, PlannedServer } from "../servers/model";
import { controllerManagerArgs } from "./addresses";
import type { ClusterPlan, NodePool, PodRoute } from "./model";
import { nodePools, poolsOf } from "./pools";

interface PodRouteContext {
  readonly place: Place;
  readonly instance: string;
  readonly networks: readonly PlannedNetwork[];
  readonly flavour: DeploymentFlavour;
}

/**
 * Neutron's routes to the pods of each node. Pod CIDRs are assigned by the ordinals of the nodes, to workers from the
 * beginning of pod_cidr and to masters from its end. Each VDU reserves CIDRs for its maximum number of instances, so
 * that scaling and changed pools move none.
 */
export function planPodRoutes(
  params: ClusterInstallation,
  pools: readonly NodePool[],
  { place, instance, networks, flavour }: PodRouteContext,
): ClusterPlan["podRoutes"] {
  if (params.pod_network === undefined) return undefined;
  const at = place.get("pod_network");
  if (params.master_node.pod_cidr_ipv6 !== undefined)
    at.fault("is for IPv4 only; remove either it or master_node.pod_cidr_ipv6");
  const args = controllerManagerArgs(params);
  if (hasOwnNodeMask(args))
    at.fault(
      `gives each node a /${NODE_PREFIXES[4]} of pod_cidr; remove node-cidr-mask-size from kubeadm.cluster_configuration`,
    );
  if (!isFalse(args.get("allocate-node-cidrs") ?? "false"))
    at.fault(
      "gives each node its block of pod_cidr; remove allocate-node-cidrs from kubeadm.cluster_configuration",
    );
  const links = new Map(nodePools({ pools }).flatMap(nodeLinks));
  const [first, ...others] = new Set([...links.values()].map((link) => virtualLinkOf(link)));
  if (others.length > 0 || networks.find(({ virtualLink }) => virtualLink === first)?.router === undefined) {
    at.fault(
      `the nodes must be on one virtual link with a router, which gets the routes; set for ${[...links.keys()].join(" and ")} ` +
        `the same virtualLink under vnfm:vnfs.${instance}.extVirtualLinks, and a router for it under virtualLinks`,
    );
  }
  const pods = parseCidr(params.master_node.pod_cidr);
  // checkAddresses reports a pod_cidr that is too small
  if (pods?.version !== 4 || prefixLength(pods) > NODE_PREFIXES[4]) return undefined;
  const [masters, workers] = [poolsOf({ pools }, "master"), poolsOf({ pools }, "worker")];
  const blocks = blocksIn(pods, NODE_PREFIXES[4]);
  const firsts = firstBlocks(workers, masters, flavour);
  const blockOf = ({ vdu }: NodePool, i: number): number => (firsts.get(vdu) ?? 0) + i;
  const ofMasters = masters.reduce((sum, { servers }) => sum + servers.length, 0);
  const ofWorkers = blocks - ofMasters;
  const [without] = workers.flatMap((pool) => pool.servers.filter((_, i) => blockOf(pool, i) >= ofWorkers));
  if (without !== undefined) {
    const nodes = nodePools({ pools }).flatMap(({ servers }) => servers);
    // else checkAddresses reports that there are too few
    if (nodes.length <= blocks)
      place
        .get("master_node", "pod_cidr")
        .fault(
          `${pods.text} has no /${NODE_PREFIXES[4]} for ${without.key}, because each VDU of the VNFD reserves those of ` +
            "all instances that its vdu_profile allows; use a larger block, or lower max_number_of_instances",
        );
    return undefined;
  }
  return Object.fromEntries([
    ...workers.flatMap((pool) => routesOf(pool, (i) => blockAt(pods, NODE_PREFIXES[4], blockOf(pool, i)))),
    ...masters.flatMap((pool) => routesOf(pool, (i) => blockAt(pods, NODE_PREFIXES[4], blocks - 1 - i))),
  ]);
}

/**
 * Index of the first pod CIDR of each VDU that workers may have: worker_node comes first, the others in the order of
 * the VNFD.
 */
function firstBlocks(
  [first]: readonly NodePool[],
  masters: readonly NodePool[],
  { vdus }: DeploymentFlavour,
): ReadonlyMap<string, number> {
  const others = Object.values(vdus).filter(({ id }) => masters.every(({ vdu }) => vdu !== id));
  const inOrder = [
    ...others.filter(({ id }) => id === first?.vdu),
    ...others.filter(({ id }) => id !== first?.vdu),
  ];
  const firsts = new Map<string, number>();
  let next = 0;
  for (const { id, maxInstances } of inOrder) {
    firsts.set(id, next);
    next += maxInstances;
  }
  return firsts;
}

/** The route to the pods of a server. Undefined: the server is no node, or the cluster has no such routes. */
export function podRouteOf(
  { key }: Pick<PlannedServer, "key">,
  { podRoutes }: Pick<ClusterPlan, "podRoutes">,
): PodRoute | undefined {
  return podRoutes && own(podRoutes, key);
}

function routesOf(
  { servers, nodeConnectionPoint: connectionPoint }: NodePool,
  cidrAt: (i: number) => string,
): [string, PodRoute][] {
  return servers.map(({ key }, i) => [key, { cidr: cidrAt(i), connectionPoint }]);
}

/** The connection point with the addresses of a pool's nodes, and its network. */
function nodeLinks({ servers, nodeConnectionPoint }: NodePool): [string, Link][] {
  return servers
    .flatMap(({ ports }) => ports.filter(({ connectionPoint }) => connectionPoint === nodeConnectionPoint))
    .map(({ connectionPoint, link }) => [connectionPoint, link]);
}
