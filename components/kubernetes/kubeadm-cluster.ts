import type * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Node } from "../openstack/node";
import type { ClusterPlan, NodePool, PlannedServer } from "../plan/model";
import { renderKubeconfig, vimConnectionInfo, type VimConnectionInfo } from "./access";
import { FirstMaster } from "./first-master";
import { apiEndpoint } from "./kubeadm-config";
import { addressAt, PreparedNode } from "./prepared-node";
import { PersistentVolumes } from "./persistent-volumes";
import { clusterProvider } from "./provider";
import { StorageServer } from "./storage-server";
import { Worker } from "./worker";

export interface KubeadmClusterArgs {
  readonly cluster: ClusterPlan;
  /** The servers by their key. */
  readonly nodes: Readonly<Record<string, Node>>;
  /** The instance's own private SSH key. */
  readonly privateKey: pulumi.Output<string>;
}

/** What a cluster has for the data of its pods. */
export interface ClusterStorage {
  readonly server: StorageServer;
  readonly volumes: PersistentVolumes;
}

/** A Kubernetes cluster made by kubeadm on servers that are there already. */
export class KubeadmCluster extends pulumi.ComponentResource {
  /** Of the manager's service account; secret. Known once the API answers. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Secret. */
  readonly vimConnectionInfo: pulumi.Output<VimConnectionInfo>;
  readonly apiUrl: pulumi.Output<string>;
  /** What runs pods: objects on this cluster come after it and go before it. */
  readonly workers: readonly Worker[];
  /** What pods may mount: objects on this cluster come after it and go before it. */
  readonly storage: ClusterStorage | undefined;
  /** For the objects on this cluster. */
  readonly provider: kubernetes.Provider;

  constructor(name: string, args: KubeadmClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:kubernetes:KubeadmCluster", name, {}, opts);
    const { cluster, nodes, privateKey } = args;
    const child = { parent: this };
    const nodeOf = (server: PlannedServer): Node => {
      const node = nodes[server.key];
      if (node === undefined) throw new Error(`the plan has no server ${server.key}`);
      return node;
    };
    const prepare = (role: "master" | "worker", pool: NodePool, server: PlannedServer): PreparedNode =>
      new PreparedNode(
        `${name}-${server.key}`,
        { cluster, pool, role, server, node: nodeOf(server), privateKey },
        child,
      );

    const [firstServer] = cluster.master.servers;
    if (firstServer === undefined) throw new Error("the plan has no master");
    const apiAddress = addressAt(nodeOf(firstServer), cluster.apiConnectionPoint);
    const master = new FirstMaster(
      `${name}-${firstServer.key}`,
      {
        cluster,
        node: prepare("master", cluster.master, firstServer),
        apiAddress,
        server: nodeOf(firstServer).server,
      },
      child,
    );
    this.workers = cluster.worker.servers.map(
      (server) =>
        new Worker(
          `${name}-${server.key}`,
          { cluster, node: prepare("worker", cluster.worker, server), master },
          child,
        ),
    );

    this.apiUrl = apiAddress.apply((address) => `https://${apiEndpoint(address)}`);
    this.kubeconfig = pulumi
      .all([this.apiUrl, master.access])
      .apply(([url, access]) => renderKubeconfig(cluster.vimName, url, access));
    this.vimConnectionInfo = pulumi
      .all([this.apiUrl, master.access])
      .apply(([url, access]) => vimConnectionInfo(url, access));
    this.provider = clusterProvider(name, { kubeconfig: this.kubeconfig }, child);
    this.storage = makeStorage(name, args, master, this.provider, child);
    this.registerOutputs({ apiUrl: this.apiUrl });
  }
}

/** The storage server and the PersistentVolumes on it, where the cluster has them. */
function makeStorage(
  name: string,
  { cluster, nodes, privateKey }: KubeadmClusterArgs,
  master: FirstMaster,
  provider: kubernetes.Provider,
  child: pulumi.ComponentResourceOptions,
): ClusterStorage | undefined {
  const { storage, proxy } = cluster;
  if (storage === undefined) return undefined;
  const node = nodes[storage.server.key];
  if (node === undefined) throw new Error(`the plan has no server ${storage.server.key}`);
  const server = new StorageServer(
    `${name}-${storage.server.key}`,
    { storage, proxy, node, privateKey },
    child,
  );
  const volumes = new PersistentVolumes(
    `${name}-pv`,
    { volumes: storage.persistentVolumes, node, master },
    { ...child, provider, dependsOn: [server] },
  );
  return { server, volumes };
}
