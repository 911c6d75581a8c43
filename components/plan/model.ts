import type { KubeObject } from "../kube/object";
import type {
  CredentialsReceiver,
  Drain,
  ExtVirtualLink,
  IngressRuleSettings,
  OtherStackVim,
  ProxySettings,
} from "../settings/model";
import type { Secret } from "../secret";
import type { L3ProtocolData, Vdu } from "../vnfd/model";
import type { CnfPlan } from "./workload/cnf";
import type { CredentialSettings } from "../settings/cluster-model";
import type { CloudNeed } from "./cluster-api/needs";
import type { WorkloadCluster } from "./cluster-api/workload-cluster";

/** What shall exist for one VNF instance. Plain data: the same settings and package give the same plan. */
export type InstancePlan = ServersPlan | KubeadmPlan | WorkloadPlan;

interface Instance {
  /** Instance name. */
  readonly name: string;
  /** What the operator should know though it is no fault. */
  readonly warnings: readonly string[];
}

/** Nova servers, and the networks and addresses between them. */
export interface ServersPlan extends Instance {
  readonly kind: "servers";
  readonly networks: readonly PlannedNetwork[];
  readonly placementGroups: readonly PlannedPlacementGroup[];
  readonly virtualIps: readonly PlannedVirtualIp[];
  readonly servers: readonly PlannedServer[];
  readonly wholeHeal: WholeHeal;
}

/** Servers that become a Kubernetes cluster, which is a VIM. */
export interface KubeadmPlan extends Omit<ServersPlan, "kind"> {
  readonly kind: "kubeadm";
  readonly cluster: ClusterPlan;
}

/** A CNF: Kubernetes objects on a cluster. */
export interface WorkloadPlan extends Instance {
  readonly kind: "workload";
  /** The cluster that the objects land on. */
  readonly on: Vim;
  readonly cnf: CnfPlan;
  /** The cluster that the objects make: the CNF is a VIM then. */
  readonly cluster: WorkloadCluster | undefined;
  /** Who gets the credentials of the cluster. @default nobody */
  readonly credentialsReceiver?: CredentialsReceiver;
  /** Of a cluster by a template. @default none: the manifests bring what controllers use the cloud with */
  readonly credential?: PlannedCredential;
  /** What there must be in the cloud for a cluster by a template. @default the program does not know */
  readonly cloudNeeds?: readonly CloudNeed[];
  /** Server groups that machines of a cluster by a template name, made before it. @default none */
  readonly serverGroups?: readonly PlannedServerGroup[];
  /** Secrets among its objects with what controllers use the cloud with. @default none */
  readonly cloudSecrets?: readonly PlannedCloudSecret[];
  /** How long each object may take to be ready, and to go, such as `10m`. */
  readonly readyTimeout: string;
  /** Names of the CNFs of this stack that come before it, and go after it. */
  readonly after: readonly string[];
}

/** An application credential of the stack's cloud, made before the instance and gone after it. */
export type PlannedCredential = CredentialSettings;

/** A Nova server group. Its name is known before it is made: objects name it. */
export interface PlannedServerGroup {
  readonly name: string;
  /** Nova's policy. */
  readonly policy: string;
}

/** A Secret whose content is known only during a run. */
export interface PlannedCloudSecret {
  readonly key: string;
  /** The instance whose credential it has. */
  readonly credentialOf: string;
  /** The file in it: of OpenStack's clients, or of the cloud controller manager and Cinder CSI. */
  readonly form: "clouds.yaml" | "cloud.conf";
  /** Octavia's provider of balancers that a controller makes. @default the cloud's own */
  readonly balancerProvider?: string;
}

/** The instances that have servers. */
export function withServers(plans: readonly InstancePlan[]): (ServersPlan | KubeadmPlan)[] {
  return plans.filter((plan) => plan.kind !== "workload");
}

/** The CNFs. */
export function workloads(plans: readonly InstancePlan[]): WorkloadPlan[] {
  return plans.filter((plan) => plan.kind === "workload");
}

/** The instance's servers; a CNF has none. */
export function serversOf(plan: InstancePlan): readonly PlannedServer[] {
  return plan.kind === "workload" ? [] : plan.servers;
}

/** The kubeadm cluster that an instance is, if it is one. */
export function clusterOf(plan: InstancePlan): ClusterPlan | undefined {
  return plan.kind === "kubeadm" ? plan.cluster : undefined;
}

