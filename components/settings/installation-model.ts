import type { ApiServerSecurity, Hardening } from "../kube/control-plane";
import type { Secret } from "../secret";
import type { Addon, BlockStorage, CredentialSettings, Taint } from "./cluster-model";

/** How an instance becomes a cluster of kubeadm: `k8s_cluster_installation_param`, with defaults filled in. */
export interface ClusterInstallation {
  readonly script_path?: string;
  readonly vim_name?: string;
  readonly master_node: MasterNode;
  readonly worker_node: WorkerNode;
  readonly worker_pools?: readonly WorkerNode[];
  readonly load_balancer: LoadBalancer;
  readonly jump_host?: JumpHostSettings;
  readonly drain: Drain;
  readonly proxy?: ProxySettings;
  readonly private_registry_connection_info?: readonly PrivateRegistrySettings[];
  readonly storage_server?: StorageServer;
  readonly pv_registration_params?: readonly PvRegistration[];
  readonly kubernetes_version?: string;
  readonly apt_repository?: AptRepositorySettings;
  readonly cni_manifest_path?: string;
  readonly cni_ports: readonly string[];
  /** Undefined: the operator has not said who, so nobody is kept out. */
  readonly management_cidrs?: readonly string[];
  readonly ingress_rules: readonly IngressRuleSettings[];
  readonly cloud_provider?: "openstack";
  readonly pod_network?: "neutron";
  /** By name. */
  readonly addons?: Readonly<Record<string, Addon>>;
  /** `rotate` of the instance makes another one. */
  readonly credential?: Omit<CredentialSettings, "rotate">;
  readonly block_storage?: BlockStorage;
  readonly apiServer?: ApiServerSecurity;
  readonly hardening?: Hardening;
  readonly kubeadm?: KubeadmAdditions;
}

export interface WorkerNode {
  readonly aspect_id?: string;
  readonly vdu_id?: string;
  readonly ssh_cp_name: string;
  readonly nic_cp_name?: string;
  readonly username: string;
  readonly password?: Secret;
  readonly private_key?: Secret;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
}

export interface MasterNode extends Omit<WorkerNode, "labels" | "taints"> {
  readonly pod_cidr: string;
  readonly cluster_cidr: string;
  /** With the next one: the cluster has dual stack. */
  readonly pod_cidr_ipv6?: string;
  readonly cluster_cidr_ipv6?: string;
  readonly cluster_cp_name?: string;
}

export interface LoadBalancer {
  readonly ssh_cp_name?: string;
  readonly username: string;
  readonly password?: Secret;
  readonly private_key?: Secret;
  readonly provider?: string;
  readonly virtual_router_id?: number;
}

/** A server of the cluster, or a host that is there already. */
export type JumpHostSettings =
  | { readonly vnfc: string }
  | {
      readonly host: string;
      readonly port?: number;
      readonly username?: string;
      readonly password?: Secret;
      readonly private_key?: Secret;
      readonly host_key: string;
    };

export interface Drain {
  readonly timeout_seconds: number;
  readonly delete_emptydir_data: boolean;
}

export interface StorageServer {
  readonly ssh_cp_name: string;
  readonly nic_cp_name?: string;
  readonly username: string;
  readonly password?: Secret;
  readonly private_key?: Secret;
  readonly nfs_server: "kernel" | "ganesha";
  readonly cinder_volume_setup_params: readonly CinderVolumeSetup[];
  readonly nfs_server_setup_params: readonly NfsExport[];
}

export interface CinderVolumeSetup {
  readonly volume_resource_id: string;
  readonly mount_to: string;
}

export interface NfsExport {
  readonly export_dir: string;
  /** CIDR. */
  readonly export_to: string;
  readonly export_options?: string;
}

export interface PvRegistration {
  readonly pv_manifest_file_path: string;
  readonly nfs_server_cp?: string;
}

export interface ProxySettings {
  readonly http_proxy?: Secret;
  readonly https_proxy?: Secret;
  readonly no_proxy?: string;
  readonly k8s_node_cidr?: string;
}

export interface PrivateRegistrySettings {
  /** HTTP or HTTPS. */
  readonly connection_type: "0" | "1";
  readonly server: string;
  readonly username?: string;
  readonly password?: Secret;
  readonly certificate_path?: string;
  readonly hosts_string?: string;
}

export interface AptRepositorySettings {
  readonly url?: string;
  readonly suite: string;
  readonly components: readonly string[];
  readonly signed_by: string;
  readonly packages: readonly string[];
}

export interface IngressRuleSettings {
  /** As parseTraffic reads it. */
  readonly ports: readonly string[];
  readonly cidrs: readonly string[];
}

export interface KubeadmAdditions {
  readonly ignore_preflight_errors?: readonly string[];
  readonly cluster_configuration?: Readonly<Record<string, unknown>>;
  readonly kubelet_configuration?: Readonly<Record<string, unknown>>;
  readonly kube_proxy_configuration?: Readonly<Record<string, unknown>>;
}
