import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { endpoint } from "../../base/net/cidr";
import { after } from "../after";
import type { ApiLoadBalancer } from "../openstack/api-load-balancer";
import type { OwnCluster } from "../kube-cluster";
import type { Node } from "../openstack/node";
import type { SharedAddress } from "../openstack/virtual-ip";
import type { CertificateEnds } from "../../kube/cluster/certificate-ends";
import { own } from "../../base/own";
import type { ClusterPlan, NodePool } from "../../plan/kubeadm/model";
import { masterPool, poolsOf } from "../../plan/kubeadm/pools";
import { snapshotPlace } from "../../plan/kubeadm/snapshot-place";
import type { PlannedServer } from "../../plan/servers/model";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { renderKubeconfig, vimConnectionInfo, type VimConnectionInfo } from "../../render/access";
import { addressAt, usable } from "./addresses";
import { configureApiServers, encryptionOf } from "./api-servers";
import { certificates } from "./certificates";
import { ControlPlane, type ApiAddresses } from "./control-plane";
import { controlPlaneStore, etcdSnapshots, openStore, type StoreServer } from "./control-plane-store";
import { runKeystoneAuth } from "./keystone-auth";
import { upgradeAddons } from "./kubernetes-version";
import { loadBalancers } from "./load-balancers";
import { joinCluster, type Member } from "./member";
import { nodeLabels } from "./node-labels";
import { nodePodCidr } from "./node-pod-cidr";
import { PersistentVolumes } from "./persistent-volumes";
import { prepareNode, type PreparedNode } from "./prepared-node";
import type { ClusterJumpHost } from "./ssh";
import { clusterProvider } from "../provider";
import { StorageServer } from "./storage-server";
import { KUBEADM_CLUSTER } from "../steps";

export interface KubeadmClusterArgs {
  readonly cluster: ClusterPlan;
  /** The resource that is replaced or deleted only together with the whole cluster. */
  readonly lifetime: pulumi.Resource;
  /** The servers by their key. */
  readonly nodes: Readonly<Record<string, Node>>;
  /** The jump host to servers without floating IPs. */
  readonly jumpHost: ClusterJumpHost | undefined;
  /** The SSH key of the instance. */
  readonly key: RotatedKeyPair;
  /** Virtual IPs by connection point. */
  readonly virtualIps: Readonly<Record<string, SharedAddress>>;
  /** Octavia's load balancer in front of the masters; the first of them is a member already. @default none */
  readonly balancer?: ApiLoadBalancer | undefined;
}

/** The storage server of a cluster and the PersistentVolumes on it. */
interface ClusterStorage {
  readonly server: StorageServer;
  readonly volumes: PersistentVolumes;
}

/** A Kubernetes cluster that kubeadm creates on existing servers. */
export class KubeadmCluster extends pulumi.ComponentResource implements OwnCluster {
  /** Kubeconfig of the manager's service account; secret. Known once the API answers. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Access for `vim_connection_info`; secret. */
  readonly vimConnectionInfo: pulumi.Output<VimConnectionInfo>;
  readonly apiUrl: pulumi.Output<string>;
  readonly vimName: string;
  readonly certificates: pulumi.Output<CertificateEnds>;
  readonly persistentVolumes: pulumi.Output<string[]> | undefined;
  readonly provider: Provider;
  /** The workers, which run pods, and the volumes that pods may mount. */
  readonly usable: readonly pulumi.Resource[];
  /** The resource that is replaced or deleted only together with the whole cluster. */
  readonly lifetime: pulumi.Resource;

