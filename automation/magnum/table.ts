import {
  boolean,
  flavor,
  kubernetesVersion,
  list,
  loadBalancerProvider,
  ports,
  positive,
  programArguments,
  serverGroup,
  single,
  text,
  unlessOff,
  type Reader,
} from "./readers";

/** The project whose documentation or source has a label. */
export type Source = "Magnum" | "capi-helm" | "cluster-api";

interface Common {
  readonly name: string;
  /** Projects with the label. */
  readonly of?: readonly Source[];
}

/**
 * A property or a label that becomes a setting of `vnfm:clusterTemplates`; settings below `nodeGroup` belong to each
 * group.
 */
export interface Placed extends Common {
  readonly to: readonly string[];
  readonly read: Reader;
  /** A label without which this one has no effect. */
  readonly needs?: string;
  /** A property that makes this one ineffective. */
  readonly unless?: string;
  /** The network driver of Magnum without which it has no effect. */
  readonly driver?: string;
  /** True if the setting may be encrypted in the stack config. */
  readonly secret?: true;
}

/** A property or a label without a setting. */
export interface Unplaced extends Common {
  readonly why: string;
  /** Value that is dropped without a remark. */
  readonly usual?: string;
  /** True if its value is not shown. */
  readonly secret?: true;
}

/** A property or a label that determines the sizes of a cluster's node groups. */
export interface OfGroups extends Common {
  readonly groups: string;
}

export type Row = Placed | Unplaced | OfGroups;

const ADDON = "an addon: list its chart under `addons`, with its version and values";
const KUBEADM = "is determined by the release of Kubernetes and its kubeadm";
const IMAGE = "is part of the machines' image";
const HEAT = "belongs to Magnum's Heat driver; Cluster API has no equivalent";
const CLOUD_CONFIG = "belongs to the cloud controller manager's cloud.conf, which is created for the addon";
const STORAGE_CLASS = "belongs to a StorageClass: set it as a value of the addon `openstack-cinder-csi`";
const ISSUER = "oidc_issuer_url";

const VOLUMES = ["controlPlane.rootVolume", "nodeGroup.rootVolume"];

/**
 * Properties of Magnum's cluster templates and clusters, by the names that `openstack coe cluster template show` and
 * `openstack coe cluster show` print.
 * @see python-magnumclient, magnumclient/osc/v1/cluster_templates.py and clusters.py
 */
export const PROPERTIES: readonly Row[] = [
  { name: "image_id", to: ["image"], read: text },
  { name: "flavor_id", to: ["nodeGroup.flavor"], read: flavor },
  { name: "master_flavor_id", to: ["controlPlane.flavor"], read: flavor },
  { name: "master_count", to: ["controlPlane.replicas"], read: positive },
  { name: "node_count", groups: "`replicas` of the group `default-worker`" },
  { name: "coe_version", to: ["kubernetesVersion"], read: kubernetesVersion },
  { name: "keypair_id", to: ["sshKeyName"], read: text },
  { name: "keypair", to: ["sshKeyName"], read: text },
  { name: "external_network_id", to: ["network.externalNetwork"], read: text },
  { name: "fixed_network", to: ["network.network"], read: text },
  { name: "fixed_subnet", to: ["network.subnet"], read: text },
  { name: "dns_nameserver", to: ["network.dnsNameservers"], read: list, unless: "fixed_network" },
  { name: "http_proxy", to: ["proxy.httpProxy"], read: text, secret: true },
  { name: "https_proxy", to: ["proxy.httpsProxy"], read: text, secret: true },
  { name: "no_proxy", to: ["proxy.noProxy"], read: text },
  { name: "master_lb_enabled", to: ["apiServer.loadBalancer"], read: unlessOff },
  { name: "apiserver_port", to: ["apiServer.port"], read: positive },
  { name: "network_driver", why: "an addon: a cluster needs a CNI, so add its chart under `addons`" },
  { name: "volume_driver", why: "an addon: add the chart `openstack-cinder-csi` under `addons`" },
  { name: "floating_ip_enabled", why: "machines have no floating IPs; the API's is `apiServer.floatingIp`" },
  {
    name: "docker_volume_size",
    why: "images and containers are on the root volume: set its size accordingly",
  },
  { name: "docker_storage_driver", why: "belongs to Docker; machines use containerd", usual: "overlay2" },
  {
    name: "insecure_registry",
    why: "registries are always used with TLS: set their CA under `registryCertificates`",
  },
  { name: "registry_enabled", why: "no registry is created in the cluster: deploy one as a CNF" },
  { name: "tls_disabled", why: "the API always uses TLS" },
  {
    name: "cluster_distro",
    why: "the image must contain containerd and kubeadm, as images of image-builder do",
    usual: "ubuntu",
  },
  { name: "server_type", why: "machines are Nova servers with a flavor", usual: "vm" },
];

