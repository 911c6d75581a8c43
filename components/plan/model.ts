import type { Place } from "../base/findings";
import type {
  Addon,
  BlockStorage,
  CredentialSettings,
  CredentialsReceiver,
  OtherStackVim,
  PortSettings,
  ServerSettings,
} from "../settings/model";
import type { Secret } from "../base/secret";
import type { ExtraSpec, L3ProtocolData, Vdu } from "../vnfd/model";
import type { ClusterPlan, Role } from "./kubeadm/model";
import type { CnfPlan } from "./workload/cnf";
import type { CloudNeed, ServerNeed } from "./cloud-need";
import type { InstanceDemand } from "./quota";
import type { ApiAddresses } from "./cluster-api/needs";
import type { WorkloadCluster } from "./cluster-api/workload-cluster";

/** The plan of one VNF instance: plain data. The same settings and package give the same plan. */
export type InstancePlan = ServersPlan | KubeadmPlan | WorkloadPlan;

/** Kubernetes objects on a cluster. */
export type WorkloadPlan = CnfInstancePlan | TemplatePlan;

interface Instance {
  /** Instance name. */
  readonly name: string;
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

/** A heal of a whole instance: all of its servers are replaced at once, and the cluster on them. */
export interface WholeHeal {
  /** The trigger value: a new one starts the heal; empty if there never was one. */
  readonly token: string;
  /** Reason of a refusal: CNFs of this stack on the cluster. Undefined if there are none, or if they may be deleted. */
  readonly refusal: string | undefined;
  /** True if the CNFs on the cluster may be deleted. */
  readonly evacuate: boolean;
}

/** The target cluster of a CNF: a cluster VNF of this stack or of another, or any cluster by its kubeconfig. */
export type Vim =
  | { readonly kind: "vnf"; readonly vnf: string }
  | ({ readonly kind: "stack" } & OtherStackVim)
  | { readonly kind: "kubeconfig"; readonly kubeconfig: Secret };

/** A virtual link with subnets, from the VNFD or from the stack config. */
export interface PlannedNetwork {
  readonly virtualLink: string;
  /** Subnets, at least one. */
  readonly subnets: readonly PlannedSubnet[];
  /** Undefined: the cloud's default. */
  readonly mtu: number | undefined;
  readonly vlanTransparent: boolean;
  /** Addresses, each for the subnets of its IP version. None: the cloud's default. */
  readonly dnsNameservers: readonly string[];
  /** The router of all its subnets. Undefined: the network is isolated. */
  readonly router: PlannedRouter | undefined;
}

/** An existing Neutron router, by its id or name; or one to create, with the id or name of its external network. */
export type PlannedRouter =
  | { readonly kind: "existing"; readonly router: string }
  | { readonly kind: "made"; readonly externalNetwork: string };

export interface PlannedSubnet extends L3ProtocolData {
  readonly cidr: string;
}

/** A Nova server group. */
export interface PlannedPlacementGroup {
  readonly id: string;
  readonly policy: "affinity" | "anti-affinity" | "soft-affinity" | "soft-anti-affinity";
  readonly vdus: readonly string[];
}

/** A virtual IP: an address that the ports of some connection points share. */
export interface PlannedVirtualIp {
  readonly connectionPoint: string;
  readonly link: Link;
  readonly targets: readonly string[];
  /** Id or name of the external network for its floating IP, as of a port. Undefined: it has none. */
  readonly floatingNetwork: string | undefined;
  /** At most one address of each IP version. None: Neutron chooses. */
  readonly fixedAddresses: readonly string[];
}

/** One VNFC: a Nova server. */
export interface PlannedServer extends Omit<ServerSettings, "availabilityZones" | "volumeAvailabilityZones"> {
  /** VNFC name `<VDU>-<ordinal>`, ordinals from 1, in config, resources and outputs. */
  readonly key: string;
  /** Name of the server, host and Node: `<instance>-<vdu>-<ordinal>`, converted to a DNS label. */
  readonly name: string;
  readonly vdu: Vdu;
  /** Name or id of its image. */
  readonly image: string;
  /** The boot volume, created from the image. Undefined: the server boots from the disk of its flavor. */
  readonly bootVolume: PlannedBootVolume | undefined;
  readonly flavor: PlannedFlavor;
  /** Zone of Nova. Undefined: Nova chooses. */
  readonly availabilityZone: string | undefined;
  /** The trigger value of a heal: a new one replaces the server; empty if it was never healed. */
  readonly healToken: string;
  /** Ports in the order of the guest's interfaces. */
  readonly ports: readonly PlannedPort[];
  /** Volumes in addition to the boot volume, in the order of their attachment. */
  readonly volumes: readonly PlannedVolume[];
  /** Role in a kubeadm cluster. @default the server belongs to none */
  readonly role?: Role;
}

/** A Cinder volume of one server. */
export interface PlannedVolume {
  /** The VirtualBlockStorage of the VNFD. */
  readonly storage: string;
  readonly sizeGiB: number;
  /** Name or id of the source image; undefined is an empty volume. */
  readonly image: string | undefined;
  /** Undefined: the cloud's default. */
  readonly volumeType: string | undefined;
  /** Zone of Cinder. Undefined: the cloud's default. */
  readonly availabilityZone: string | undefined;
  /** True if no run may delete or replace it. */
  readonly protect: boolean;
}

export interface PlannedBootVolume extends PlannedVolume {
  /**
   * True if the volume outlives its server, and the next server of the VNFC boots from it. False: it is deleted with
   * the server.
   */
  readonly isKept: boolean;
}

/** The volumes that outlive their server, including a kept boot volume. */
export function ownVolumes({ bootVolume, volumes }: PlannedServer): readonly PlannedVolume[] {
  return [...(bootVolume?.isKept ? [bootVolume] : []), ...volumes];
}

/** A Nova flavor by its name or id, or the one of exactly this size. */
export type PlannedFlavor = { readonly kind: "name"; readonly name: string } | SizedFlavor;

export type { ExtraSpec };

/** A flavor chosen by its exact size. */
export interface SizedFlavor {
  readonly kind: "size";
  readonly vcpus: number;
  readonly ramMiB: number;
  readonly diskGiB: number;
  /** Extra specs that choose between flavors of the same size. @default there is only one of that size */
  readonly extraSpecs?: readonly ExtraSpec[];
}

/** A Neutron port of one server; its fixed addresses are at most one of each IP version. */
export interface PlannedPort extends Omit<PortSettings, "vnicType"> {
  readonly connectionPoint: string;
  readonly link: Link;
  /** VNIC type of Neutron. Undefined is `normal`. */
  readonly vnicType: string | undefined;
  /** Id or name of the external network for its floating IP. Undefined: it has none. */
  readonly floatingNetwork: string | undefined;
}

/**
 * The network of a port: one that vnfm creates, by its virtual link; or an existing one, by its id or name, and perhaps
 * the id of one of its subnets.
 */
export type Link =
  | { readonly kind: "internal"; readonly virtualLink: string }
  | { readonly kind: "external"; readonly network: string; readonly subnet?: string };
