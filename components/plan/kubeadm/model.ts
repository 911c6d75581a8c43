import type { SecurityConfig } from "../../kube/cluster/control-plane";
import type { NodeTaint } from "../../kube/cluster/node-labels";
import type { KubeObject } from "../../kube/objects/object";
import type { Drain, IngressRuleSettings, ProxySettings } from "../../settings/model";
import type { Secret } from "../../base/secret";
import type { PlannedServer, PlannedVirtualIp } from "../model";
import type { PodRoute } from "./pod-routes";

/** A kubeadm cluster. */
export interface ClusterPlan {
  /** The cluster's name as a VIM. */
  readonly vimName: string;
  /** Its servers by what they are for: masters, workers, load balancers and storage on servers of their own. */
  readonly pools: readonly NodePool[];
  readonly api: ApiPlan;
  /** What SSH goes through to servers without a floating IP. Undefined: it goes straight to each. */
  readonly jumpHost: PlannedJumpHost | undefined;
  readonly drain: Drain;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** The same of IPv6, where the cluster has dual stack. */
  readonly ipv6: { readonly podCidr: string; readonly serviceCidr: string } | undefined;
  /** Version for kubeadm; undefined means the node's kubeadm decides. */
  readonly kubernetesVersion: string | undefined;
  /** True if nodes wait for a cloud controller manager before they take pods, and are known to it by their servers. */
  readonly hasCloudProvider: boolean;
  /** The routes of Neutron to the pods of each server, by its key. Undefined: the CNI brings packets to them itself. */
  readonly podRoutes: Readonly<Record<string, PodRoute>> | undefined;
  readonly kubeadm: {
    readonly ignorePreflightErrors: readonly string[];
    readonly clusterConfiguration: Readonly<Record<string, unknown>>;
    readonly kubeletConfiguration: Readonly<Record<string, unknown>>;
    readonly kubeProxyConfiguration: Readonly<Record<string, unknown>>;
  };
  readonly security: SecurityConfig;
  readonly encryption: Encryption | undefined;
  /** Text of the CNI's manifest, placeholders included. */
  readonly cniManifest: string;
  /** What the CNI needs between nodes, as parseTraffic reads it. */
  readonly cniPorts: readonly string[];
  readonly managementCidrs: readonly string[];
  readonly ingressRules: readonly IngressRuleSettings[];
  readonly proxy: ProxySettings | undefined;
  readonly registries: readonly PrivateRegistry[];
  /** Undefined: the image or script_path brings Kubernetes. */
  readonly aptRepository: AptRepository | undefined;
  /** Text of the package's script_path, run on every node. */
  readonly nodeScript: string | undefined;
  readonly storage: StoragePlan | undefined;
  readonly rotation: Rotation;
}

/** How Secrets are encrypted in etcd. Undefined: they are not. */
export interface Encryption {
  /** The first one encrypts. Undefined: the program makes one. */
  readonly keys: readonly Secret[] | undefined;
}

/** What is to be made anew: a text that was not there before is one more rotation; undefined is none so far. */
export interface Rotation {
  /** The instance's own SSH key. */
  readonly sshKey: string | undefined;
  /** The manager's service account, and so its token. */
  readonly serviceAccount: string | undefined;
  /** Those of kubeadm; the CAs stay. */
  readonly certificates: string | undefined;
  /** The key that Secrets are encrypted with in etcd, where the program makes it. */
  readonly encryptionKey: string | undefined;
}

/** The NFS server of a cluster and the PersistentVolumes on it. */
export interface StoragePlan {
  readonly pool: NodePool;
  /** The only one of its pool. */
  readonly server: PlannedServer;
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

/** A private registry of container images, as every node knows it. */
export interface PrivateRegistry {
  /** As the names of images begin with it: `registry.example:5000`. */
  readonly server: string;
  readonly protocol: "http" | "https";
  /** Undefined: nobody logs in. */
  readonly login: { readonly username: string; readonly password: Secret } | undefined;
  /** Its CA's certificates, PEM. Undefined: those that the image knows. */
  readonly certificate: string | undefined;
  /** A line of `/etc/hosts`. */
  readonly hostsLine: string | undefined;
}

/** An apt repository with the Kubernetes packages, and what a node is to have of it. */
export interface AptRepository {
  readonly url: string;
  readonly suite: string;
  /** None in a flat repository. */
  readonly components: readonly string[];
  /** Its public OpenPGP keys, binary, in base64. */
  readonly signedBy: string;
  /** Version of kubelet, kubeadm and kubectl: `v1.33.0`. */
  readonly kubernetesVersion: string;
  /** Packages besides these, in the newest version. */
  readonly packages: readonly string[];
}

/** A server of the cluster by its key, or a host that is there already. */
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

/** What a server of a cluster is for. A load balancer on a master is that master. */
export type Role = "master" | "worker" | "balancer" | "storage";

/** How clients reach the Kubernetes API. */
export type ApiPlan =
  /** At the sole master. */
  | { readonly kind: "master"; readonly connectionPoint: string; readonly port: number }
  /** At an address that HAProxy and keepalived keep up, on the masters or on servers of their own. */
  | {
      readonly kind: "haproxy";
      readonly virtualIp: PlannedVirtualIp;
      readonly port: number;
      /** The pool that they run on. */
      readonly balancers: NodePool;
      readonly onMasters: boolean;
      readonly virtualRouterId: number;
    }
  /** At the address of a load balancer of the cloud. */
  | {
      readonly kind: "octavia";
      readonly virtualIp: PlannedVirtualIp;
      readonly port: number;
      /** Octavia's provider. Undefined: the cloud's default. */
      readonly provider: string | undefined;
    };

/** Servers of a cluster that are alike: those of one VDU. */
export interface NodePool {
  readonly role: Role;
  /** Id of the VDU; empty where there is none, which has been told. */
  readonly vdu: string;
  readonly sshConnectionPoint: string;
  /** Where the others reach it. */
  readonly nodeConnectionPoint: string;
  readonly login: Login;
  /** Of nodes, beside those of where their servers are. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Of nodes. @default none; of masters, kubeadm's */
  readonly taints?: readonly NodeTaint[];
  /** In the order of their ordinals. */
  readonly servers: readonly PlannedServer[];
}

/** Who logs in over SSH. Neither password nor key: the instance's own key pair is used. */
export interface Login {
  readonly username: string;
  readonly password: Secret | undefined;
  readonly privateKey: Secret | undefined;
}
