import type { Place } from "../base/findings";
import type {
  Addon,
  BlockStorage,
  CredentialSettings,
  CredentialsReceiver,
  OtherStackVim,
} from "../settings/model";
import type { Secret } from "../base/secret";
import type { WholeHeal } from "./heal";
import type { ClusterPlan } from "./kubeadm/model";
import type { CnfPlan } from "./workload/model";
import type { CloudNeed, ServerNeed } from "./cloud-need";
import type { InstanceDemand } from "./quota";
import type { ApiAddresses } from "./cluster-api/needs";
import type { WorkloadCluster } from "./cluster-api/workload-cluster";
import type { PlannedNetwork, PlannedPlacementGroup, PlannedServer, PlannedVirtualIp } from "./servers/model";

/** The plan of one VNF instance: plain data. The same settings and package give the same plan. */
export type InstancePlan = ServersPlan | KubeadmPlan | WorkloadPlan;

/** Kubernetes objects on a cluster. */
export type WorkloadPlan = CnfInstancePlan | TemplatePlan;

interface Instance {
  /** Instance name. */
  readonly name: string;
  /** Name of the cloud in clouds.yaml, of an addon that of its cluster. @default the cloud of the stack */
  readonly cloud?: string;
  /** Messages for the operator that are no errors. */
  readonly warnings: readonly string[];
}

/** Nova servers, and the networks and addresses between them. */
export interface ServersPlan extends Instance {
  readonly kind: "servers";
  readonly networks: readonly PlannedNetwork[];
  readonly placementGroups: readonly PlannedPlacementGroup[];
  readonly virtualIps: readonly PlannedVirtualIp[];
  readonly servers: readonly PlannedServer[];
  /** Resources that must exist in the cloud. */
  readonly cloudNeeds: readonly ServerNeed[];
  readonly wholeHeal: WholeHeal;
}

/** A kubeadm cluster on servers, which can be a VIM. */
export interface KubeadmPlan extends Omit<ServersPlan, "kind"> {
  readonly kind: "kubeadm";
  readonly cluster: ClusterPlan;
  /** Credential of its addons for the cloud. Undefined: they do not use the cloud. */
  readonly credential: PlannedCredential | undefined;
  /**
   * Instance name of the cloud controller manager: nodes accept no other pods until it runs. Undefined: nodes do not
   * wait for one.
   */
  readonly cloudController: string | undefined;
}

interface ObjectsPlan extends Instance {
  /** The target cluster of the objects. */
  readonly on: Vim;
  readonly cnf: CnfPlan;
  /** The cluster that the objects create: the CNF is then a VIM itself. */
  readonly cluster: WorkloadCluster | undefined;
  /** The receiver of the cluster's credentials. @default none */
  readonly credentialsReceiver?: CredentialsReceiver;
  /** Secrets among its objects with the cloud credentials of controllers. @default none */
  readonly cloudSecrets?: readonly PlannedCloudSecret[];
  /**
   * Prefixes of names in the cloud that must differ from those of other stacks, by the placeholder for the full name.
   * @default none
   */
  readonly uniqueNames?: Readonly<Record<string, string>>;
  /** Time limit for each object to become ready, and to be deleted, such as `10m`. */
  readonly readyTimeout: string;
  /** True if its CRDs and Namespaces must not be deleted while they contain objects that the stack did not create. */
  readonly protectForeignObjects: boolean;
  /** Instance whose settings configure it, for an addon its cluster. @default itself */
  readonly settingsOf?: string;
  /** Names of the other instances of this stack that are created before it, and deleted after it. */
  readonly after: readonly string[];
}

/** A CNF: the objects come from its package, or from the chart of an addon. */
export interface CnfInstancePlan extends ObjectsPlan {
  readonly kind: "cnf";
}

/** A workload cluster from a template: the objects are those of Cluster API that create it. */
export interface TemplatePlan extends ObjectsPlan {
  readonly kind: "template";
  /** Credential of its controllers for the cloud. */
  readonly credential: PlannedCredential;
  /** Resources that must exist in the cloud. */
  readonly cloudNeeds: readonly CloudNeed[];
  /** Name of the network that is created for it. Undefined: it uses an existing one. */
  readonly madeNetwork: string | undefined;
  /** The quota of the project that it takes. */
  readonly demand: InstanceDemand;
  /** Server groups that its machines name, created before it. */
  readonly serverGroups: readonly PlannedServerGroup[];
  /** Addresses of its API from the settings. */
  readonly addresses: ApiAddresses;
  /** True if Cluster API cannot replace the only machine of the control plane. */
  readonly keepsMachine: boolean;
}

