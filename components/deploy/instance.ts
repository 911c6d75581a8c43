import { own } from "../own";
import { local } from "@pulumi/command";
import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { after } from "./after";
import { Cnf, type CnfArgs } from "./objects/cnf";
import { evacuation } from "./kubeadm/evacuation";
import { KubeadmCluster } from "./kubeadm/kubeadm-cluster";
import { retireKeys } from "./kubeadm/login-key";
import { addressAt } from "./kubeadm/prepared-node";
import { clusterProvider } from "./provider";
import { ApiLoadBalancer, type ApiLoadBalancerArgs } from "./openstack/api-load-balancer";
import { ClusterSecurityGroup } from "./openstack/cluster-security-group";
import { apiClients } from "./openstack/ingress";
import { Node } from "./openstack/node";
import { Offer } from "./openstack/offer";
import { StorageSecurityGroup } from "./openstack/storage-security-group";
import { VirtualIp } from "./openstack/virtual-ip";
import { VirtualLinks } from "./openstack/virtual-links";
import type { ClusterPlan, Vim, VnfPlan } from "../plan/model";
import { endsByScripts } from "../plan/kubeadm/orderly-end";
import { sshKeyPair, type RotatedKeyPair } from "../remote/key-pair";

/** Kubeconfigs of VIMs of other stacks, by the instance name of the CNF that lands there; secret. */
type OtherVims = ReadonlyMap<string, pulumi.Output<string>>;

export interface VnfArgs {
  readonly plan: VnfPlan;
  /** The clusters of this stack by instance name: those of the plans before this one. */
  readonly clusters: Readonly<Record<string, KubeadmCluster>>;
  /** The CNFs of this stack, likewise. */
  readonly cnfs: Readonly<Record<string, Cnf>>;
  readonly vims: OtherVims;
  readonly offer: Offer;
}

/** One VNF instance: its servers, the cluster they become, or its Kubernetes objects. */
export class Vnf extends pulumi.ComponentResource {
  /** By server key. */
  readonly nodes: Readonly<Record<string, Node>>;
  readonly cluster: KubeadmCluster | undefined;
  readonly cnf: Cnf | undefined;

  constructor(args: VnfArgs, opts?: pulumi.ComponentResourceOptions) {
    const { plan } = args;
    super("vnfm:index:Vnf", plan.name, {}, opts);
    const child = { parent: this };
    for (const warning of plan.warnings) void pulumi.log.warn(warning, this);
    const key =
      plan.servers.length === 0
        ? undefined
        : sshKeyPair(`${plan.name}-key`, child, plan.cluster?.rotation.sshKey);
    const servers = key === undefined ? undefined : makeServers(args, key, child);
    this.nodes = servers?.nodes ?? {};
    if (key !== undefined && servers !== undefined && plan.cluster !== undefined) {
      const clusterArgs = { cluster: plan.cluster, ...servers, key };
      this.cluster = new KubeadmCluster(plan.name, clusterArgs, child);
      retireKeys(plan.name, clusterArgs, { ...child, dependsOn: [this.cluster] });
    }
    const place = plan.cnf && placement(plan.name, plan.cnf.vim, args, child);
    this.cnf =
      plan.cnf === undefined || place === undefined
        ? undefined
        : new Cnf(
            plan.name,
            { plan: plan.cnf.plan, readyTimeout: plan.cnf.readyTimeout, ...place.cluster },
            pulumi.mergeOptions(
              { ...child, ...place.opts },
              { dependsOn: plan.cnf.after.flatMap((name) => own(args.cnfs, name) ?? []) },
            ),
          );
    this.registerOutputs({});
  }
}

/** Makes the VNF instances of a stack. @returns them by instance name */
export function makeVnfs(
  plans: readonly VnfPlan[],
  vims: OtherVims = new Map(),
  offer = new Offer(),
): Record<string, Vnf> {
  const vnfs: Record<string, Vnf> = {};
  const clusters: Record<string, KubeadmCluster> = {};
  const cnfs: Record<string, Cnf> = {};
  for (const plan of plans) {
    const vnf = new Vnf({ plan, clusters, cnfs, vims, offer });
    vnfs[plan.name] = vnf;
    if (vnf.cluster !== undefined) clusters[plan.name] = vnf.cluster;
    if (vnf.cnf !== undefined) cnfs[plan.name] = vnf.cnf;
  }
  return vnfs;
}

interface Servers {
  /** What goes with all of them at once, and with nothing less. */
  readonly whole: pulumi.Resource;
  /** By server key. */
  readonly nodes: Readonly<Record<string, Node>>;
  /** Address by connection point. */
  readonly virtualIps: Readonly<Record<string, pulumi.Output<string>>>;
  readonly balancer: ApiLoadBalancer | undefined;
}

