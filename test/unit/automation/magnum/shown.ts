/**
 * Output of Magnum's client with `-f json`. The keys, their order and the empty values are python-magnumclient's:
 * CLUSTER_TEMPLATE_ATTRIBUTES (empty is "-"), CLUSTER_ATTRIBUTES and NODEGROUP_ATTRIBUTES (empty is null, or "" if the
 * API lacks the attribute) of magnumclient/osc/v1/cluster_templates.py, clusters.py and nodegroups.py. The labels are
 * those that Magnum's documentation lists as tested with its release Bobcat.
 */
const TEMPLATE = "da2825a0-6d09-4208-b39e-b2db666f1118";
const CLUSTER = "04952c60-a338-437f-a7e7-d016d1d00e65";

export const BOBCAT = {
  kube_tag: "v1.26.8-rancher1",
  flannel_tag: "v0.21.5",
  master_lb_floating_ip_enabled: "true",
  cinder_csi_enabled: "true",
  ingress_controller: "octavia",
  container_runtime: "containerd",
  containerd_version: "1.6.20",
  cloud_provider_tag: "v1.26.3",
  coredns_tag: "1.10.1",
};

export function templateShown(changes: object = {}): Record<string, unknown> {
  return {
    insecure_registry: "-",
    labels: BOBCAT,
    updated_at: "-",
    floating_ip_enabled: false,
    fixed_subnet: "-",
    master_flavor_id: "m1.medium",
    uuid: TEMPLATE,
    no_proxy: "-",
    https_proxy: "-",
    tls_disabled: false,
    keypair_id: "operator",
    public: false,
    http_proxy: "-",
    docker_volume_size: "-",
    server_type: "vm",
    external_network_id: "public",
    cluster_distro: "fedora-coreos",
    image_id: "fedora-coreos-38",
    volume_driver: "cinder",
    registry_enabled: false,
    docker_storage_driver: "overlay2",
    apiserver_port: "-",
    name: "kube-1.26",
    created_at: "2025-07-25T23:09:50+00:00",
    network_driver: "flannel",
    fixed_network: "-",
    coe: "kubernetes",
    flavor_id: "m1.small",
    master_lb_enabled: true,
    dns_nameserver: "192.0.2.53,192.0.2.54",
    project_id: "3d4a50a92b59438bbf19c231f9c7625a",
    hidden: false,
    tags: "-",
    ...changes,
  };
}

export function clusterShown(changes: object = {}): Record<string, unknown> {
  return {
    status: "CREATE_COMPLETE",
    health_status: "HEALTHY",
    cluster_template_id: TEMPLATE,
    node_addresses: ["10.0.0.12", "10.0.0.31"],
    uuid: CLUSTER,
    stack_id: "b7bf72ce-b08e-4768-8201-e63a99346898",
    status_reason: null,
    created_at: "2025-07-25T23:14:06+00:00",
    updated_at: "2025-07-25T23:14:10+00:00",
    coe_version: "v1.26.8",
    labels: BOBCAT,
    labels_overridden: {},
    labels_skipped: {},
    labels_added: {},
    fixed_network: null,
    fixed_subnet: null,
    floating_ip_enabled: false,
    faults: "",
    keypair: "operator",
    api_address: "https://192.0.2.86:6443",
    master_addresses: ["10.0.0.9"],
    master_lb_enabled: true,
    create_timeout: 60,
    node_count: 2,
    discovery_url: "https://discovery.etcd.io/3b7fb09733429d16679484673ba3bfd5",
    master_count: 3,
    container_version: "1.9.1",
    name: "tenant-a",
    master_flavor_id: "m1.medium",
    flavor_id: "m1.small",
    health_status_reason: { api: "ok" },
    project_id: "3d4a50a92b59438bbf19c231f9c7625a",
    ...changes,
  };
}

export function groupShown(changes: object = {}): Record<string, unknown> {
  return {
    uuid: "6e4a1a0c-0b1e-4d8e-9d2b-0a5d3c2f7e11",
    name: "default-worker",
    cluster_id: CLUSTER,
    project_id: "3d4a50a92b59438bbf19c231f9c7625a",
    docker_volume_size: null,
    labels: BOBCAT,
    labels_overridden: {},
    labels_skipped: {},
    labels_added: {},
    flavor_id: "m1.small",
    image_id: "fedora-coreos-38",
    node_addresses: ["10.0.0.12", "10.0.0.31"],
    node_count: 2,
    role: "worker",
    max_node_count: null,
    min_node_count: 1,
    is_default: true,
    stack_id: "b7bf72ce-b08e-4768-8201-e63a99346898",
    status: "CREATE_COMPLETE",
    status_reason: null,
    ...changes,
  };
}
