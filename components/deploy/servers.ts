import { local } from "@pulumi/command";
import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { podRouteOf } from "../plan/kubeadm/pod-routes";
import { endsByScripts, masterPool } from "../plan/kubeadm/pools";
import type { ClusterPlan } from "../plan/kubeadm/model";
import { clusterOf, type KubeadmPlan, type ServersPlan } from "../plan/model";
import { sshKeyPair, type RotatedKeyPair } from "../remote/key-pair";
import { stepName } from "./steps";
import { after } from "./after";
import { evacuation } from "./kubeadm/evacuation";
import { addressAt } from "./kubeadm/addresses";
import { jumpHostOf, type ClusterJumpHost } from "./kubeadm/ssh";
import { ownerOf } from "./objects/ownership";
import { ApiLoadBalancer, type ApiLoadBalancerArgs } from "./openstack/api-load-balancer";
import { ClusterSecurityGroups } from "./openstack/cluster-security-group";
import { Node } from "./openstack/node";
import { cloudNames } from "./openstack/lookups";
import type { Offer } from "./openstack/offer";
import { StorageSecurityGroup } from "./openstack/storage-security-group";
import { VirtualIp, type SharedAddress } from "./openstack/virtual-ip";
import { VirtualLinks } from "./openstack/virtual-links";

/** The servers of an instance, with their virtual IPs. */
export interface Servers {
  /** The resource that is replaced or deleted only together with all servers. */
  readonly lifetime: pulumi.Resource;
  /** Servers by key. */
  readonly nodes: Readonly<Record<string, Node>>;
  /** Virtual IPs by connection point. */
  readonly virtualIps: Readonly<Record<string, SharedAddress>>;
  readonly balancer: ApiLoadBalancer | undefined;
  readonly jumpHost: ClusterJumpHost | undefined;
}

export interface MakeServersArgs {
  /** The SSH key of the instance. */
  readonly key: RotatedKeyPair;
  /** Identity of the stack: see stackIdentity. */
  readonly identity: pulumi.Output<string>;
  /** Config of the OpenStack provider, in the form of the stack config. */
  readonly cloudConfig: Readonly<Record<string, string>>;
}

/** Creates the servers of an instance and the resources of the cloud that they need. */
export function makeServers(
  plan: ServersPlan | KubeadmPlan,
  offer: Offer,
  { key, identity, cloudConfig }: MakeServersArgs,
  child: pulumi.CustomResourceOptions,
): Servers {
  const { name } = plan;
  const cluster = clusterOf(plan);
  const [token, setToken] = pulumi.deferredOutput<string>();
  // does nothing: its replacement deletes all servers with their software at once, then re-creates all of it
  const lifetime = new local.Command(
    stepName(name, "wholeHeal"),
    { triggers: [token] },
    { ...child, deleteBeforeReplace: true },
  );
  const virtualLinks = new VirtualLinks(name, plan, child);
  const clusterGroups = cluster && new ClusterSecurityGroups(name, { cluster }, child);
  const storageGroupIds = cluster === undefined ? [] : storageGroups(name, cluster, clusterGroups, child);
  const groups = plan.placementGroups.map(({ id, vdus, policy }) => ({
    name: id,
    vdus,
    policy,
    id: new openstack.compute.ServerGroup(`${name}-${id}`, { policies: [policy] }, child).id,
  }));
  const api = cluster?.api;
  const balanced = api?.kind === "octavia" ? api : undefined;
  const ofServers = plan.virtualIps.filter(
    ({ connectionPoint }) => connectionPoint !== balanced?.virtualIp.connectionPoint,
  );
  const virtualIps = ofServers.map((virtualIp) => {
    const made = new VirtualIp(`${name}-${virtualIp.connectionPoint}`, { virtualIp, virtualLinks }, child);
    return { ...virtualIp, made, addresses: made.addresses };
  });
  // scripts about the cluster run on any master that answers
  const sharedHostKey =
    cluster === undefined || cluster.api.kind === "master"
      ? undefined
      : sshKeyPair(`${name}-masters-host-key`, child);
  const names = cloudNames(child);
  const nodes: Record<string, Node> = {};
  // the last server of each sequence, by the reason for the sequence
  const inLine = new Map<string, Node>();
  for (const server of plan.servers) {
    const group = groups.find(({ vdus }) => vdus.includes(server.vdu.id));
    const { role } = server;
    const line =
      group?.policy === "anti-affinity" ? `group ${group.name}` : role === "master" ? "masters" : undefined;
    const node = new Node(
      `${name}-${server.key}`,
      {
        server,
        offer,
        lifetime,
        virtualLinks,
        cloudNames: names,
        virtualIps,
        hostKey: role === "master" ? sharedHostKey : undefined,
        podRoute: cluster && podRouteOf(server, cluster),
        securityGroupIds: role === "storage" ? storageGroupIds : (clusterGroups?.idsOf(role) ?? []),
        loginKey: key.publicKey,
        // a cluster reaches its nodes by the addresses of their ports
        cloudConfig: cluster === undefined ? cloudConfig : undefined,
        owner: identity.apply((id) => ownerOf(id, name)),
        isStopped: !endsByScripts(server, cluster),
        ...(group && { serverGroupId: group.id }),
        after: line === undefined ? undefined : inLine.get(line),
      },
      child,
    );
    nodes[server.key] = node;
    if (line !== undefined) inLine.set(line, node);
  }
  setToken(wholeHealToken(plan, nodes, key, child));
  const balancer =
    cluster === undefined || clusterGroups === undefined
      ? undefined
      : makeBalancer(
          name,
          cluster,
          { nodes, virtualLinks, securityGroupId: clusterGroups.masters.id },
          child,
        );
  return {
    lifetime,
    nodes,
    virtualIps: {
      ...Object.fromEntries(virtualIps.map(({ connectionPoint, made }) => [connectionPoint, made])),
      ...(balanced && balancer && { [balanced.virtualIp.connectionPoint]: balancer }),
    },
    balancer,
    jumpHost: cluster && runningJumpHost(cluster, nodes),
  };
}