function makeServers(
  { plan, offer }: VnfArgs,
  key: RotatedKeyPair,
  child: pulumi.CustomResourceOptions,
): Servers {
  const { name } = plan;
  const [token, setToken] = pulumi.deferredOutput<string>();
  // does nothing: its replacement ends all servers and what is on them in one go, then makes all of it anew
  const whole = new local.Command(
    `${name}-whole`,
    { triggers: [token] },
    { ...child, deleteBeforeReplace: true },
  );
  const keyPair = new openstack.compute.Keypair(name, { publicKey: key.publicKey }, child);
  const virtualLinks = new VirtualLinks(name, plan, child);
  const securityGroupId =
    plan.cluster && new ClusterSecurityGroup(name, { cluster: plan.cluster }, child).securityGroupId;
  const securityGroupIds = securityGroupId === undefined ? [] : [securityGroupId];
  const storageGroupIds = plan.cluster === undefined ? [] : storageGroups(name, plan.cluster, child);
  const groups = plan.placementGroups.map(({ id, vdus, policy }) => ({
    vdus,
    policy,
    id: new openstack.compute.ServerGroup(`${name}-${id}`, { policies: [policy] }, child).id,
  }));
  const api = plan.cluster?.api;
  const balanced = api?.kind === "octavia" ? api : undefined;
  const ofServers = plan.virtualIps.filter((virtualIp) => virtualIp !== balanced?.virtualIp);
  const virtualIps = ofServers.map((virtualIp) => ({
    ...virtualIp,
    address: new VirtualIp(`${name}-${virtualIp.connectionPoint}`, { virtualIp, virtualLinks }, child)
      .address,
  }));
  // scripts about the cluster go to whichever master answers
  const sharedHostKey =
    plan.cluster === undefined || plan.cluster.api.kind === "master"
      ? undefined
      : sshKeyPair(`${name}-masters-host-key`, child);
  const nodes: Record<string, Node> = {};
  const inLine = new Map<object, Node>();
  for (const server of plan.servers) {
    const group = groups.find(({ vdus }) => vdus.includes(server.vdu.id));
    const isMaster = plan.cluster?.master.servers.includes(server) ?? false;
    const line = group?.policy === "anti-affinity" ? group : isMaster ? plan.cluster : undefined;
    const node = new Node(
      `${name}-${server.key}`,
      {
        server,
        offer,
        whole,
        virtualLinks,
        virtualIps,
        hostKey: isMaster ? sharedHostKey : undefined,
        securityGroupIds: server === plan.cluster?.storage?.server ? storageGroupIds : securityGroupIds,
        keyPair: keyPair.name,
        isStopped: !endsByScripts(server, plan.cluster),
        ...(group && { serverGroupId: group.id }),
        after: line && inLine.get(line),
      },
      child,
    );
    nodes[server.key] = node;
    if (line !== undefined) inLine.set(line, node);
  }
  setToken(wholeHealToken(plan, nodes, key, child));
  const balancer =
    plan.cluster === undefined || securityGroupId === undefined
      ? undefined
      : makeBalancer(name, plan.cluster, { nodes, virtualLinks, securityGroupId }, child);
  return {
    whole,
    nodes,
    virtualIps: {
      ...Object.fromEntries(virtualIps.map(({ connectionPoint, address }) => [connectionPoint, address])),
      ...(balanced && balancer && { [balanced.virtualIp.connectionPoint]: balancer.address }),
    },
    balancer,
  };
}

/** Octavia in front of the masters, where the plan has it. */
function makeBalancer(
  name: string,
  cluster: ClusterPlan,
  { nodes, ...args }: Pick<ApiLoadBalancerArgs, "virtualLinks" | "securityGroupId"> & Pick<Servers, "nodes">,
  child: pulumi.CustomResourceOptions,
): ApiLoadBalancer | undefined {
  const { api, master } = cluster;
  const key = master.servers[0]?.key ?? "";
  const node = nodes[key];
  if (api.kind !== "octavia" || node === undefined) return undefined;
  const first = { key, address: addressAt(node, master.nodeConnectionPoint, cluster) };
  return new ApiLoadBalancer(
    `${name}-${api.virtualIp.connectionPoint}`,
    { ...args, api, apiClients: apiClients(cluster), first },
    child,
  );
}

/** The token that replaces all servers: known once the cluster on them has been asked. */
function wholeHealToken(
  { name: instance, cluster, wholeHeal }: VnfPlan,
  nodes: Servers["nodes"],
  key: RotatedKeyPair,
  child: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const token = pulumi.output(wholeHeal.token);
  if (cluster === undefined) return token;
  const args = { instance, cluster, wholeHeal, nodes, key };
  return after(evacuation(`${instance}-evacuation`, args, child), token);
}

function storageGroups(
  name: string,
  { storage, managementCidrs }: ClusterPlan,
  child: pulumi.CustomResourceOptions,
): pulumi.Output<string>[] {
  if (storage === undefined) return [];
  const group = new StorageSecurityGroup(`${name}-storage`, { storage, managementCidrs }, child);
  return [group.securityGroupId];
}

interface Placement {
  readonly cluster: Pick<CnfArgs, "kubeconfig" | "whole">;
  readonly opts: pulumi.ComponentResourceOptions;
}

/** The cluster that a CNF lands on: it comes after the cluster's workers and storage and goes before them. */
function placement(
  name: string,
  vim: Vim,
  { clusters, vims }: VnfArgs,
  child: pulumi.CustomResourceOptions,
): Placement {
  if ("kubeconfig" in vim) {
    const kubeconfig = pulumi.secret(vim.kubeconfig.reveal());
    const provider = clusterProvider(name, { kubeconfig, identity: "name" }, child);
    return { cluster: { kubeconfig }, opts: { provider } };
  }
  if ("stack" in vim) {
    const kubeconfig = vims.get(name);
    if (kubeconfig === undefined) throw new Error(`the VIM of ${name} was not read`);
    const provider = clusterProvider(name, { kubeconfig, identity: "server" }, child);
    return { cluster: { kubeconfig }, opts: { provider } };
  }
  const cluster = own(clusters, vim.vnf);
  if (cluster === undefined) throw new Error(`the plan puts ${name} before its VIM ${vim.vnf}`);
  const { kubeconfig, whole, provider, workers, storage } = cluster;
  const volumes = storage === undefined ? [] : [storage.server, storage.volumes];
  return { cluster: { kubeconfig, whole }, opts: { provider, dependsOn: [...workers, ...volumes] } };
}
