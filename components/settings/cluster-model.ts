import type { RegistryLogin } from "../registry-logins";
import type { ApiServerSecurity, Hardening } from "../kube/control-plane";
import type { Fields } from "../kube/object";
import type { Secret } from "../secret";
import type { CredentialsReceiver } from "./model";

/**
 * A workload cluster by a template: the settings of the template, and its own over them, with defaults filled in. The
 * keys and their meaning are in cluster-schema.json.
 */
export interface ClusterSettings {
  readonly clusterTemplate: string;
  /** Instance name of the cluster that Cluster API runs on. */
  readonly vim: string;
  /** Such as `v1.33.0`. */
  readonly kubernetesVersion: string;
  readonly image: string;
  readonly sshKeyName?: string;
  readonly controlPlane: ControlPlane;
  /** By name. */
  readonly nodeGroups: Readonly<Record<string, NodeGroup>>;
  /** Times, such as `2026-01-31T09:00:00Z`, by node group, `controlPlane` or `all`. */
  readonly heal?: Readonly<Record<string, string>>;
  readonly network: ClusterNetwork;
  readonly apiServer: ApiServer;
  readonly hardening?: Hardening;
  readonly kubeadm: {
    readonly ignorePreflightErrors: readonly string[];
    readonly kubeletExtraArgs: Readonly<Record<string, string>>;
    readonly kubeProxyConfiguration?: Fields;
    readonly files: readonly MachineFile[];
    readonly preKubeadmCommands: readonly string[];
    readonly postKubeadmCommands: readonly string[];
    readonly skipPhases: readonly string[];
  };
  /** URLs by the name of the registry that they stand in front of. */
  readonly registryMirrors: Readonly<Record<string, readonly string[]>>;
  /** By the name of the registry. */
  readonly registryLogins: Readonly<Record<string, RegistryLogin>>;
  /** PEM. */
  readonly trustedCertificates: readonly string[];
  readonly proxy?: MachineProxy;
  readonly credential: CredentialSettings;
  readonly credentialsReceiver?: CredentialsReceiver;
  readonly blockStorage?: BlockStorage;
  /** By name; those that are switched off are left out. */
  readonly addons: Readonly<Record<string, Addon>>;
  readonly readyTimeout: string;
}

/** What machines of the control plane and of node groups have alike. */
export interface Machines {
  readonly flavor: string;
  readonly rootVolume?: RootVolume;
  readonly volumes?: readonly MachineVolume[];
  readonly additionalPorts?: readonly MachinePort[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  readonly configDrive?: boolean;
  /** Policy of a server group that is made for them. */
  readonly serverGroup?: "anti-affinity" | "soft-anti-affinity";
  readonly healthCheck: HealthCheck;
  /** Such as `10m`. */
  readonly nodeDrainTimeout: string;
  /** @default without an end */
  readonly nodeVolumeDetachTimeout?: string;
  /** @default Cluster API's */
  readonly nodeDeletionTimeout?: string;
}

export interface ControlPlane extends Machines {
  readonly replicas: number;
  readonly availabilityZones?: readonly string[];
  readonly taints?: readonly Taint[];
  readonly etcdVolume?: { readonly sizeGiB: number; readonly type?: string; readonly device: string };
  readonly certificatesExpiryDays: number;
}

export interface NodeGroup extends Machines {
  /** Undefined where cluster-autoscaler decides. */
  readonly replicas?: number;
  readonly autoscaling?: { readonly min: number; readonly max: number };
  /** @default that of the cluster */
  readonly image?: string;
  /** @default that of the cluster */
  readonly kubernetesVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly availabilityZone?: string;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export interface HealthCheck {
  readonly enabled: boolean;
  /** Such as `5m`. */
  readonly unhealthyTimeout: string;
  /** Such as `30m`. */
  readonly nodeStartupTimeout: string;
  /** Such as `1` or `40%`. */
  readonly maxUnhealthy: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

export interface RootVolume {
  readonly sizeGiB: number;
  readonly type?: string;
  readonly availabilityZone?: string;
}

export interface MachineVolume {
  readonly name: string;
  readonly sizeGiB: number;
  readonly type?: string;
}

export interface MachinePort {
  readonly network: string;
  readonly subnet?: string;
  readonly vnicType?: string;
  readonly trunk: boolean;
  readonly portSecurity: boolean;
  /** CIDRs. */
  readonly allowedAddresses?: readonly string[];
}

/** Networks, subnets and routers are given by name or id. */
export interface ClusterNetwork {
  /** Undefined: there is neither a router nor a floating IP. */
  readonly externalNetwork?: string;
  /** Undefined: one is made. */
  readonly network?: string;
  readonly subnet?: string;
  /** Undefined: one is made, where the network is. */
  readonly router?: string;
  readonly nodeCidr?: string;
  readonly allocationPools?: readonly { readonly start: string; readonly end: string }[];
  readonly mtu?: number;
  readonly dnsNameservers?: readonly string[];
  readonly podCidr: string;
  readonly serviceCidr: string;
  readonly ingressRules: readonly { readonly ports: readonly string[]; readonly cidrs: readonly string[] }[];
  readonly bastion?: { readonly flavor: string; readonly image: string; readonly availabilityZone?: string };
}

export interface ApiServer extends ApiServerSecurity {
  readonly loadBalancer: boolean;
  readonly loadBalancerProvider?: "amphora" | "ovn";
  /** Undefined: one is made. */
  readonly floatingIp?: string | false;
  readonly fixedIp?: string;
  readonly port: number;
  readonly allowedCidrs?: readonly string[];
  readonly certSans?: readonly string[];
  readonly extraArgs: Readonly<Record<string, string>>;
  readonly oidc?: OpenIdConnect;
}

export interface OpenIdConnect {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly usernameClaim?: string;
  readonly usernamePrefix?: string;
  readonly groupsClaim?: string;
  readonly groupsPrefix?: string;
  /** PEM. */
  readonly ca?: string;
}

export interface MachineFile {
  readonly path: string;
  /** A Secret where it is encrypted in the stack config. */
  readonly content: string | Secret;
  /** Such as `0644`. */
  readonly permissions: string;
}

export interface MachineProxy {
  readonly httpProxy?: Secret;
  readonly httpsProxy?: Secret;
  /** Comma separated. */
  readonly noProxy?: string;
}

export interface CredentialSettings {
  /** Undefined: all that the user has. */
  readonly roles?: readonly string[];
  /** Such as `2027-01-31T00:00:00Z`. */
  readonly expiresAt?: string;
  readonly accessRules?: readonly AccessRule[];
  /** A token. */
  readonly rotate?: string;
}

/** `[BlockStorage]` of the cloud.conf of Cinder's CSI driver, by its own names. */
export type BlockStorage = Readonly<Record<string, boolean | number>>;

export interface AccessRule {
  /** Type of the service. */
  readonly service: string;
  readonly method: string;
  readonly path: string;
}

/** A chart of a repository. */
export interface Addon {
  readonly repository: string;
  readonly login?: RegistryLogin;
  /** @default the addon's name */
  readonly chart?: string;
  readonly version: string;
  readonly digest: string;
  readonly namespace?: string;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Instances of Secret are among them. */
  readonly values?: Fields;
}
