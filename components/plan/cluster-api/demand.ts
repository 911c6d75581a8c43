import type { ClusterNetwork, ClusterSettings, Machines } from "../../settings/model";
import {
  addedUp,
  RULES_OF_NEW_GROUP,
  volumeAmounts,
  type Amounts,
  type GroupDemand,
  type InstanceDemand,
} from "../quota";
import { serverGroups } from "./objects";

/**
 * The quota of a cluster from a template, with the resources that Cluster API's provider for OpenStack (CAPO, release
 * 0.14) creates for it. A group of cluster-autoscaler starts with its minimum of machines.
 */
export function clusterDemand(name: string, settings: ClusterSettings): InstanceDemand {
  const { controlPlane, nodeGroups, network, apiServer } = settings;
  const { bastion, externalNetwork } = network;
  const { etcdVolume, replicas } = controlPlane;
  const balanced = apiServer.loadBalancer ? 1 : 0;
  const isReachedFromOutside = externalNetwork !== undefined && apiServer.floatingIp === undefined;
  const shared: Amounts[] = [
    ...(bastion === undefined ? [] : [{ ports: 1, "floating IPs": externalNetwork === undefined ? 0 : 1 }]),
    networkParts(network),
    groupParts(network),
    { "server groups": serverGroups(name, settings).length },
    { "load balancers": balanced, ports: balanced, "floating IPs": isReachedFromOutside ? 1 : 0 },
  ];
  const groups = [
    {
      ...{ names: `^${name}-(control-plane-.*)?[a-z0-9]{5}$`, count: replicas },
      ...machineDemand(controlPlane, etcdVolume && [etcdVolume]),
    },
    ...Object.entries(nodeGroups).map(([group, machines]) => ({
      ...{ names: `^${name}-${group}-`, count: machines.replicas ?? machines.autoscaling?.min ?? 0 },
      ...machineDemand(machines),
    })),
  ];
  return {
    shared: {
      servers: bastion === undefined ? [] : [{ flavor: { kind: "name", name: bastion.flavor }, count: 1 }],
      amounts: addedUp(shared),
    },
    groups,
  };
}

/** @param further volumes of these machines in addition to those of all machines */
function machineDemand(
  { flavor, rootVolume, volumes = [], additionalPorts = [] }: Machines,
  further: readonly { readonly sizeGiB: number }[] = [],
): Pick<GroupDemand, "flavor" | "parts"> {
  return {
    flavor: { kind: "name", name: flavor },
    parts: {
      ports: 1 + additionalPorts.length,
      ...volumeAmounts([...(rootVolume ? [rootVolume] : []), ...further, ...volumes]),
    },
  };
}

/** The quota of the network; zero for an existing one, which has its subnets and its router. */
function networkParts({ network, router, externalNetwork }: ClusterNetwork): Amounts {
  if (network !== undefined) return {};
  const isRouted = externalNetwork !== undefined;
  return {
    networks: 1,
    subnets: 1,
    routers: isRouted && router === undefined ? 1 : 0,
    // the router has a port in the subnet
    ports: isRouted ? 1 : 0,
  };
}

/**
 * The quota of the security groups that CAPO creates for the control plane, the workers and the bastion, if all traffic
 * in the cluster is allowed. Counted are the rules for the API, for node ports (TCP and UDP, each from the workers, the
 * control plane and the subnet), for all traffic of both groups, for SSH from the bastion, and those of ingressRules.
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

/** Returns true if the security group of a cluster's control plane exists, which CAPO creates before any machine. */
export function hasControlPlaneGroup(cluster: string, securityGroups: readonly string[]): boolean {
  // the namespace and the name of the cluster
  return securityGroups.includes(`k8s-cluster-${cluster}-${cluster}-secgroup-controlplane`);
}
