import { haClusterVnf, haStorageVnf } from "../../support/configs";
import { ARMORED_KEY, kubeconfig } from "../fixtures";
import { configWith, INSTALLATION as K } from "./support";

/** Valid configs, which together set nearly every setting. Each secret contains `s3cret`. */

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\ns3cret\n-----END OPENSSH PRIVATE KEY-----\n";
const CHART = { repository: "https://charts.example", version: "2.34.0", digest: "0".repeat(64) };
/** A small manifest in place of a CNI. */
const CNI = "vnf-packages/web-cnf/Files/kubernetes/service.yaml";

/** Returns a cluster with one control-plane node, a CNF on it, and two CNFs on clusters outside the stack. */
export function clusterAndCnfs(): Record<string, unknown> {
  return configWith({
    "vnf-a.flavour": "simple",
    "vnf-a.instantiationLevel": "instantiation_level_1",
    "vnf-a.images": { masterNode: "debian-12" },
    "vnf-a.flavors": { workerNode: "m1.small" },
    "vnf-a.servers.masterNode": {
      availabilityZones: ["az1"],
      volumeAvailabilityZones: ["az1"],
      configDrive: true,
      metadata: { role: "master" },
      tags: ["blue"],
      schedulerHints: { reservation: "r1" },
    },
    "vnf-a.extVirtualLinks.masterNode_CP1.subnet": "a subnet",
    "vnf-a.extVirtualLinks.masterNode_CP1.fixedAddresses": ["198.18.0.11"],
    "vnf-a.extVirtualLinks.masterNode_CP1.allowedAddressPairs": [
      { ipAddress: "10.20.0.0/16", macAddress: "00:00:5e:00:01:33" },
    ],
    "vnf-a.extVirtualLinks.masterNode_CP1.securityGroups": ["web"],
    "vnf-a.extVirtualLinks.masterNode_CP1.portSecurity": true,
    "vnf-a.extVirtualLinks.masterNode_CP1.vnicType": "direct",
    "vnf-a.extVirtualLinks.masterNode_CP1.bindingProfile": { capabilities: ["switchdev"] },
    "vnf-a.extVirtualLinks.masterNode_CP1.qosPolicy": "gold",
    "vnf-a.extVirtualLinks.masterNode_CP1.tags": ["blue"],
    [`${K}.vim_name`]: "vim",
    [`${K}.kubernetes_version`]: "v1.33.0",
    [`${K}.cni_manifest_path`]: CNI,
    [`${K}.script_path`]: "test/run.sh",
    [`${K}.cni_ports`]: ["udp/8472", "tcp/4240-4245", "icmp"],
    [`${K}.ingress_rules`]: [{ ports: ["sctp/38412", "esp"], cidrs: ["10.20.0.0/16", "fd00::/64"] }],
    [`${K}.proxy`]: {
      http_proxy: "http://user:s3cret@proxy:3128",
      https_proxy: "http://user:s3cret@proxy:3128",
      no_proxy: "example.org",
      k8s_node_cidr: "198.18.0.0/16",
    },
    [`${K}.files`]: [{ path: "/etc/site/agent.conf", content: "level=info\n", permissions: "0600" }],
    [`${K}.apiServer`]: {
      oidc: { issuerUrl: "https://login.example", clientId: "kubernetes", groupsClaim: "groups" },
      keystone: { authUrl: "https://keystone.example/v3", roles: { operator: ["operators"] } },
    },
    [`${K}.private_registry_connection_info`]: [
      {
        connection_type: "1",
        server: "registry.example:5000",
        username: "puller",
        password: "s3cret",
        mirrors: ["https://mirror.example/v2/site"],
        hosts_string: "198.18.0.9 registry.example",
      },
    ],
    [`${K}.master_node.username`]: "debian",
    [`${K}.master_node.password`]: "s3cret",
    [`${K}.master_node.cluster_cp_name`]: "masterNode_CP1",
    [`${K}.worker_node.private_key`]: KEY,
    [`${K}.worker_node.vdu_id`]: "workerNode",
    [`${K}.worker_node.nic_cp_name`]: "workerNode_CP2",
    [`${K}.kubeadm`]: {
      ignore_preflight_errors: ["Swap"],
      cluster_configuration: { dns: { imageTag: "v1" } },
      kubelet_configuration: { failSwapOn: false },
    },
    "vnf-b.additionalParams.lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"],
    "vnf-b.additionalParams.vdu_mapping": { web: { kind: "Deployment", name: "web" } },
    "vnf-b.readyTimeout": "10m",
    "vnf-c": {
      package: "vnf-packages/web-cnf",
      vim: { kubeconfig: kubeconfig("s3cret") },
      additionalParams: {
        "lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"],
        kubernetes_version: "v1.33.0",
      },
    },
    "vnf-d": {
      package: "vnf-packages/web-cnf",
      vim: { stack: "organization/vnfm/clusters", vim_name: "cluster-a" },
      additionalParams: { "lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"] },
    },
  });
}

/** Returns a highly available cluster with a storage server, and two with other load balancers. */
export function highlyAvailableClusters(): Record<string, unknown> {
  const installation = "additionalParams.k8s_cluster_installation_param";
  const others = ["vnf-b", "vnf-c"].map((name) => `${name}.${installation}`);
  return configWith(
    {
      "vnf-a.surge": { worker_instance: 1 },
      "vnf-a.heal": { "workerNode-2": "2026-11-21", all: "2026-11-22" },
      "vnf-a.rotate": { ssh_key: "1", service_account: "2", certificates: "3" },
      "vnf-a.evacuate": true,
      "vnf-a.protectVolumes": false,
      ...Object.fromEntries([K, ...others].map((path) => [`${path}.cni_manifest_path`, CNI])),
      ...Object.fromEntries([K, ...others].map((path) => [`${path}.kubeadm`, undefined])),
      [`${K}.kubernetes_version`]: "v1.33.0",
      [`${K}.apt_repository`]: {
        url: "https://apt.example/kubernetes",
        suite: "bookworm",
        components: ["main"],
        signed_by: ARMORED_KEY,
        packages: ["cri-tools"],
      },
      [`${K}.drain`]: { timeout_seconds: 60, delete_emptydir_data: false },
      [`${K}.load_balancer`]: { virtual_router_id: 7 },
      [`${K}.storage_server.nic_cp_name`]: "storage_server_CP",
      [`${K}.storage_server.username`]: "debian",
      [`${K}.storage_server.password`]: "s3cret",
      [`${K}.storage_server.nfs_server_setup_params[0].export_options`]: "rw,anonuid=1000",
      "vnf-b.flavour": "ha-external-lb",
      "vnf-b.extVirtualLinks.loadBalancer_CP3": { network: "public" },
      [`${others[0]}.load_balancer`]: {
        ssh_cp_name: "loadBalancer_CP3",
        username: "debian",
        private_key: KEY,
      },
      "vnf-c.flavour": "ha-octavia",
      [`${others[1]}.load_balancer`]: { provider: "ovn" },
      [`${others[1]}.cloud_provider`]: "openstack",
      [`${others[1]}.addons`]: {
        "openstack-cloud-controller-manager": {
          ...CHART,
          login: { username: "reader", password: "s3cret" },
          namespace: "cloud",
          values: { logVerbosityLevel: 4 },
        },
        "openstack-cinder-csi": { ...CHART, chart: "cinder" },
      },
      "vnf-c.rotate": { credential: "1" },
    },
    { "vnf-a": haStorageVnf(3, 2), "vnf-b": haClusterVnf(3, 1), "vnf-c": haClusterVnf(3, 1) },
  );
}
