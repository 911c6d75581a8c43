import type { RegistryLogin } from "../registry-logins";
import type { Secret } from "../secret";
import type { ClusterSettings } from "./cluster-model";
import type { ClusterInstallation } from "./installation-model";

/**
 * The stack config as the rest of the program sees it: checked, with defaults filled in, secrets wrapped.
 * The keys and their meaning are in schema.json.
 */
export interface Settings {
  /** By instance name: those with nothing wrong in them by themselves. */
  readonly vnfs: Readonly<Record<string, VnfSettings>>;
  /** By instance name: the workload clusters by a template with nothing wrong in them by themselves. */
  readonly clusters: Readonly<Record<string, ClusterSettings>>;
  /** Path of the site's policy, relative to the folder of Pulumi.yaml. @default none */
  readonly policy?: string;
  /** Names of the other instances. */
  readonly refused: readonly string[];
  /** What is wrong in them, or in `vnfm:vnfs` itself; whoever plans throws with it and what else is wrong. */
  readonly faults: readonly string[];
}

export interface VnfSettings {
  readonly package: string;
  readonly flavour?: string;
  readonly instantiationLevel?: string;
  readonly scale?: Readonly<Record<string, number>>;
  /** Levels on top of those of scale. */
  readonly surge?: Readonly<Record<string, number>>;
  /** Token by server key, or by `all`. */
  readonly heal?: Readonly<Record<string, string>>;
  readonly rotate?: Rotate;
  readonly evacuate: boolean;
  readonly placementPolicy: "strict" | "soft";
  readonly extVirtualLinks?: Readonly<Record<string, ExtVirtualLink>>;
  /** By name. */
  readonly virtualLinks?: Readonly<Record<string, VirtualLinkSettings>>;
  readonly images?: Readonly<Record<string, string>>;
  readonly flavors?: Readonly<Record<string, string>>;
  /** By VDU. */
  readonly servers?: Readonly<Record<string, ServerSettings>>;
  readonly protectVolumes: boolean;
  readonly keepBootVolumes: boolean;
  readonly vim?: string | OtherStackVim | { readonly kubeconfig: Secret };
  /** Such as `90s` or `10m`. */
  readonly readyTimeout: string;
  readonly additionalParams?: AdditionalParams;
}

/** Tokens. */
export interface Rotate {
  readonly ssh_key?: string;
  readonly service_account?: string;
  readonly certificates?: string;
  readonly encryption_key?: string;
  readonly credential?: string;
}

/** A cluster of another stack by its name as a VIM. */
export interface OtherStackVim {
  /** `<stack>` of this project, or `<organization>/<project>/<stack>`. */
  readonly stack: string;
  readonly vim_name: string;
}

/** What the servers of a VDU ask of Nova and Cinder besides image and flavor. */
export interface ServerSettings {
  readonly availabilityZones?: readonly string[];
  readonly volumeAvailabilityZones?: readonly string[];
  readonly configDrive?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  readonly schedulerHints?: SchedulerHints;
}

/** By the names of Nova's API; those beside the named ones are texts. */
export interface SchedulerHints {
  readonly group?: string;
  readonly different_host?: readonly string[];
  readonly same_host?: readonly string[];
  readonly [hint: string]: string | readonly string[] | undefined;
}

/** Either with `network` or with `virtualLink`. */
export interface ExtVirtualLink extends PortSettings {
  readonly network?: string;
  readonly subnet?: string;
  readonly virtualLink?: string;
  readonly floatingNetwork?: string;
}

/** What the ports of a connection point ask of Neutron. */
export interface PortSettings {
  readonly fixedAddresses?: readonly string[];
  readonly allowedAddressPairs?: readonly AddressPair[];
  readonly securityGroups?: readonly string[];
  readonly portSecurity?: boolean;
  readonly vnicType?: string;
  readonly bindingProfile?: Readonly<Record<string, unknown>>;
  readonly qosPolicy?: string;
  readonly tags?: readonly string[];
}

export interface AddressPair {
  /** An address or a CIDR. */
  readonly ipAddress: string;
  readonly macAddress?: string;
}

/** A network that is made. */
export interface VirtualLinkSettings {
  readonly subnets?: readonly SubnetSettings[];
  readonly mtu?: number;
  readonly dnsNameservers?: readonly string[];
  /** The id or name of one of the cloud, or one that is made. */
  readonly router?: string | { readonly externalNetwork: string };
}

export interface SubnetSettings {
  readonly cidr: string;
  readonly gatewayIp?: string;
  readonly dhcpEnabled: boolean;
  readonly ipv6AddressMode?: "slaac" | "dhcpv6-stateful" | "dhcpv6-stateless";
  readonly ipAllocationPools?: readonly { readonly start: string; readonly end: string }[];
}

export interface AdditionalParams {
  readonly k8s_cluster_installation_param?: ClusterInstallation;
  readonly "lcm-kubernetes-def-files"?: readonly string[];
  /** Values by the names that the manifests have as `${NAME}`. Undefined: such a text stays as it is written. */
  readonly variables?: Readonly<Record<string, string | number | boolean | Secret>>;
  readonly namespace?: string;
  readonly namespace_labels?: Readonly<Record<string, string>>;
  /** Such as `v1.33.0`: that of the cluster of the CNF. */
  readonly kubernetes_version?: string;
  /** Whether it is that of objects too whose manifests name another one. */
  readonly override_namespace?: boolean;
  /** `none`: no object of the manifests is the VDU. */
  readonly vdu_mapping?: Readonly<Record<string, VduMapping | "none">>;
  readonly using_helm_install_param?: readonly HelmInstallParam[];
  readonly credentials_receiver?: CredentialsReceiver;
  /** Names of values by scaling aspect. */
  readonly helm_replica_values?: Readonly<Record<string, string>>;
}

export interface VduMapping {
  readonly kind: string;
  readonly name: string;
  /** @default the only release */
  readonly helmreleasename?: string;
}

/** A web server that gets the credentials of a workload cluster. */
export interface CredentialsReceiver {
  readonly url: string;
  /** PEM. @default those of the CAs that Node.js knows */
  readonly ca?: string;
  /** By name. */
  readonly headers?: Readonly<Record<string, Secret>>;
}

/** A Helm release, by the keys of Tacker's sample driver `kubernetes_mgmt` and some more. */
export interface HelmInstallParam {
  readonly helmreleasename: string;
  readonly exthelmchart: boolean | "true" | "false";
  /** In the package: a folder or an archive. */
  readonly helmchartfile_path?: string;
  readonly helmchartname?: string;
  readonly exthelmrepo_url?: string;
  readonly login?: RegistryLogin;
  readonly version?: string;
  /** SHA-256 in hexadecimal. */
  readonly digest?: string;
  /** `<key>=<value>`. */
  readonly helmparameter: readonly string[];
  /** Instances of Secret are among them. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** By key. */
  readonly secret_values?: Readonly<Record<string, Secret>>;
  readonly atomic?: boolean;
}
