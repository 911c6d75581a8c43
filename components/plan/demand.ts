import { hasControlPlaneGroup, missingDemand } from "./cluster-api/demand";
import { clusterIngress, jumpHostGroup, storageIngress } from "./kubeadm/ingress";
import type { ClusterPlan } from "./kubeadm/model";
import {
  clusterOf,
  type InstancePlan,
  type KubeadmPlan,
  type PlannedNetwork,
  type PlannedServer,
  type ServersPlan,
} from "./model";
import { NO_DEMAND, RULES_OF_NEW_GROUP, sumOf, volumeAmounts, type Amounts, type Demand } from "./quota";

/** What is in the project already, by the names that show whose it is. */
export interface Present {
  readonly servers: readonly { readonly name: string; readonly key_name: string | null }[];
  /** Names of ports. */
  readonly ports: readonly string[];
  /** Names of security groups. */
  readonly securityGroups: readonly string[];
}

/** A project with nothing in it. */
export const NOTHING: Present = { servers: [], ports: [], securityGroups: [] };

/**
 * What an instance takes of a quota, as far as it is not there yet. The plan alone cannot say what a run makes: it is
 * told by what is in the project, so that a run that follows one that failed counts nothing twice. Where that leaves
 * doubts less is counted, as the cloud has the last word.
 *
 * @param isThere whether an instance is in the outputs of the last run
 */
export function newDemand(
  plan: InstancePlan,
  present: Present,
  isThere: (instance: string) => boolean,
): Demand {
  switch (plan.kind) {
    case "servers":
    case "kubeadm":
      return serversDemand(plan, present);
    case "template": {
      const { name, demand } = plan;
      const isBegun = isThere(name) || hasControlPlaneGroup(name, present.securityGroups);
      const servers = present.servers.map((server) => server.name);
      return missingDemand(name, demand, servers, isBegun);
    }
    case "workload":
      // the program does not know
      return NO_DEMAND;
  }
}

function serversDemand(plan: ServersPlan | KubeadmPlan, present: Present): Demand {
  const { name: instance, servers } = plan;
  const isMade = ({ name }: PlannedServer) => present.servers.some((one) => isServerOf(instance, name, one));
  // a run that failed at the server has made its ports
  const isBegun = (server: PlannedServer) =>
    isMade(server) ||
    server.ports.some(({ connectionPoint }) =>
      present.ports.some((port) => port.startsWith(`${instance}-${server.key}-${connectionPoint}-`)),
    );
  const missing = servers.filter((server) => !isMade(server)).map(({ flavor }) => ({ flavor, count: 1 }));
  const parts = servers.filter((server) => !isBegun(server)).map(partsOf);
  const shared = parts.length === servers.length ? sharedParts(plan) : [];
  return sumOf([{ servers: missing, amounts: {} }, ...[...parts, ...shared].map(withoutServers)]);
}

/**
 * Returns true if a server of the project is that of an instance. Other stacks may have one of its name, but not one with a
 * key pair of the instance's name.
 */
export function isServerOf(instance: string, name: string, server: Present["servers"][number]): boolean {
  return server.name === name && server.key_name?.startsWith(`${instance}-`) === true;
}

/** What is made for one server. */
function partsOf({ ports, bootVolume, volumes }: PlannedServer): Amounts {
  return {
    ports: ports.length,
    "floating IPs": ports.filter(({ floatingNetwork }) => floatingNetwork !== undefined).length,
    ...volumeAmounts([...(bootVolume ? [bootVolume] : []), ...volumes]),
  };
}

/** What is made once for all servers of an instance. */
function sharedParts(plan: ServersPlan | KubeadmPlan): Amounts[] {
  const { networks, virtualIps, placementGroups } = plan;
  const cluster = clusterOf(plan);
  return [
    ...networks.map(networkParts),
    // be it keepalived's or Octavia's, an address has a port
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
    // of the router, in each subnet
    ports: router === undefined ? 0 : subnets.length,
  };
}

function clusterParts(cluster: ClusterPlan): Amounts[] {
  const { api, storage, managementCidrs } = cluster;
  const isBalanced = api.kind === "octavia";
  const { members, masters, others } = clusterIngress(cluster);
  const ofNodes = [
    members.length,
    masters.length + (isBalanced ? 1 : 0),
    ...(others.length === 0 ? [] : [others.length]),
  ].map((rules) => RULES_OF_NEW_GROUP + rules);
  const ofStorage =
    storage === undefined
      ? []
      : [
          RULES_OF_NEW_GROUP +
            storageIngress({ storage, managementCidrs }).length +
            (jumpHostGroup(cluster) === undefined ? 0 : 1),
        ];
  return [
    ...[...ofNodes, ...ofStorage].map((rules) => ({ "security groups": 1, "security group rules": rules })),
    { "load balancers": isBalanced ? 1 : 0 },
  ];
}

function withoutServers(amounts: Amounts): Demand {
  return { servers: [], amounts };
}