/**
 * Labels of Magnum and its drivers.
 * @see https://docs.openstack.org/magnum/latest/user/ (Magnum)
 * @see openstack/magnum-capi-helm, magnum_capi_helm/driver.py and conf.py (capi-helm)
 * @see vexxhost/magnum-cluster-api, docs/user/labels.md and magnum_cluster_api/resources.py (cluster-api)
 */
export const LABELS: readonly Row[] = [
  // versions and images
  { name: "kube_tag", of: ["Magnum", "cluster-api"], to: ["kubernetesVersion"], read: kubernetesVersion },
  {
    name: "container_infra_prefix",
    of: ["Magnum", "cluster-api"],
    why: "a prefix of images: set a mirror for each registry under `registryMirrors`",
  },
  { name: "hyperkube_prefix", of: ["Magnum"], why: HEAT },
  { name: "etcd_tag", of: ["Magnum"], why: KUBEADM },
  { name: "coredns_tag", of: ["Magnum"], why: KUBEADM },
  { name: "heat_container_agent_tag", of: ["Magnum"], why: HEAT },
  { name: "use_podman", of: ["Magnum"], why: HEAT },
  { name: "ostree_commit", of: ["Magnum"], why: IMAGE },
  { name: "ostree_remote", of: ["Magnum"], why: IMAGE },
  { name: "selinux_mode", of: ["Magnum"], why: IMAGE },
  { name: "container_runtime", of: ["Magnum"], why: IMAGE, usual: "containerd" },
  { name: "containerd_version", of: ["Magnum"], why: IMAGE },
  { name: "containerd_tarball_url", of: ["Magnum"], why: IMAGE },
  { name: "containerd_tarball_sha256", of: ["Magnum"], why: IMAGE },
  { name: "cgroup_driver", of: ["Magnum"], why: "kubeadm uses `systemd`", usual: "systemd" },
  { name: "capi_helm_chart_version", of: ["capi-helm"], why: "the cluster is not created by a chart" },
  // machines and volumes
  {
    name: "boot_volume_size",
    of: ["Magnum", "capi-helm", "cluster-api"],
    to: VOLUMES.map((of) => `${of}.sizeGiB`),
    read: positive,
  },
  {
    name: "boot_volume_type",
    of: ["Magnum", "capi-helm", "cluster-api"],
    to: VOLUMES.map((of) => `${of}.type`),
    read: text,
    needs: "boot_volume_size",
  },
  {
    name: "boot_volume_availability_zone",
    of: ["cluster-api"],
    to: VOLUMES.map((of) => `${of}.availabilityZone`),
    read: text,
    needs: "boot_volume_size",
  },
  {
    name: "etcd_volume_size",
    of: ["Magnum", "capi-helm", "cluster-api"],
    to: ["controlPlane.etcdVolume.sizeGiB"],
    read: positive,
  },
  {
    name: "etcd_volume_type",
    of: ["Magnum", "capi-helm", "cluster-api"],
    to: ["controlPlane.etcdVolume.type"],
    read: text,
    needs: "etcd_volume_size",
  },
  {
    name: "etcd_blockdevice_size",
    of: ["capi-helm"],
    to: ["controlPlane.etcdVolume.sizeGiB"],
    read: positive,
  },
  {
    name: "etcd_blockdevice_volume_type",
    of: ["capi-helm"],
    to: ["controlPlane.etcdVolume.type"],
    read: text,
    needs: "etcd_blockdevice_size",
  },
  {
    name: "etcd_blockdevice_type",
    of: ["capi-helm"],
    why: "a disk of the compute host for etcd: only Cinder volumes are supported",
    usual: "volume",
  },
  {
    name: "etcd_blockdevice_volume_az",
    of: ["capi-helm"],
    why: "etcd's volume is in the cloud's default zone",
  },
  {
    name: "docker_volume_type",
    of: ["Magnum", "cluster-api"],
    why: "images and containers are on the root volume",
  },
  {
    name: "availability_zone",
    of: ["Magnum", "cluster-api"],
    to: ["nodeGroup.availabilityZone"],
    read: text,
  },
  {
    name: "availability_zone",
    of: ["Magnum", "cluster-api"],
    to: ["controlPlane.availabilityZones"],
    read: single,
  },
  {
    name: "control_plane_availability_zones",
    of: ["cluster-api"],
    to: ["controlPlane.availabilityZones"],
    read: list,
  },
  {
    name: "server_group_policies",
    of: ["cluster-api"],
    to: ["controlPlane.serverGroup", "nodeGroup.serverGroup"],
    read: serverGroup,
  },
  {
    name: "different_failure_domain",
    of: ["cluster-api"],
    why: "belongs to a filter of Nova's scheduler; spread groups over zones with `availabilityZone`",
  },
  {
    name: "auto_healing_enabled",
    of: ["Magnum", "capi-helm", "cluster-api"],
    to: ["controlPlane.healthCheck.enabled", "nodeGroup.healthCheck.enabled"],
    read: boolean,
  },
  { name: "auto_healing_controller", of: ["Magnum"], why: "Cluster API heals with MachineHealthChecks" },
  { name: "magnum_auto_healer_tag", of: ["Magnum"], why: "Cluster API heals with MachineHealthChecks" },
  { name: "draino_tag", of: ["Magnum"], why: "Cluster API heals with MachineHealthChecks" },
  { name: "npd_enabled", of: ["Magnum"], why: ADDON },
  { name: "node_problem_detector_tag", of: ["Magnum"], why: ADDON },
  {
    name: "auto_scaling_enabled",
    of: ["Magnum", "capi-helm", "cluster-api"],
    groups: "`autoscaling` instead of `replicas`, and `autoscaler` of the cluster",
  },
  {
    name: "min_node_count",
    of: ["Magnum", "capi-helm"],
    groups: "`autoscaling.min` of the group `default-worker`",
  },
  {
    name: "max_node_count",
    of: ["Magnum", "capi-helm", "cluster-api"],
    groups: "`autoscaling.max` of a group without its own value",
  },
  { name: "autoscaler_tag", of: ["Magnum"], why: "`autoscaler` has an image of the version of Kubernetes" },
  // networks
  { name: "flannel_network_cidr", of: ["Magnum"], to: ["network.podCidr"], read: text, driver: "flannel" },
  {
    name: "calico_ipv4pool",
    of: ["Magnum", "cluster-api"],
    to: ["network.podCidr"],
    read: text,
    driver: "calico",
  },
  { name: "cilium_ipv4pool", of: ["cluster-api"], to: ["network.podCidr"], read: text, driver: "cilium" },
  {
    name: "service_cluster_ip_range",
    of: ["Magnum", "cluster-api"],
    to: ["network.serviceCidr"],
    read: text,
  },
  {
    name: "fixed_subnet_cidr",
    of: ["Magnum", "capi-helm", "cluster-api"],
    to: ["network.nodeCidr"],
    read: text,
    unless: "fixed_network",
  },
  { name: "extra_network_name", of: ["capi-helm"], to: ["nodeGroup.additionalPorts"], read: ports },
  { name: "extra_network_names", of: ["capi-helm"], to: ["nodeGroup.additionalPorts"], read: ports },
  {
    name: "dns_cluster_domain",
    of: ["cluster-api"],
    why: "the domain is `cluster.local`",
    usual: "cluster.local",
  },
  { name: "flannel_backend", of: ["Magnum"], why: ADDON },
  {
    name: "flannel_network_subnetlen",
    of: ["Magnum"],
    why: "each node has 256 pod addresses",
    usual: "24",
  },
  { name: "flannel_tag", of: ["Magnum"], why: ADDON },
  { name: "flannel_cni_tag", of: ["Magnum"], why: ADDON },
  { name: "calico_tag", of: ["Magnum", "cluster-api"], why: ADDON },
  { name: "calico_ipv4pool_ipip", of: ["Magnum"], why: ADDON },
  { name: "cilium_hubble_ui_enabled", of: ["cluster-api"], why: ADDON },
  // the API and who may use it
  {
    name: "octavia_provider",
    of: ["Magnum", "capi-helm", "cluster-api"],
    to: ["apiServer.loadBalancerProvider"],
    read: loadBalancerProvider,
  },
  { name: "octavia_lb_algorithm", of: ["Magnum", "capi-helm", "cluster-api"], why: CLOUD_CONFIG },
  { name: "octavia_lb_healthcheck", of: ["Magnum", "capi-helm", "cluster-api"], why: CLOUD_CONFIG },
  {
    name: "master_lb_floating_ip_enabled",
    of: ["Magnum", "capi-helm", "cluster-api"],
    to: ["apiServer.floatingIp"],
    read: unlessOff,
  },
  { name: "api_server_floating_ip", of: ["cluster-api"], to: ["apiServer.floatingIp"], read: text },
  { name: "master_lb_allowed_cidrs", of: ["Magnum"], to: ["apiServer.allowedCidrs"], read: list },
  { name: "api_master_lb_allowed_cidrs", of: ["capi-helm"], to: ["apiServer.allowedCidrs"], read: list },
  { name: "api_server_cert_sans", of: ["cluster-api"], to: ["apiServer.certSans"], read: list },
  {
    name: "api_server_tls_cipher_suites",
    of: ["cluster-api"],
    to: ["apiServer.extraArgs.tls-cipher-suites"],
    read: text,
  },
  {
    name: "admission_control_list",
    of: ["Magnum", "cluster-api"],
    to: ["apiServer.extraArgs.enable-admission-plugins"],
    read: text,
  },
  { name: "kubeapi_options", of: ["Magnum"], to: ["apiServer.extraArgs"], read: programArguments },
  { name: ISSUER, of: ["cluster-api"], to: ["apiServer.oidc.issuerUrl"], read: text },
  { name: "oidc_client_id", of: ["cluster-api"], to: ["apiServer.oidc.clientId"], read: text, needs: ISSUER },
  {
    name: "oidc_username_claim",
    of: ["cluster-api"],
    to: ["apiServer.oidc.usernameClaim"],
    read: text,
    needs: ISSUER,
  },
  {
    name: "oidc_username_prefix",
    of: ["cluster-api"],
    to: ["apiServer.oidc.usernamePrefix"],
    read: text,
    needs: ISSUER,
  },
  {
    name: "oidc_groups_claim",
    of: ["cluster-api"],
    to: ["apiServer.oidc.groupsClaim"],
    read: text,
    needs: ISSUER,
  },
  {
    name: "oidc_groups_prefix",
    of: ["cluster-api"],
    to: ["apiServer.oidc.groupsPrefix"],
    read: text,
    needs: ISSUER,
  },
  {
    name: "keystone_auth_enabled",
    of: ["Magnum", "capi-helm", "cluster-api"],
    why: "set Keystone's URL and groups for its roles under `apiServer.keystone`",
  },
  {
    name: "k8s_keystone_auth_tag",
    of: ["Magnum"],
    why: "see `apiServer.keystone.image`",
  },
  {
    name: "audit_log_enabled",
    of: ["cluster-api"],
    why: "write the rules of the policy under `apiServer.auditPolicy`",
  },
  ...["maxage", "maxbackup", "maxsize", "max_age", "max_backup", "max_size"].map((what): Row => ({
    name: `audit_log_${what}`,
    of: ["cluster-api"],
    why: "an argument of the API server: see `apiServer.extraArgs`",
  })),
  { name: "cert_manager_api", of: ["Magnum"], why: HEAT },
  // arguments of Kubernetes' programs
  { name: "kubelet_options", of: ["Magnum"], to: ["kubeadm.kubeletExtraArgs"], read: programArguments },
  {
    name: "kubelet_tls_cipher_suites",
    of: ["cluster-api"],
    to: ["kubeadm.kubeletExtraArgs.tls-cipher-suites"],
    read: text,
  },
  {
    name: "kubelet_serving_tls_enabled",
    of: ["cluster-api"],
    why: "kubelets sign their serving certificates themselves",
  },
  {
    name: "kubeproxy_options",
    of: ["Magnum"],
    why: "write the fields of its configuration under `kubeadm.kubeProxyConfiguration`",
  },
  {
    name: "kubescheduler_options",
    of: ["Magnum"],
    why: "there is no setting for arguments of kube-scheduler",
  },
  {
    name: "kubecontroller_options",
    of: ["Magnum"],
    why: "there is no setting for arguments of kube-controller-manager",
  },
  // addons
  {
    name: "cloud_provider_enabled",
    of: ["Magnum"],
    why: "an addon: add the chart `openstack-cloud-controller-manager` under `addons`",
  },
  { name: "cloud_provider_tag", of: ["Magnum", "cluster-api"], why: ADDON },
  {
    name: "cinder_csi_enabled",
    of: ["Magnum"],
    why: "an addon: add the chart `openstack-cinder-csi` under `addons`",
  },
  { name: "cinder_csi_plugin_tag", of: ["Magnum", "cluster-api"], why: ADDON },
  ...["attacher", "provisioner", "snapshotter", "resizer", "node_driver_registrar", "liveness_probe"].map(
    (what): Row => ({ name: `csi_${what}_tag`, of: ["Magnum"], why: ADDON }),
  ),
  ...["availability_zone", "reclaim_policy", "volume_binding_mode", "fstype", "allow_volume_expansion"].map(
    (what): Row => ({ name: `csi_cinder_${what}`, of: ["capi-helm"], why: STORAGE_CLASS }),
  ),
  { name: "manila_csi_plugin_tag", of: ["cluster-api"], why: ADDON },
  { name: "manila_csi_share_network_id", of: ["cluster-api"], why: ADDON },
  { name: "ingress_controller", of: ["Magnum"], why: ADDON },
  { name: "ingress_controller_role", of: ["Magnum"], why: ADDON },
  { name: "octavia_ingress_controller_tag", of: ["Magnum"], why: ADDON },
  { name: "nginx_ingress_controller_tag", of: ["Magnum"], why: ADDON },
  { name: "nginx_ingress_controller_chart_tag", of: ["Magnum"], why: ADDON },
  { name: "traefik_ingress_controller_tag", of: ["Magnum"], why: ADDON },
  { name: "kube_dashboard_enabled", of: ["Magnum", "capi-helm"], why: ADDON },
  { name: "kube_dashboard_version", of: ["Magnum"], why: ADDON },
  { name: "metrics_scraper_tag", of: ["Magnum"], why: ADDON },
  { name: "influx_grafana_dashboard_enabled", of: ["Magnum"], why: ADDON },
  { name: "heapster_enabled", of: ["Magnum"], why: "Kubernetes no longer supports Heapster" },
  { name: "metrics_server_enabled", of: ["Magnum"], why: ADDON },
  { name: "metrics_server_chart_tag", of: ["Magnum"], why: ADDON },
  { name: "monitoring_enabled", of: ["Magnum", "capi-helm"], why: ADDON },
  { name: "monitoring_retention_days", of: ["Magnum"], why: ADDON },
  { name: "monitoring_retention_size", of: ["Magnum"], why: ADDON },
  { name: "monitoring_storage_class_name", of: ["Magnum"], why: ADDON },
  { name: "monitoring_interval_seconds", of: ["Magnum"], why: ADDON },
  { name: "monitoring_ingress_enabled", of: ["Magnum"], why: ADDON },
  { name: "prometheus_monitoring", of: ["Magnum"], why: ADDON },
  { name: "prometheus_operator_chart_tag", of: ["Magnum"], why: ADDON },
  { name: "prometheus_adapter_enabled", of: ["Magnum"], why: ADDON },
  { name: "prometheus_adapter_chart_tag", of: ["Magnum"], why: ADDON },
  { name: "prometheus_adapter_configmap", of: ["Magnum"], why: ADDON },
  { name: "grafana_admin_passwd", of: ["Magnum"], why: ADDON, secret: true },
  { name: "cluster_basic_auth_secret", of: ["Magnum"], why: ADDON, secret: true },
  { name: "cluster_root_domain_name", of: ["Magnum"], why: ADDON },
  { name: "helm_client_url", of: ["Magnum"], why: "charts are installed from outside the cluster" },
  { name: "helm_client_sha256", of: ["Magnum"], why: "charts are installed from outside the cluster" },
  { name: "helm_client_tag", of: ["Magnum"], why: "charts are installed from outside the cluster" },
  { name: "tiller_enabled", of: ["Magnum"], why: "charts are installed from outside the cluster" },
];