  constructor(name: string, args: KubeadmClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(KUBEADM_CLUSTER, name, {}, opts);
    const { cluster, lifetime, nodes, jumpHost, key } = args;
    const child = { parent: this };
    this.lifetime = lifetime;
    const nodeOf = (server: PlannedServer): Node => {
      const node = nodes[server.key];
      if (node === undefined) throw new Error(`the plan has no server ${server.key}`);
      return node;
    };
    const prepare = (role: "master" | "worker", pool: NodePool): PreparedNode[] =>
      pool.servers.map((server) =>
        prepareNode(
          `${name}-${server.key}`,
          { cluster, pool, role, server, node: nodeOf(server), jumpHost, key },
          child,
        ),
      );
    const masters = prepare("master", masterPool(cluster));
    const workers = poolsOf(cluster, "worker").flatMap((pool) => prepare("worker", pool));
    const [first, ...others] = masters;
    const [worker] = workers;
    if (first === undefined) throw new Error("the plan has no master");
    if (worker === undefined) throw new Error("the plan has no worker");

    const api = apiAddressesOf(name, args, nodeOf);
    const balancers = loadBalancers(
      name,
      {
        cluster,
        nodeOf,
        jumpHost,
        masters,
        virtualIp: (connectionPoint) => virtualIpOf(args.virtualIps, connectionPoint).address,
        key,
      },
      child,
    );
    const encryption = encryptionOf(name, cluster, child);
    const running = balancers.map(({ runs }) => runs);
    const store = controlPlaneStore(name, storeServerOf(name, args, worker), child);
    const controlPlane = new ControlPlane(
      `${name}-${first.key}`,
      {
        cluster,
        lifetime,
        masters: [first, ...others],
        jumpHost,
        key,
        api,
        // further load balancers run on masters that may be waiting for the first one
        balancers: cluster.api.kind === "haproxy" && cluster.api.onMasters ? running.slice(0, 1) : running,
        encryption,
        store,
      },
      child,
    );
    const join = (node: PreparedNode, joinsAfter?: Member) =>
      joinCluster(`${name}-${node.key}`, { cluster, node, controlPlane, joinsAfter }, child);
    const joined: Member[] = [];
    const sole: pulumi.Resource[] = [];
    if (cluster.api.kind === "master") {
      const nodeName = `${name}-${first.key}`;
      sole.push(
        nodeLabels(nodeName, { node: first, controlPlane, soleMaster: true }, child),
        ...nodePodCidr(nodeName, { node: first, controlPlane }, child),
      );
    } else {
      for (const master of masters) joined.push(join(master, joined.at(-1)));
      others.forEach((master, i) => args.balancer?.forwardTo(master, joined[i + 1]?.resources));
    }
    const joinedMasters = joined.flatMap(({ resources }) => resources);
    const addons = this.#upgradeAddons(`${name}-${first.key}`, cluster, controlPlane, masters, joinedMasters);
    const runningWorkers = workers.flatMap((worker) => join(worker).resources);
    const formed = [controlPlane, ...sole, ...joinedMasters, ...addons, ...runningWorkers];

    this.apiUrl = (api.floatingIp ?? api.address).apply(
      (address) => `https://${endpoint(address, cluster.api.port)}`,
    );
    this.vimName = cluster.vimName;
    const { access, bearerToken } = controlPlane;
    const kubeconfig = pulumi
      .all([this.apiUrl, access, bearerToken])
      .apply(([url, clusterAccess, token]) => renderKubeconfig(this.vimName, url, clusterAccess, token));
    const configured = configureApiServers(name, { cluster, masters, encryption, formed }, child);
    const ofBoth = configured === undefined ? formed : [...formed, configured];
    const { renewed, ends } = certificates(name, { cluster, masters, formed: ofBoth }, child);
    const settled = renewed ?? configured;
    runKeystoneAuth(name, cluster, masters, {
      ...child,
      dependsOn: settled === undefined ? formed : [...formed, settled],
    });
    this.certificates = ends;
    this.kubeconfig = settled === undefined ? kubeconfig : after(settled, kubeconfig);
    this.vimConnectionInfo = pulumi
      .all([this.apiUrl, access, bearerToken])
      .apply(([url, clusterAccess, token]) => vimConnectionInfo(url, clusterAccess, token));
    this.provider = clusterProvider(name, { kubeconfig: this.kubeconfig, identity: "name" }, child);
    const storage = makeStorage(name, args, controlPlane, this.provider, child);
    this.persistentVolumes = storage?.volumes.names;
    const onStorage = snapshotPlace(cluster).kind === "storage" ? storage?.server.reach : undefined;
    const open = openStore(name, store, cluster.snapshotBucket, onStorage ?? worker.reach, child);
    masters.forEach((master, i) =>
      etcdSnapshots(master, i, store, [open, ...(joined[i]?.resources ?? [controlPlane.begun])], child),
    );
    this.usable = [...runningWorkers, ...(storage === undefined ? [] : [storage.server, storage.volumes])];
    this.registerOutputs({ apiUrl: this.apiUrl });
  }

