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
import type { CloudNeed } from "./cloud-need";
import type { ClusterDemand } from "./cluster-api/demand";
import type { GivenAddresses } from "./cluster-api/needs";
import type { ServerNeed } from "./servers/needs";
import type { WorkloadCluster } from "./cluster-api/workload-cluster";

/** What shall exist for one VNF instance. Plain data: the same settings and package give the same plan. */
export type InstancePlan = ServersPlan | KubeadmPlan | WorkloadPlan;

/** Kubernetes objects on a cluster. */
export type WorkloadPlan = CnfInstancePlan | TemplatePlan;

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
  /** Things of the cloud that the servers need, beside images and flavors. */
  readonly cloudNeeds: readonly ServerNeed[];
  readonly wholeHeal: WholeHeal;
}

/** Servers that become a Kubernetes cluster, which is a VIM. */
export interface KubeadmPlan extends Omit<ServersPlan, "kind"> {
  readonly kind: "kubeadm";
  readonly cluster: ClusterPlan;
  /** With which its addons use the cloud. Undefined: they do not. */
  readonly credential: PlannedCredential | undefined;
  /** The instance on it that nodes wait for before they take pods of others. Undefined: they do not wait. */
  readonly cloudController: string | undefined;
}

interface ObjectsPlan extends Instance {
  /** The cluster that the objects land on. */
  readonly on: Vim;
  readonly cnf: CnfPlan;
  /** The cluster that the objects make: the CNF is a VIM then. */
  readonly cluster: WorkloadCluster | undefined;
  /** Who gets the credentials of the cluster. @default nobody */
  readonly credentialsReceiver?: CredentialsReceiver;
  /** Secrets among its objects with what controllers use the cloud with. @default none */
  readonly cloudSecrets?: readonly PlannedCloudSecret[];
  /**
   * Names in the cloud that have to differ from those of other stacks: what each begins with, by the mark that stands for
   * it until the run. @default none
   */
  readonly uniqueNames?: Readonly<Record<string, string>>;
  /** How long each object may take to be ready, and to go, such as `10m`. */
  readonly readyTimeout: string;
  /** Refuses to delete its definitions and Namespaces while others have objects in them. */
  readonly protectForeignObjects: boolean;
  /** The instance whose settings it has. @default its own */
  readonly settingsOf?: string;
  /** Names of the other instances of this stack that come before it, and go after it. */
  readonly after: readonly string[];
}

/** A CNF: the objects are those of its package, or of an addon's chart. */
export interface CnfInstancePlan extends ObjectsPlan {
  readonly kind: "workload";
}

/** A workload cluster by a template: the objects are those of Cluster API that make it. */
export interface TemplatePlan extends ObjectsPlan {
  readonly kind: "template";
  /** With which its controllers use the cloud. */
  readonly credential: PlannedCredential;
  /** What there must be in the cloud. */
  readonly cloudNeeds: readonly CloudNeed[];
  /** Name of the network that is made for it. Undefined: it is on one that is there. */
  readonly madeNetwork: string | undefined;
  /** What it takes of the quota of the project. */
  readonly demand: ClusterDemand;
  /** Server groups that its machines name, made before it. */
  readonly serverGroups: readonly PlannedServerGroup[];
  /** Addresses of its API that its settings give. */
  readonly addresses: GivenAddresses;
  /** Cluster API cannot replace the one machine of the control plane. */
  readonly keepsMachine: boolean;
}

/** An application credential of the stack's cloud, made before the instance and gone after it. */
export type PlannedCredential = CredentialSettings;

/** The addons of a cluster, and what their charts and their cloud.conf have of it. */
export interface ClusterAddons {
  /** Instance name. */
  readonly cluster: string;
  /** The setting that they stand under. */
  readonly place: Place;
  /** By name. */
  readonly addons: Readonly<Record<string, Addon>>;
  readonly podCidr: string;
  /** With which they use the cloud. */
  readonly credential: PlannedCredential;
  /** Refuses to delete the cluster's Namespace, and definitions and Namespaces of its addons, while others have objects in them. */
  readonly readyTimeout: string;
  /** Refuses to delete the cluster's Namespace, and definitions and Namespaces of its addons, while others have objects in them. */
  readonly protectForeignObjects: boolean;
  /** Octavia's provider of balancers that they make. Undefined: the cloud's own. */
  readonly balancerProvider: string | undefined;
  /** Name or id of the network that floating IPs of balancers are of. Undefined: the only external one. */
  readonly externalNetwork: string | undefined;
  /** For Cinder's CSI driver. Undefined: nothing. */
  readonly blockStorage: BlockStorage | undefined;
  /** Block of the addresses that nodes are known by, where they have others too. Undefined: any. */
  readonly nodeCidr?: string | undefined;
}

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
  /** Name or id of the network that floating IPs of balancers are of. @default the only external one */
  readonly externalNetwork?: string;
  /** @default nothing */
  readonly blockStorage?: BlockStorage;
  /** Block of the addresses that nodes are known by, where they have others too. @default any */
  readonly nodeCidr?: string;
  /** Stands for a digest of the content, in pods that read it only when they start. @default there are none */
  readonly mark?: string;
}

