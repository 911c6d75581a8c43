import { hasControlPlaneGroup } from "./cluster-api/demand";
import { clusterIngress, storageIngress } from "./kubeadm/ingress";
import type { ClusterPlan } from "./kubeadm/model";
import { clusterOf, type InstancePlan, type KubeadmPlan, type ServersPlan } from "./model";
import type { PlannedNetwork, PlannedServer } from "./servers/model";
import {
  addedUp,
  multiplied,
  NO_DEMAND,
  RULES_OF_NEW_GROUP,
  sumOf,
  volumeAmounts,
  type Amounts,
  type Demand,
  type GroupDemand,
  type InstanceDemand,
} from "./quota";
import { isOwnedBy, type ListedServer } from "./servers/server-owner";

/** Existing resources of the project, by names that show which instance owns them. */
export interface Present {
  readonly servers: readonly ListedServer[];
  /** Names of ports. */
  readonly ports: readonly string[];
  /** Names of security groups. */
  readonly securityGroups: readonly string[];
}

/** An empty project. */
export const NOTHING: Present = { servers: [], ports: [], securityGroups: [] };

/**
 * The quota that an instance still needs. Existing resources of the project are not counted, so that a run after a
 * failed one counts nothing twice. If in doubt the lower amount counts, because the cloud itself checks the quota too.
 * @param isThere returns true for an instance in the outputs of the last run
 */
export function newDemand(
  plan: InstancePlan,
  present: Present,
  isThere: (instance: string) => boolean,
): Demand {
  // the demand of a CNF without a cluster is not known
  if (plan.kind === "cnf") return NO_DEMAND;
  const isTemplate = plan.kind === "template";
  // the name of a server does not identify the cluster of a machine
  const hasCluster =
    isTemplate && (isThere(plan.name) || hasControlPlaneGroup(plan.name, present.securityGroups));
  const { shared, groups } = isTemplate ? plan.demand : demandOf(plan);
  const missing = groups.map((group) => {
    const made = isTemplate && !hasCluster ? 0 : madeOf(group, present);
    const count = Math.max(group.count - made, 0);
    // ports of a failed server exist already
    const isBegun = count === 0 || hasPorts(group, present);
    const amounts = isBegun ? {} : multiplied(count, group.parts);
    return { isBegun, servers: [{ flavor: group.flavor, count }], amounts };
  });
  const isBegun = isTemplate ? hasCluster : missing.some((group) => group.isBegun);
  return sumOf([...missing, ...(isBegun ? [] : [shared])]);
}

/** The number of servers of a group that exist. */
function madeOf({ names, owner }: GroupDemand, { servers }: Present): number {
  const pattern = new RegExp(names);
  const isOwn = (server: ListedServer) => owner === undefined || isOwnedBy(owner, server);
  return servers.filter((server) => pattern.test(server.name) && isOwn(server)).length;
}

function hasPorts({ ports = [] }: GroupDemand, present: Present): boolean {
  return ports.some((prefix) => present.ports.some((port) => port.startsWith(prefix)));
}

/** The quota of an instance of servers, each of which is a group of one. */
function demandOf(plan: ServersPlan | KubeadmPlan): InstanceDemand {
  const { name: instance, servers } = plan;
  const groups = servers.map((server) => ({
    ...{ names: `^${server.name}$`, owner: instance, count: 1, flavor: server.flavor },
    parts: partsOf(server),
    ports: server.ports.map(({ connectionPoint }) => `${instance}-${server.key}-${connectionPoint}-`),
  }));
  return { shared: { servers: [], amounts: addedUp(sharedParts(plan)) }, groups };
}

/** The quota that one server takes, without the server itself. */
function partsOf({ ports, bootVolume, volumes }: PlannedServer): Amounts {
  return {
    ports: ports.length,
    "floating IPs": ports.filter(({ floatingNetwork }) => floatingNetwork !== undefined).length,
    ...volumeAmounts([...(bootVolume ? [bootVolume] : []), ...volumes]),
  };
}

/** The quota of resources that all servers of an instance share. */
function sharedParts(plan: ServersPlan | KubeadmPlan): Amounts[] {
  const { networks, virtualIps, placementGroups } = plan;
  const cluster = clusterOf(plan);
  return [
    ...networks.map(networkParts),
    // every virtual IP has a port, with keepalived and with Octavia
    ...virtualIps.map(({ floatingNetwork }) => ({
      ports: 1,
      "floating IPs": floatingNetwork === undefined ? 0 : 1,
    })),
    { "server groups": placementGroups.length },
    ...(cluster ? clusterParts(cluster) : []),
  ];
}

function networkParts({ subnets, router }: PlannedNetwork): Amounts {
  return {
    networks: 1,
    subnets: subnets.length,
    routers: router?.kind === "made" ? 1 : 0,
    // a router has a port in each subnet
    ports: router === undefined ? 0 : subnets.length,
  };
}

function clusterParts(cluster: ClusterPlan): Amounts[] {
  const { api, storage } = cluster;
  const isBalanced = api.kind === "octavia";
  const { members, masters, others } = clusterIngress(cluster);
  const ofNodes = [
    members.length,
    masters.length + (isBalanced ? 1 : 0),
    ...(others.length === 0 ? [] : [others.length]),
  ].map((rules) => RULES_OF_NEW_GROUP + rules);
  const ofStorage = storage === undefined ? [] : [RULES_OF_NEW_GROUP + storageIngress(cluster).length];
  return [
    ...[...ofNodes, ...ofStorage].map((rules) => ({ "security groups": 1, "security group rules": rules })),
    { "load balancers": isBalanced ? 1 : 0 },
  ];
}