  #upgradeAddons(
    name: string,
    { kubernetesVersion: version, api }: ClusterPlan,
    { reach, target }: ControlPlane,
    masters: readonly PreparedNode[],
    joined: readonly pulumi.Resource[],
  ): pulumi.Resource[] {
    if (version === undefined) return [];
    const masterIds = masters.map(({ serverId }) => serverId);
    const opts = { parent: this, dependsOn: [...joined] };
    const soleMaster = api.kind === "master";
    return [upgradeAddons(name, { version, reach, target, soleMaster, masterIds }, opts)];
  }
}

/** The server that stores snapshots of etcd. */
function storeServerOf(name: string, args: KubeadmClusterArgs, worker: PreparedNode): StoreServer {
  const { cluster, nodes } = args;
  const place = snapshotPlace(cluster);
  const { storage } = cluster;
  const node = storage && nodes[storage.server.key];
  if (place.kind === "worker" || storage === undefined || node === undefined) {
    const { name: prefix, nodeName, address, sshUser, hostKey, serverId } = worker;
    return { name: prefix, nodeName, address, sshUser, hostKey, serverId };
  }
  const { pool, server } = storage;
  return {
    ...{ name: `${name}-${server.key}`, nodeName: server.name, serverId: node.serverId },
    address: addressAt(node, pool.nodeConnectionPoint, cluster),
    ...{ sshUser: pool.login.username, hostKey: node.hostKey, directory: place.directory },
  };
}

function apiAddressesOf(
  name: string,
  { cluster, virtualIps }: KubeadmClusterArgs,
  nodeOf: (server: PlannedServer) => Node,
): ApiAddresses {
  const { api } = cluster;
  if (api.kind !== "master") {
    const { address, floatingIp } = virtualIpOf(virtualIps, api.virtualIp.connectionPoint);
    return { address: usable(address, `the API of ${name}`, cluster), floatingIp };
  }
  const [sole] = masterPool(cluster).servers;
  if (sole === undefined) throw new Error("the plan has no master");
  const node = nodeOf(sole);
  const { connectionPoint } = api;
  return {
    address: addressAt(node, connectionPoint, cluster),
    floatingIp: own(node.floatingIps, connectionPoint),
  };
}

function virtualIpOf(virtualIps: KubeadmClusterArgs["virtualIps"], connectionPoint: string): SharedAddress {
  const found = own(virtualIps, connectionPoint);
  if (found === undefined) throw new Error(`the plan has no virtual IP ${connectionPoint}`);
  return found;
}

/** Creates the storage server and the PersistentVolumes on it, if the plan has them. */
function makeStorage(
  name: string,
  { cluster, lifetime, nodes, jumpHost, key }: KubeadmClusterArgs,
  controlPlane: ControlPlane,
  provider: Provider,
  child: pulumi.ComponentResourceOptions,
): ClusterStorage | undefined {
  const { storage } = cluster;
  if (storage === undefined) return undefined;
  const node = nodes[storage.server.key];
  if (node === undefined) throw new Error(`the plan has no server ${storage.server.key}`);
  const server = new StorageServer(
    `${name}-${storage.server.key}`,
    { storage, cluster, node, jumpHost, controlPlane, key },
    child,
  );
  const volumes = new PersistentVolumes(
    `${name}-pv`,
    { volumes: storage.persistentVolumes, cluster, node, controlPlane, lifetime },
    { ...child, provider, dependsOn: [server] },
  );
  return { server, volumes };
}