/** Returns true if an instance is of Kubernetes objects, and not of servers. */
export function isWorkload(plan: InstancePlan): plan is WorkloadPlan {
  switch (plan.kind) {
    case "workload":
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

/** Those of Kubernetes objects. */
export function workloads(plans: readonly InstancePlan[]): WorkloadPlan[] {
  return plans.filter(isWorkload);
}

/** The instance's servers; a CNF has none. */
export function serversOf(plan: InstancePlan): readonly PlannedServer[] {
  return isWorkload(plan) ? [] : plan.servers;
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
  /** True if what is on the cluster may go. */
  readonly evacuate: boolean;
}

/** Where a CNF lands: a cluster VNF of this stack or of another, or any cluster by its kubeconfig. */
export type Vim =
  | { readonly kind: "vnf"; readonly vnf: string }
  | ({ readonly kind: "stack" } & OtherStackVim)
  | { readonly kind: "kubeconfig"; readonly kubeconfig: Secret };

/** A virtual link with subnets of its own: one of the VNFD, or of the stack config. */
export interface PlannedNetwork {
  readonly virtualLink: string;
  /** At least one. */
  readonly subnets: readonly PlannedSubnet[];
  /** Undefined: the cloud's own. */
  readonly mtu: number | undefined;
  readonly vlanTransparent: boolean;
  /** Addresses, each for the subnets of its IP version. None: the cloud's own. */
  readonly dnsNameservers: readonly string[];
  /** Of all its subnets. Undefined: the network leads nowhere. */
  readonly router: PlannedRouter | undefined;
}

/** A Neutron router that is there already, by its id or name; or one to make, with the id or name of where it leads. */
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

/** An address of its own that the ports of some connection points share. */
export interface PlannedVirtualIp {
  readonly connectionPoint: string;
  readonly link: Link;
  readonly targets: readonly string[];
  /** As of a port. */
  readonly floatingNetwork: string | undefined;
  /** At most one of each IP version. None: Neutron's choice. */
  readonly fixedAddresses: readonly string[];
}

/** One VNFC: a Nova server. */
export interface PlannedServer extends Omit<ServerSettings, "availabilityZones" | "volumeAvailabilityZones"> {
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
  /** Nova's. Undefined: its choice. */
  readonly availabilityZone: string | undefined;
  /** A new one replaces the server; empty where it was never healed. */
  readonly healToken: string;
  /** In the order of the guest's interfaces. */
  readonly ports: readonly PlannedPort[];
  /** Those beside the boot volume, in the order in which they are attached. */
  readonly volumes: readonly PlannedVolume[];
  /** What it is for in a cluster of kubeadm. @default it is part of none */
  readonly role?: Role;
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
  /** Cinder's. Undefined is the cloud's default. */
  readonly availabilityZone: string | undefined;
  /** True if nothing may delete or replace it. */
  readonly protect: boolean;
}

export interface PlannedBootVolume extends PlannedVolume {
  /** True if the next server of the VNFC boots from it too. If not, each has one of its own, which goes with it. */
  readonly isKept: boolean;
}

/** The volumes of a server that outlive it, the one that it boots from among them where it is kept. */
export function ownVolumes({ bootVolume, volumes }: PlannedServer): readonly PlannedVolume[] {
  return [...(bootVolume?.isKept ? [bootVolume] : []), ...volumes];
}

/** A Nova flavor by its name or id, or the one of exactly this size. */
export type PlannedFlavor = { readonly kind: "name"; readonly name: string } | SizedFlavor;

export type { ExtraSpec };

/** The flavor of exactly that size. */
export interface SizedFlavor {
  readonly kind: "size";
  readonly vcpus: number;
  readonly ramMiB: number;
  readonly diskGiB: number;
  /** Of several of that size the one that has these. @default there is one of that size only */
  readonly extraSpecs?: readonly ExtraSpec[];
}

/** A Neutron port of one server; its fixed addresses are at most one of each IP version. */
export interface PlannedPort extends Omit<PortSettings, "vnicType"> {
  readonly connectionPoint: string;
  readonly link: Link;
  /** Neutron's VNIC type. Undefined is `normal`. */
  readonly vnicType: string | undefined;
  /** Id or name of the external network that its floating IP is of. Undefined: it has none. */
  readonly floatingNetwork: string | undefined;
}

/**
 * What a port connects to: a network that is made, by its virtual link; or one that is there already, by its id or name,
 * and perhaps the id of a subnet of it.
 */
export type Link =
  | { readonly kind: "internal"; readonly virtualLink: string }
  | { readonly kind: "external"; readonly network: string; readonly subnet?: string };