/** An application credential of the stack's cloud, created before the instance and deleted after it. */
export type PlannedCredential = CredentialSettings;

/** The addons of a cluster, and the data of the cluster for their charts and cloud.conf. */
export interface ClusterAddons {
  /** Instance name. */
  readonly cluster: string;
  /** The setting that contains the addons. */
  readonly place: Place;
  /** Addons by name. */
  readonly addons: Readonly<Record<string, Addon>>;
  readonly podCidr: string;
  /** Credential of the addons for the cloud. */
  readonly credential: PlannedCredential;
  /** Time limit for each object of an addon, as of ObjectsPlan. */
  readonly readyTimeout: string;
  /**
   * True if the cluster's Namespace, and CRDs and Namespaces of its addons, must not be deleted while they contain
   * objects that the stack did not create.
   */
  readonly protectForeignObjects: boolean;
  /** Octavia's provider for load balancers of Services. Undefined: the cloud's default. */
  readonly balancerProvider: string | undefined;
  /** Name or id of the network for floating IPs of load balancers. Undefined: the only external network. */
  readonly externalNetwork: string | undefined;
  /** Settings for Cinder's CSI driver. Undefined: none. */
  readonly blockStorage: BlockStorage | undefined;
  /** CIDR of the nodes' internal addresses, if they have others too. Undefined: any. */
  readonly nodeCidr?: string | undefined;
}

/** A Nova server group. Objects refer to it by its name, which is known before it exists. */
export interface PlannedServerGroup {
  readonly name: string;
  /** Policy of Nova, such as `anti-affinity`. */
  readonly policy: string;
}

/** A Secret whose content is known only during a run. */
export interface PlannedCloudSecret {
  readonly key: string;
  /** Name of the instance whose credential it contains. */
  readonly credentialOf: string;
  /** The file in it: for OpenStack clients, or for the cloud controller manager and Cinder CSI. */
  readonly form: "clouds.yaml" | "cloud.conf";
  /** Octavia's provider for load balancers of a controller. @default the cloud's default */
  readonly balancerProvider?: string;
  /** Name or id of the network for floating IPs of load balancers. @default the only external one */
  readonly externalNetwork?: string;
  /** Section `[BlockStorage]` of cloud.conf. @default empty */
  readonly blockStorage?: BlockStorage;
  /** CIDR of the nodes' internal addresses, if they have others too. @default any */
  readonly nodeCidr?: string;
  /**
   * Placeholder for a digest of the content, in pods that read the Secret only when they start: a new digest restarts
   * them. @default none
   */
  readonly mark?: string;
}

/** Returns true if an instance consists of Kubernetes objects, not of servers. */
export function isWorkload(plan: InstancePlan): plan is WorkloadPlan {
  switch (plan.kind) {
    case "cnf":
    case "template":
      return true;
    case "servers":
    case "kubeadm":
      return false;
  }
}

/** The instances that have servers. */
export function withServers(plans: readonly InstancePlan[]): (ServersPlan | KubeadmPlan)[] {
  return plans.filter((plan) => !isWorkload(plan));
}

/** The instances that consist of Kubernetes objects. */
export function workloads(plans: readonly InstancePlan[]): WorkloadPlan[] {
  return plans.filter(isWorkload);
}

/** The instance's servers; a CNF has none. */
export function serversOf(plan: InstancePlan): readonly PlannedServer[] {
  return isWorkload(plan) ? [] : plan.servers;
}

/** The kubeadm cluster of an instance, if it is one. */
export function clusterOf(plan: InstancePlan): ClusterPlan | undefined {
  return plan.kind === "kubeadm" ? plan.cluster : undefined;
}

/** The target cluster of a CNF: a cluster VNF of this stack or of another, or any cluster by its kubeconfig. */
export type Vim =
  | { readonly kind: "vnf"; readonly vnf: string }
  | ({ readonly kind: "stack" } & OtherStackVim)
  | { readonly kind: "kubeconfig"; readonly kubeconfig: Secret };
