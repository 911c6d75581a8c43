import type { ExtVirtualLink, ProxySettings } from "../settings/model";
import type { KubeObject } from "../cnf/object";
import type { Secret } from "../secret";
import type { PlacementGroup, Vdu } from "../vnfd/model";
import type { CnfPlan } from "./cnf";

/** What shall exist for one VNF instance. Plain data: the same settings and package give the same plan. */
export interface VnfPlan {
  /** Instance name. */
  readonly name: string;
  /** What the operator should know though it is no fault. */
  readonly warnings: readonly string[];
  readonly networks: readonly PlannedNetwork[];
  readonly placementGroups: readonly PlacementGroup[];
  readonly servers: readonly PlannedServer[];
  /** The Kubernetes cluster that the servers become. */
  readonly cluster: ClusterPlan | undefined;
  /** The Kubernetes objects of a CNF and the cluster they land on. */
  readonly cnf: { readonly plan: CnfPlan; readonly vim: Vim; readonly readyTimeout: string } | undefined;
}

/** Where a CNF lands: a cluster VNF of this stack, or any cluster by its kubeconfig. */
export type Vim = { readonly vnf: string } | { readonly kubeconfig: Secret };

/** An internal virtual link that has a subnet of its own. */
export interface PlannedNetwork {
  readonly virtualLink: string;
  readonly cidr: string | undefined;
  readonly gatewayIp: string | undefined;
  readonly dhcpEnabled: boolean;
}

/** One VNFC: a Nova server. */
export interface PlannedServer {
  /** `<VDU>-<ordinal>`, ordinals from 1: the VNFC's name in config, resources and outputs. */
  readonly key: string;
  /** Server name, host name and Node name: `<instance>-<vdu>-<ordinal>` in the characters of a DNS label. */
  readonly name: string;
  readonly vdu: Vdu;
  readonly image: string;
  readonly flavor: PlannedFlavor;
  /** In the order of the guest's interfaces. */
  readonly ports: readonly PlannedPort[];
  /** In the order in which they are attached. */
  readonly volumes: readonly PlannedVolume[];
}

/** A Cinder volume of one server. */
export interface PlannedVolume {
  /** The VirtualBlockStorage of the VNFD. */
  readonly storage: string;
  readonly sizeGiB: number;
  /** Image that the volume is made from; undefined is an empty volume. */
  readonly image: string | undefined;
  /** Undefined is the cloud's default. */
  readonly volumeType: string | undefined;
  /** Whether nothing may delete or replace it. */
  readonly protect: boolean;
}

/** A Nova flavor by its name, or the one of exactly this size. */
export type PlannedFlavor =
  { readonly name: string } | { readonly vcpus: number; readonly ramMiB: number; readonly diskGiB: number };

export interface PlannedPort {
  readonly connectionPoint: string;
  readonly link: { readonly virtualLink: string } | { readonly external: ExtVirtualLink };
}

/** A kubeadm cluster. */
export interface ClusterPlan {
  /** The cluster's name as a VIM. */
  readonly vimName: string;
  readonly master: NodePool;
  readonly worker: NodePool;
  /** Connection point of the Kubernetes API. */
  readonly apiConnectionPoint: string;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** Version for kubeadm; undefined means the node's kubeadm decides. */
  readonly kubernetesVersion: string | undefined;
  readonly kubeadm: {
    readonly ignorePreflightErrors: readonly string[];
    readonly clusterConfiguration: Readonly<Record<string, unknown>>;
    readonly kubeletConfiguration: Readonly<Record<string, unknown>>;
    readonly kubeProxyConfiguration: Readonly<Record<string, unknown>>;
  };
  /** Text of the CNI's manifest, placeholders included. */
  readonly cniManifest: string;
  readonly cniPorts: readonly string[];
  readonly managementCidrs: readonly string[];
  readonly proxy: ProxySettings | undefined;
  /** Text of the package's script_path, run on every node. */
  readonly nodeScript: string | undefined;
  readonly storage: StoragePlan | undefined;
}

/** The NFS server of a cluster and the PersistentVolumes on it. */
export interface StoragePlan {
  readonly server: PlannedServer;
  readonly sshConnectionPoint: string;
  readonly login: Login;
  readonly nfsServer: "kernel" | "ganesha";
  readonly mounts: readonly PlannedMount[];
  readonly exports: readonly PlannedExport[];
  readonly persistentVolumes: readonly PlannedPersistentVolume[];
}

export interface PlannedMount {
  /** The VirtualBlockStorage of the VNFD. */
  readonly storage: string;
  readonly mountTo: string;
}

export interface PlannedExport {
  readonly directory: string;
  /** CIDR of the clients. */
  readonly to: string;
  /** As in exports(5). */
  readonly options: readonly string[];
}

export interface PlannedPersistentVolume {
  readonly name: string;
  readonly object: KubeObject;
  /** The connection point of the storage server whose address the cluster's nodes mount. */
  readonly connectionPoint: string;
}

/** The masters or the workers of a cluster. */
export interface NodePool {
  readonly sshConnectionPoint: string;
  readonly nodeConnectionPoint: string;
  readonly login: Login;
  /** In the order of their ordinals. */
  readonly servers: readonly PlannedServer[];
}

/** Who logs in over SSH. Neither password nor key: the instance's own key pair is used. */
export interface Login {
  readonly username: string;
  readonly password: Secret | undefined;
  readonly privateKey: Secret | undefined;
}