/** The jump host of the plan. Resources that use it are created after its server, and deleted before it. */
function runningJumpHost(cluster: ClusterPlan, nodes: Servers["nodes"]): ClusterJumpHost | undefined {
  const jumpHost = jumpHostOf(cluster, nodes);
  return jumpHost?.node === undefined
    ? jumpHost
    : { ...jumpHost, host: after(jumpHost.node.server, jumpHost.host) };
}

/** Creates the load balancer of Octavia in front of the masters, if the plan has one. */
function makeBalancer(
  name: string,
  cluster: ClusterPlan,
  { nodes, ...args }: Pick<ApiLoadBalancerArgs, "virtualLinks" | "securityGroupId"> & Pick<Servers, "nodes">,
  child: pulumi.CustomResourceOptions,
): ApiLoadBalancer | undefined {
  const { api } = cluster;
  const master = masterPool(cluster);
  const key = master.servers[0]?.key ?? "";
  const node = nodes[key];
  if (api.kind !== "octavia" || node === undefined) return undefined;
  const first = { key, address: addressAt(node, master.nodeConnectionPoint, cluster) };
  return new ApiLoadBalancer(
    `${name}-${api.virtualIp.connectionPoint}`,
    { ...args, api, apiClients: cluster.managementCidrs, first },
    child,
  );
}

/** The trigger value for replacing all servers; known once the cluster on them has been checked. */
function wholeHealToken(
  plan: ServersPlan | KubeadmPlan,
  nodes: Servers["nodes"],
  key: RotatedKeyPair,
  child: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const { name: instance, wholeHeal } = plan;
  const cluster = clusterOf(plan);
  const token = pulumi.output(wholeHeal.token);
  if (cluster === undefined) return token;
  const args = { instance, cluster, wholeHeal, nodes, key };
  return after(evacuation(stepName(instance, "evacuation"), args, child), token);
}

function storageGroups(
  name: string,
  cluster: ClusterPlan,
  sources: ClusterSecurityGroups | undefined,
  child: pulumi.CustomResourceOptions,
): pulumi.Output<string>[] {
  const server = cluster.storage?.server;
  if (server === undefined || sources === undefined) return [];
  const args = { cluster, server, sources };
  return [new StorageSecurityGroup(`${name}-storage`, args, child).securityGroupId];
}
