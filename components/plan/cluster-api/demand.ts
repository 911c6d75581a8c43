import type { ClusterNetwork, ClusterSettings, Machines } from "../../settings/model";
import { RULES_OF_NEW_GROUP, sumOf, times, volumeAmounts, type Amounts, type Demand } from "../quota";
import { serverGroups } from "./objects";

/** What a cluster by a template takes of a quota. */
export interface ClusterDemand {
  /** Of the cluster as a whole. */
  readonly shared: Demand;
  readonly machines: readonly MachinesDemand[];
}

/** Machines that are made alike. */
interface MachinesDemand {
  /** Name of the node group. Undefined: the machines are of the control plane. */
  readonly group: string | undefined;
  readonly count: number;
  /** What one of them takes. */
  readonly each: Demand;
}

/**
 * What a cluster by a template takes of a quota, with what Cluster API's provider for OpenStack (CAPO, release 0.14)
 * makes for it. A group that cluster-autoscaler decides on begins with the fewest machines that it may have.
 */
export function clusterDemand(name: string, settings: ClusterSettings): ClusterDemand {
  const { controlPlane, nodeGroups, network, apiServer } = settings;
  const { bastion, externalNetwork } = network;
  const { etcdVolume, replicas } = controlPlane;
  const balanced = apiServer.loadBalancer ? 1 : 0;
  const isReachedFromOutside = externalNetwork !== undefined && apiServer.floatingIp === undefined;
  const shared: Amounts[] = [
    networkParts(network),
    groupParts(network),
    { "server groups": serverGroups(name, settings).length },
    { "load balancers": balanced, ports: balanced, "floating IPs": isReachedFromOutside ? 1 : 0 },
  ];
  const machines = [
    { group: undefined, count: replicas, each: machineDemand(controlPlane, etcdVolume && [etcdVolume]) },
    ...Object.entries(nodeGroups).map(([group, its]) => ({
      ...{ group, count: its.replicas ?? its.autoscaling?.min ?? 0, each: machineDemand(its) },
    })),
  ];
  const ofCluster = sumOf([
    ...(bastion === undefined
      ? []
      : [
          {
            servers: [{ flavor: { kind: "name" as const, name: bastion.flavor }, count: 1 }],
            amounts: { ports: 1, "floating IPs": externalNetwork === undefined ? 0 : 1 },
          },
        ]),
    ...shared.map((amounts) => ({ servers: [], amounts })),
  ]);
  return { shared: ofCluster, machines };
}

/**
 * What a cluster takes as far as it is not there yet.
 *
 * @param servers names of the project's servers
 * @param isBegun whether what all of its machines share is there
 */
export function missingDemand(
  cluster: string,
  { shared, machines }: ClusterDemand,
  servers: readonly string[],
  isBegun: boolean,
): Demand {
  const missing = machines.map(({ group, count, each }) => {
    const isIts = machineNames(cluster, group);
    const made = isBegun ? servers.filter((name) => isIts.test(name)).length : 0;
    return times(Math.max(count - made, 0), each);
  });
  return sumOf([...missing, ...(isBegun ? [] : [shared])]);
}

/** Names of servers that are the machines of a group, and maybe those of another one whose name begins with its name. */
function machineNames(cluster: string, group: string | undefined): RegExp {
  return group === undefined
    ? new RegExp(`^${cluster}-(control-plane-.*)?[a-z0-9]{5}$`)
    : new RegExp(`^${cluster}-${group}-`);
}

/** @param further its volumes beside those of all machines */
function machineDemand(
  { flavor, rootVolume, volumes = [], additionalPorts = [] }: Machines,
  further: readonly { readonly sizeGiB: number }[] = [],
): Demand {
  return {
    servers: [{ flavor: { kind: "name", name: flavor }, count: 1 }],
    amounts: {
      ports: 1 + additionalPorts.length,
      ...volumeAmounts([...(rootVolume ? [rootVolume] : []), ...further, ...volumes]),
    },
  };
}

/** A network that is there has its subnets and its router. */
function networkParts({ network, router, externalNetwork }: ClusterNetwork): Amounts {
  if (network !== undefined) return {};
  const isRouted = externalNetwork !== undefined;
  return {
    networks: 1,
    subnets: 1,
    routers: isRouted && router === undefined ? 1 : 0,
    // of the router, in the subnet
    ports: isRouted ? 1 : 0,
  };
}

/**
 * The rules that CAPO gives the groups of the control plane, the workers and the bastion, where all traffic in the
 * cluster is allowed: of the API; of node ports, by TCP and UDP, from the workers, the control plane and the subnet, of
 * which one is counted; all of each group from both; SSH from the bastion.
 * https://github.com/kubernetes-sigs/cluster-api-provider-openstack/blob/v0.14.7/pkg/cloud/services/networking/securitygroups.go
 */
function groupParts({ ingressRules, bastion }: ClusterNetwork): Amounts {
  const ofAllNodes = ingressRules.reduce((sum, { ports, cidrs }) => sum + ports.length * cidrs.length, 0);
  const ssh = bastion === undefined ? 0 : 1;
  const groups = [
    { api: 1, inside: 2, ofAllNodes, ssh },
    { nodePorts: 6, inside: 2, ofAllNodes, ssh },
    ...(bastion === undefined ? [] : [{ ssh }]),
  ].map((rules) => Object.values(rules).reduce((sum, count) => sum + count, RULES_OF_NEW_GROUP));
  return {
    "security groups": groups.length,
    "security group rules": groups.reduce((sum, count) => sum + count, 0),
  };
}

/** Returns true if a cluster's control plane has its security group, which CAPO makes before any machine. */
export function hasControlPlaneGroup(cluster: string, securityGroups: readonly string[]): boolean {
  // its namespace, and its own name
  return securityGroups.includes(`k8s-cluster-${cluster}-${cluster}-secgroup-controlplane`);
}