/** What makes all servers of an instance anew at once, and the cluster on them. */
export interface WholeHeal {
  /** A new one does it; empty where it was never done. */
  readonly token: string;
  /** Why it is refused: CNFs of this stack on the cluster; undefined where they may go, or there are none. */
  readonly refusal: string | undefined;
  /** Whether what is on the cluster may go. */
  readonly evacuate: boolean;
}

/** Where a CNF lands: a cluster VNF of this stack or of another, or any cluster by its kubeconfig. */
export type Vim = { readonly vnf: string } | OtherStackVim | { readonly kubeconfig: Secret };

/** An internal virtual link that has subnets of its own. */
export interface PlannedNetwork {
  readonly virtualLink: string;
  /** At least one. */
  readonly subnets: readonly PlannedSubnet[];
  /** Undefined: the cloud's own. */
  readonly mtu: number | undefined;
  readonly vlanTransparent: boolean;
}

export interface PlannedSubnet extends L3ProtocolData {
  readonly cidr: string;
}

/** A Nova server group. */
export interface PlannedPlacementGroup {
  readonly id: string;
  readonly policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
  readonly vdus: readonly string[];
}

/** An address of its own that the ports of some connection points share. */
export interface PlannedVirtualIp {
  readonly connectionPoint: string;
  readonly link: PlannedPort["link"];
  readonly targets: readonly string[];
}

/** One VNFC: a Nova server. */
export interface PlannedServer {
  /** `<VDU>-<ordinal>`, ordinals from 1: the VNFC's name in config, resources and outputs. */
  readonly key: string;
  /** Server name, host name and Node name: `<instance>-<vdu>-<ordinal>` in the characters of a DNS label. */
  readonly name: string;
  readonly vdu: Vdu;
  /** Name or id of the image that it is made of. */
  readonly image: string;
  /** The volume that it boots from, made of the image. Undefined: it boots from the disk of its flavor. */
  readonly bootVolume: PlannedBootVolume | undefined;
  readonly flavor: PlannedFlavor;
  /** A new one replaces the server; empty where it was never healed. */
  readonly healToken: string;
  /** In the order of the guest's interfaces. */
  readonly ports: readonly PlannedPort[];
  /** Those beside the boot volume, in the order in which they are attached. */
  readonly volumes: readonly PlannedVolume[];
}

/** A Cinder volume of one server. */
export interface PlannedVolume {
  /** The VirtualBlockStorage of the VNFD. */
  readonly storage: string;
  readonly sizeGiB: number;
  /** Name or id of the image that the volume is made from; undefined is an empty volume. */
  readonly image: string | undefined;
  /** Undefined is the cloud's default. */
  readonly volumeType: string | undefined;
  /** Whether nothing may delete or replace it. */
  readonly protect: boolean;
}

export interface PlannedBootVolume extends PlannedVolume {
  /** Whether the next server of the VNFC boots from it too. If not, each has one of its own, which goes with it. */
  readonly isKept: boolean;
}

/** A Nova flavor by its name or id, or the one of exactly this size. */
export type PlannedFlavor =
  { readonly name: string } | { readonly vcpus: number; readonly ramMiB: number; readonly diskGiB: number };

export interface PlannedPort {
  readonly connectionPoint: string;
  readonly link: { readonly virtualLink: string } | { readonly external: ExtVirtualLink };
  /** Neutron's VNIC type. Undefined is `normal`. */
  readonly vnicType: string | undefined;
}

/** A kubeadm cluster. */
export interface ClusterPlan {
  /** The cluster's name as a VIM. */
  readonly vimName: string;
  readonly master: NodePool;
  readonly worker: NodePool;
  readonly api: ApiPlan;
  readonly drain: Drain;
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

/** What is to be made anew: a text that was not there before is one more rotation; undefined is none so far. */
export interface Rotation {
  /** The instance's own SSH key. */
  readonly sshKey: string | undefined;
  /** The manager's service account, and so its token. */
  readonly serviceAccount: string | undefined;
  /** Those of kubeadm; the CAs stay. */
  readonly certificates: string | undefined;
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

/** How clients reach the Kubernetes API. */
export type ApiPlan =
  /** At the sole master. */
  | { readonly kind: "master"; readonly connectionPoint: string; readonly port: number }
  /** At an address that HAProxy and keepalived keep up, on the masters or on servers of their own. */
  | {
      readonly kind: "haproxy";
      readonly virtualIp: PlannedVirtualIp;
      readonly port: number;
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

/** The masters, the workers or the load balancers of a cluster. */
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
