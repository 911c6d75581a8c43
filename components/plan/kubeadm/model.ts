import type { SecurityConfig } from "../../kube/cluster/control-plane";
import type { NodeTaint } from "../../kube/cluster/node-labels";
import type { KubeObject } from "../../kube/objects/object";
import type { Drain, IngressRuleSettings } from "../../settings/model";
import type { Secret } from "../../base/secret";
import type { PlannedServer, PlannedVirtualIp, Role } from "../servers/model";
import type { NodeParts } from "../nodes/model";

/** A kubeadm cluster. */
export interface ClusterPlan {
  /** The cluster's name as a VIM. */
  readonly vimName: string;
  /** Pools of servers by role: masters, workers, and separate servers for load balancers and storage. */
  readonly pools: readonly NodePool[];
  readonly api: ApiPlan;
  /** The jump host for SSH to servers without a floating IP. Undefined: SSH connects to each server directly. */
  readonly jumpHost: PlannedJumpHost | undefined;
  readonly drain: Drain;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** IPv6 CIDRs of a dual-stack cluster. */
  readonly ipv6: { readonly podCidr: string; readonly serviceCidr: string } | undefined;
  /** Version for kubeadm. Undefined: that of the node's kubeadm. */
  readonly kubernetesVersion: string | undefined;
  /** True if nodes wait for a cloud controller manager, which initializes them, before they accept pods. */
  readonly hasCloudProvider: boolean;
  /** Neutron's routes to the pods of each server, by its key. Undefined: the CNI forwards packets itself. */
  readonly podRoutes: Readonly<Record<string, PodRoute>> | undefined;
  readonly kubeadm: {
    readonly ignorePreflightErrors: readonly string[];
    readonly clusterConfiguration: Readonly<Record<string, unknown>>;
    readonly kubeletConfiguration: Readonly<Record<string, unknown>>;
    readonly kubeProxyConfiguration: Readonly<Record<string, unknown>>;
  };
  readonly security: SecurityConfig;
  readonly encryption: Encryption | undefined;
  /** Text of the CNI's manifest, with placeholders. */
  readonly cniManifest: string;
  /** Traffic of the CNI between nodes, in the format of parseTraffic. */
  readonly cniPorts: readonly string[];
  readonly managementCidrs: readonly string[];
  readonly ingressRules: readonly IngressRuleSettings[];
  /** Configuration of each node that workload clusters from templates have too. */
  readonly nodes: NodeParts;
  /** Undefined: the image or script_path installs Kubernetes. */
  readonly aptRepository: AptRepository | undefined;
  /** Text of the package's script_path, which runs on every node. */
  readonly nodeScript: string | undefined;
  readonly storage: StoragePlan | undefined;
  /** Undefined: snapshots of etcd are only on a server of the cluster. */
  readonly snapshotBucket: SnapshotBucket | undefined;
  readonly rotation: Rotation;
}

/** Bucket of an S3 service into which the server with the snapshots of etcd copies them. */
export interface SnapshotBucket {
  /** URL of the service, without the bucket and without a final slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly name: string;
  readonly accessKey: string;
  readonly secretKey: Secret;
}

/** Encryption of Secrets in etcd. Undefined: they are not encrypted. */
export interface Encryption {
  /** Keys, of which the first one encrypts. Undefined: vnfm generates one. */
  readonly keys: readonly Secret[] | undefined;
}

/** Trigger values of rotations by secret: a new value is another rotation; undefined if there was none. */
export interface Rotation {
  /** The SSH key of the instance. */
  readonly sshKey: string | undefined;
  /** vnfm's service account, and thereby its token. */
  readonly serviceAccount: string | undefined;
  /** Certificates from kubeadm; the CAs stay. */
  readonly certificates: string | undefined;
  /** The key for Secrets in etcd, if vnfm generates it. */
  readonly encryptionKey: string | undefined;
}

/** The NFS server of a cluster and the PersistentVolumes on it. */
export interface StoragePlan {
  readonly pool: NodePool;
  /** The only server of its pool. */
  readonly server: PlannedServer;
  readonly nfsServer: "kernel" | "ganesha";
  readonly mounts: readonly PlannedMount[];
  readonly exports: readonly PlannedExport[];
  readonly persistentVolumes: readonly PlannedPersistentVolume[];
}

export interface PlannedMount {
  /** Name of the VirtualBlockStorage in the VNFD. */
  readonly storage: string;
  readonly mountTo: string;
}

export interface PlannedExport {
  readonly directory: string;
  /** CIDR of the clients. */
  readonly to: string;
  /** Options in the format of exports(5). */
  readonly options: readonly string[];
}

export interface PlannedPersistentVolume {
  readonly name: string;
  readonly object: KubeObject;
  /** The connection point of the storage server whose address the cluster's nodes mount. */
  readonly connectionPoint: string;
}

/** An apt repository with the Kubernetes packages, and the packages that a node gets from it. */
export interface AptRepository {
  readonly url: string;
  readonly suite: string;
  /** Components of the repository; none in a flat one. */
  readonly components: readonly string[];
  /** Public OpenPGP keys of the repository, binary, in base64. */
  readonly signedBy: string;
  /** Version of kubelet, kubeadm and kubectl: `v1.33.0`. */
  readonly kubernetesVersion: string;
  /** Additional packages, in the newest version. */
  readonly packages: readonly string[];
}

/** A jump host: a server of the cluster by its key, or an existing host. */
export type PlannedJumpHost =
  | {
      readonly kind: "vnfc";
      readonly vnfc: string;
      readonly sshConnectionPoint: string;
      readonly login: Login;
    }
  | {
      readonly kind: "host";
      readonly host: string;
      readonly port: number;
      readonly login: Login;
      readonly hostKey: string;
    };

/** The address at which clients reach the Kubernetes API. */
export type ApiPlan =
  /** The address of a single control plane. */
  | { readonly kind: "master"; readonly connectionPoint: string; readonly port: number }
  /** A virtual IP of HAProxy and keepalived, on the masters or on separate servers. */
  | {
      readonly kind: "haproxy";
      readonly virtualIp: PlannedVirtualIp;
      readonly port: number;
      /** Pool of the servers that run HAProxy and keepalived. */
      readonly balancers: NodePool;
      readonly onMasters: boolean;
      readonly virtualRouterId: number;
    }
  /** The address of a load balancer of the cloud. */
  | {
      readonly kind: "octavia";
      readonly virtualIp: PlannedVirtualIp;
      readonly port: number;
      /** Octavia's provider. Undefined: the cloud's default. */
      readonly provider: string | undefined;
    };

/** Servers of a cluster with equal settings: those of one VDU. */
export interface NodePool {
  readonly role: Role;
  /** Id of the VDU; empty if it is missing, which is recorded elsewhere. */
  readonly vdu: string;
  readonly sshConnectionPoint: string;
  /** Connection point whose address the other nodes use. */
  readonly nodeConnectionPoint: string;
  readonly login: Login;
  /** Labels of its nodes in addition to the zone and the like, which vnfm sets. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Taints of its nodes. @default none; kubeadm's for masters */
  readonly taints?: readonly NodeTaint[];
  /** Servers in the order of their ordinals. */
  readonly servers: readonly PlannedServer[];
}

/** A login over SSH. Without password and key it uses the key pair of the instance. */
export interface Login {
  readonly username: string;
  readonly password: Secret | undefined;
  readonly privateKey: Secret | undefined;
}

/** The pod CIDR of a node, and the node's port as the next hop to it. */
export interface PodRoute {
  readonly cidr: string;
  readonly connectionPoint: string;
}
