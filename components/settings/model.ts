import type { Finding } from "../base/findings";
import type { Parsed } from "./parsed";
import type * as written from "./schema-types";

/**
 * The stack config after parsing: checked, with defaults filled in and secrets wrapped. The keys and their meaning are
 * in schema-types.ts, which is generated from the schemas.
 */
export interface Settings {
  /** Instances whose settings are valid by themselves, by name, without clusters from templates. */
  readonly vnfs: Readonly<Record<string, VnfSettings>>;
  /** Workload clusters from templates whose settings are valid by themselves, by instance name. */
  readonly clusters: Readonly<Record<string, ClusterSettings>>;
  /** Path of the site's policy, relative to the folder of Pulumi.yaml. @default none */
  readonly policy?: string;
  /** Instances with errors. */
  readonly refused: readonly { readonly name: string; readonly isCnf: boolean }[];
  /** Errors in the settings; the planner throws them together with its own. */
  readonly faults: readonly Finding[];
}

export type VnfSettings = Parsed<written.Vnf>;
export type Rotate = Parsed<written.Rotate>;
export type ServerSettings = Parsed<written.Servers>;
export type ExtVirtualLink = Parsed<written.ExtVirtualLink>;
/** Settings of a connection point's ports in Neutron. */
export type PortSettings = Omit<ExtVirtualLink, "network" | "subnet" | "virtualLink" | "floatingNetwork">;
export type VirtualLinkSettings = Parsed<written.VirtualLink>;
export type SubnetSettings = Parsed<written.VirtualLinkSubnet>;
/** A cluster of another stack, by its name as a VIM. */
export type OtherStackVim = Extract<VnfSettings["vim"], { readonly stack: string }>;

export type AdditionalParams = Parsed<written.AdditionalParams>;
export type VduMapping = Parsed<written.VduMapping>;
export type HelmInstallParam = Parsed<written.HelmInstallParam>;
export type CredentialsReceiver = Parsed<written.CredentialsReceiver>;
export type Addon = Parsed<written.Addon>;
export type BlockStorage = Parsed<written.BlockStorage>;

/** Settings that make an instance a kubeadm cluster: `k8s_cluster_installation_param`. */
export type ClusterInstallation = Parsed<written.ClusterInstallation>;
export type MasterNode = ClusterInstallation["master_node"];
export type WorkerNode = ClusterInstallation["worker_node"];
export type LoadBalancer = ClusterInstallation["load_balancer"];
export type Drain = ClusterInstallation["drain"];
export type PrivateRegistrySettings = Parsed<written.ClusterInstallationPrivateRegistryConnectionInfo>;
export type StorageServer = Parsed<written.ClusterInstallationStorageServer>;
export type PvRegistration = Parsed<written.ClusterInstallationPvRegistrationParam>;
export type AptRepositorySettings = Parsed<written.AptRepository>;
export type IngressRuleSettings = Parsed<written.ClusterInstallationIngressRule>;
export type KubeadmAdditions = Parsed<written.ClusterInstallationKubeadm>;

/** A workload cluster from a template. Its settings override those of the template. */
export type ClusterSettings = Omit<Parsed<written.Cluster>, "nodeGroup" | "nodeGroups" | "addons"> & {
  /** Node groups by name, each merged with `nodeGroup`. */
  readonly nodeGroups: Readonly<Record<string, NodeGroup>>;
  /** Addons by name, without those that are switched off. */
  readonly addons: Readonly<Record<string, Addon>>;
};
export type ControlPlane = ClusterSettings["controlPlane"];
export type NodeGroup = Parsed<written.NodeGroup> & { readonly flavor: string };
/** Settings that the control plane and node groups have in common. */
export type Machines = Pick<NodeGroup, Exclude<keyof NodeGroup & keyof ControlPlane, "replicas">>;
export type HealthCheck = Parsed<written.HealthCheck>;
export type ClusterPatch = Parsed<written.ClusterPatch>;
export type Taint = Parsed<written.Taint>;
export type ClusterNetwork = ClusterSettings["network"];
export type ApiServer = ClusterSettings["apiServer"];
export type CredentialSettings = ClusterSettings["credential"];
