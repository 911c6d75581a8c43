import { type Contradiction, INSTALLATION as K, refuseContradictions } from "./support";

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n";
const C = `${K}.kubeadm.cluster_configuration`;

const B = `${K}.load_balancer`;
const EXTERNAL_LB = {
  "vnf-a.flavour": "ha-external-lb",
  "vnf-a.extVirtualLinks.loadBalancer_CP3": { network: "public" },
};

const TOO_OLD =
  "is too old: kubeadm has the API v1beta4, which vnfm uses, in v1.31.0 and newer; use one of these, " +
  "and an image of it. An existing cluster of an older version can be used as a vim";

const COMBINATIONS: readonly Contradiction[] = [
  [
    "a version before kubeadm's API",
    { [`${K}.kubernetes_version`]: "v1.25.0" },
    `${K}.kubernetes_version: v1.25.0 ${TOO_OLD}`,
  ],
  [
    "a password and a key",
    { [`${K}.master_node.password`]: "hunter2", [`${K}.master_node.private_key`]: KEY },
    `${K}.master_node: set password or private_key, not both`,
  ],
  [
    "a password and a key of workers",
    { [`${K}.worker_node.password`]: "hunter2", [`${K}.worker_node.private_key`]: KEY },
    `${K}.worker_node: set password or private_key, not both`,
  ],
  [
    "one VDU for masters and workers",
    { [`${K}.worker_node`]: { ssh_cp_name: "masterNode_CP1" } },
    `${K}.worker_node: uses the VDU of master_node, masterNode; use another VDU`,
  ],
  [
    "a VDU and a connection point of another",
    { [`${K}.worker_node.vdu_id`]: "masterNode", [`${K}.worker_node.aspect_id`]: undefined },
    `${K}.worker_node.ssh_cp_name: "workerNode_CP2" is not a connection point of VDU masterNode; one of masterNode_CP1`,
    `${K}.worker_node.nic_cp_name: "workerNode_CP2" is not a connection point of VDU masterNode; one of masterNode_CP1`,
    `${K}.worker_node: uses the VDU of master_node, masterNode; use another VDU`,
  ],
  [
    "an aspect that is none, of servers that have one",
    { [`${K}.worker_node.aspect_id`]: "constructor" },
    `${K}.worker_node.aspect_id: "constructor" is not a scaling aspect of the VNFD; one of worker_instance`,
  ],
  [
    "an aspect of other servers",
    { [`${K}.master_node.aspect_id`]: "worker_instance" },
    `${K}.master_node.aspect_id: aspect "worker_instance" scales workerNode, not masterNode`,
  ],
  [
    "pods and Services of the same addresses",
    { [`${K}.master_node.cluster_cidr`]: "10.244.0.0/16" },
    `${K}.master_node.pod_cidr: 10.244.0.0/16 overlaps 10.244.0.0/16 of vnfm:vnfs.${K}.master_node.cluster_cidr`,
  ],
  [
    "pods and nodes of the same addresses",
    { [`${K}.proxy`]: { k8s_node_cidr: "10.244.1.0/24" } },
    `${K}.master_node.pod_cidr: 10.244.0.0/16 overlaps 10.244.1.0/24 of vnfm:vnfs.${K}.proxy.k8s_node_cidr`,
  ],
  [
    "fewer addresses than nodes",
    { "vnf-a.scale.worker_instance": 8, [`${K}.master_node.pod_cidr`]: "10.244.0.0/21" },
    `${K}.master_node.pod_cidr: 10.244.0.0/21 has a /24 for at most 8 of the 10 nodes; use a larger block`,
  ],
  [
    "IPv6 for pods alone",
    { [`${K}.master_node.pod_cidr_ipv6`]: "fd00:10:244::/56" },
    `${K}.master_node.cluster_cidr_ipv6: is required, because in a dual stack both pods and Services have IPv6`,
  ],
  [
    "blocks of IPv6 that kubeadm does not take",
    {
      [`${K}.master_node.pod_cidr_ipv6`]: "fd00::/40",
      [`${K}.master_node.cluster_cidr_ipv6`]: "fd00:96::/64",
    },
    `${K}.master_node.pod_cidr_ipv6: fd00::/40 has a size that kubeadm does not accept; use /48 to /64`,
    `${K}.master_node.cluster_cidr_ipv6: fd00:96::/64 has a size that kubeadm does not accept; use /108 to /124`,
  ],
  [
    "fewer blocks of IPv6 than nodes",
    {
      "vnf-a.scale.worker_instance": 8,
      [`${K}.master_node.pod_cidr_ipv6`]: "fd00:10:244::/61",
      [`${K}.master_node.cluster_cidr_ipv6`]: "fd00:10:244:7::/112",
    },
    `${K}.master_node.pod_cidr_ipv6: fd00:10:244::/61 overlaps fd00:10:244:7::/112 of vnfm:vnfs.${K}.master_node.cluster_cidr_ipv6`,
    `${K}.master_node.pod_cidr_ipv6: fd00:10:244::/61 has a /64 for at most 8 of the 10 nodes; use a larger block`,
  ],
  [
    "what kubeadm, a kubelet, kube-proxy or a component does not start with",
    {
      [`${K}.kubernetes_version`]: "v1.33.0",
      [`${C}.imageRepository`]: "https://registry.example",
      [`${C}.featureGates`]: { SidecarContainers: true },
      [`${K}.kubeadm.kubelet_configuration`]: { cpuManagerPolicy: "static" },
      [`${K}.kubeadm.kube_proxy_configuration`]: { featureGates: { Nope: true } },
      [`${C}.controllerManager.extraArgs`]: [{ name: "pod-eviction-timeout", value: "1m" }],
      [`${C}.scheduler.extraArgs`]: [{ name: "config", value: "/etc/scheduler.yaml" }],
      [`${C}.apiServer.extraVolumes`]: [{ name: "a", hostPath: "/etc/audit", mountPath: "/etc/audit" }],
      [`${C}.apiServer.extraArgs`]: [
        { name: "audit-policy-file", value: "/etc/audit/policy.yaml" },
        { name: "tracing-config-file", value: "/etc/tracing.yaml" },
        { name: "authentication-config", value: "/etc/kubernetes/pki/authentication.yaml" },
        { name: "oidc-issuer-url", value: "https://login.example" },
        { name: "oidc-client-id", value: "kubernetes" },
      ],
    },
    `${C}.imageRepository: "https://registry.example" is not an image repository; write registry/path without https:// and without a tag, as in registry.k8s.io`,
    `${C}.featureGates: "SidecarContainers" is not a feature gate of Kubernetes 1.31 to 1.37`,
    `${K}.kubeadm.kubelet_configuration.cpuManagerPolicy: static needs CPUs for the node itself; set reservedSystemCPUs, or cpu in kubeReserved or systemReserved`,
    `${K}.kubeadm.kube_proxy_configuration.featureGates: "Nope" is not a feature gate of Kubernetes 1.31 to 1.37`,
    `${C}.apiServer.extraArgs: has tracing-config-file, which refers to /etc/tracing.yaml, a file that is not in the component's pod; put it into /etc/kubernetes/pki of each machine, or mount it`,
    `${C}.apiServer.extraArgs: has authentication-config, which kube-apiserver rejects together with arguments of OpenID Connect; remove one of the two`,
    `${C}.controllerManager.extraArgs: has pod-eviction-timeout, which is not an argument of kube-controller-manager of Kubernetes 1.31 to 1.37`,
    `${C}.scheduler.extraArgs: has config, which refers to /etc/scheduler.yaml, a file that is not in the component's pod; put it into /etc/kubernetes/pki of each machine, or mount it`,
  ],
  [
    "larger blocks of nodes than there is room for",
    { [`${C}.controllerManager.extraArgs`]: [{ name: "node-cidr-mask-size-ipv4", value: "16" }] },
    `${K}.master_node.pod_cidr: 10.244.0.0/16 has a /16 for at most 1 of the 3 nodes; use a larger block`,
  ],
  [
    "blocks of nodes that kubeadm does not read, and pods that it compares with its own",
    {
      [`${K}.master_node.pod_cidr`]: "10.244.0.0/25",
      [`${C}.controllerManager.extraArgs`]: [{ name: "node-cidr-mask-size", value: "28" }],
    },
    `${K}.master_node.pod_cidr: 10.244.0.0/25 has a size that kubeadm does not accept; use /12 to /24`,
  ],
  [
    "sizes of nodes' blocks that are none",
    {
      [`${C}.controllerManager.extraArgs`]: [
        { name: "node-cidr-mask-size", value: "33" },
        { name: "node-cidr-mask-size-ipv4", value: "a" },
        { name: "node-cidr-mask-size-ipv6", value: "80" },
      ],
    },
    `${C}.controllerManager.extraArgs: has node-cidr-mask-size "33", which is not a prefix length; use a number from 1 to 32`,
    `${C}.controllerManager.extraArgs: has node-cidr-mask-size-ipv4 "a", which is not a prefix length; use a number from 1 to 32`,
    `${C}.controllerManager.extraArgs: has node-cidr-mask-size-ipv6, and the cluster has no IPv6; remove it`,
    `${C}.controllerManager.extraArgs: has both node-cidr-mask-size and node-cidr-mask-size-ipv4; remove node-cidr-mask-size`,
  ],
  [
    "a size of nodes' blocks without a family, in a dual stack",
    {
      [`${K}.master_node.pod_cidr_ipv6`]: "fd00:10:244::/56",
      [`${K}.master_node.cluster_cidr_ipv6`]: "fd00:96::/112",
      [`${C}.controllerManager.extraArgs`]: [{ name: "node-cidr-mask-size", value: "24" }],
    },
    `${C}.controllerManager.extraArgs: has node-cidr-mask-size, which is not for a dual stack; use node-cidr-mask-size-ipv4 and node-cidr-mask-size-ipv6`,
  ],
  [
    "a manifest of the CNI that is none",
    { [`${K}.cni_manifest_path`]: "package.json" },
    `${K}.cni_manifest_path: package.json:1: document 1: has no apiVersion and kind`,
  ],
  [
    "a CNI out of a folder",
    { [`${K}.cni_manifest_path`]: "lab" },
    `${K}.cni_manifest_path: lab is neither in the package nor next to Pulumi.yaml`,
  ],
  [
    "a script that is no text",
    { [`${K}.script_path`]: "/bin/true" },
    `${K}.script_path: /bin/true is not a text file`,
  ],
  [
    "kubeadm's API version",
    { [`${C}.apiVersion`]: "v1" },
    `${K}.kubeadm.cluster_configuration.apiVersion: is set by vnfm; remove it`,
  ],
  [
    "kubeadm's kind",
    { [`${C}.kind`]: "Evil" },
    `${K}.kubeadm.cluster_configuration.kind: is set by vnfm; remove it`,
  ],
  [
    "two names of the cluster",
    { [`${C}.clusterName`]: "x" },
    `${K}.kubeadm.cluster_configuration.clusterName: is set by vim_name; remove it`,
  ],
  [
    "two versions",
    { [`${C}.kubernetesVersion`]: "v1.30.0" },
    `${K}.kubeadm.cluster_configuration.kubernetesVersion: is set by kubernetes_version; remove it`,
  ],
  [
    "two addresses of the API",
    { [`${C}.controlPlaneEndpoint`]: "192.0.2.1:6443" },
    `${K}.kubeadm.cluster_configuration.controlPlaneEndpoint: is set by master_node.cluster_cp_name; remove it`,
  ],
  [
    "two blocks of pods",
    { [`${C}.networking`]: { podSubnet: "10.0.0.0/16" } },
    `${K}.kubeadm.cluster_configuration.networking.podSubnet: is set by master_node.pod_cidr; remove it`,
  ],
  [
    "two blocks of Services",
    { [`${C}.networking`]: { serviceSubnet: "10.0.0.0/16" } },
    `${K}.kubeadm.cluster_configuration.networking.serviceSubnet: is set by master_node.cluster_cidr; remove it`,
  ],
  [
    "no networking",
    { [`${C}.networking`]: null },
    `${K}.kubeadm.cluster_configuration.networking: is empty; set a value or remove it`,
  ],
  [
    "arguments of the API server as v1beta3 has them",
    { [`${C}.apiServer`]: { extraArgs: { v: "2" } } },
    `${C}.apiServer.extraArgs: is a map; in kubeadm.k8s.io/v1beta4 it is a list of maps with name, value`,
  ],
  [
    "the kubelet's kind",
    { [`${K}.kubeadm.kubelet_configuration.kind`]: "Evil" },
    `${K}.kubeadm.kubelet_configuration.kind: is set by vnfm; remove it`,
  ],
  [
    "two blocks of pods for kube-proxy",
    { [`${K}.kubeadm.kube_proxy_configuration.clusterCIDR`]: "10.244.0.0/16,fd00::/48" },
    `${K}.kubeadm.kube_proxy_configuration.clusterCIDR: is set by master_node.pod_cidr; remove it`,
  ],
  [
    "kube-proxy's API version",
    { [`${K}.kubeadm.kube_proxy_configuration.apiVersion`]: "v1" },
    `${K}.kubeadm.kube_proxy_configuration.apiVersion: is set by vnfm; remove it`,
  ],
];

/** What stands in front of the API, where the flavour says otherwise. */
const BALANCERS: readonly Contradiction[] = [
  [
    "load balancers of a cluster with one master",
    { [B]: { ssh_cp_name: "masterNode_CP1", password: "hunter2", virtual_router_id: 7 } },
    ...["ssh_cp_name", "password", "virtual_router_id"].map(
      (key) =>
        `${B}.${key}: is for servers with HAProxy and keepalived, and masterNode_CP1 is not a VipCp; remove it`,
    ),
  ],
  [
    "a login to load balancers that are the masters",
    { "vnf-a.flavour": "ha", [B]: { ssh_cp_name: "masterNode_CP1", private_key: KEY, virtual_router_id: 7 } },
    ...["ssh_cp_name", "private_key"].map(
      (key) =>
        `${B}.${key}: is for separate servers, and vip_CP has the control-plane nodes as its target; remove it`,
    ),
  ],
  [
    "Octavia's provider for HAProxy",
    { "vnf-a.flavour": "ha", [B]: { provider: "ovn" } },
    `${B}.provider: is for Octavia, and vip_CP is not a VipCp with the function load_balance; remove it`,
  ],
  [
    "keepalived's id for Octavia",
    { "vnf-a.flavour": "ha-octavia", [B]: { virtual_router_id: 7 } },
    `${B}.virtual_router_id: is for servers with HAProxy and keepalived, and vip_CP has Octavia in front; remove it`,
  ],
  [
    "a connection point that the load balancers have not",
    { ...EXTERNAL_LB, [B]: { ssh_cp_name: "masterNode_CP1" } },
    `${B}.ssh_cp_name: "masterNode_CP1" is not a connection point of VDU loadBalancer; one of loadBalancer_CP3`,
  ],
  [
    "a password and a key of load balancers",
    { ...EXTERNAL_LB, [B]: { password: "hunter2", private_key: KEY } },
    `${B}: set password or private_key, not both`,
  ],
  [
    "no network for load balancers",
    { "vnf-a.flavour": "ha-external-lb" },
    "vnf-a.extVirtualLinks.virtual_link_external1_3: is required, connection point loadBalancer_CP3 of VDU loadBalancer is external",
  ],
  [
    "the address of one of several masters",
    { "vnf-a.flavour": "ha", [`${K}.master_node.cluster_cp_name`]: "masterNode_CP1" },
    `${K}.master_node: 3 control-plane nodes are planned and masterNode_CP1 is the address of one of them; use a flavour with a VipCp (tosca.nodes.nfv.VipCp)`,
  ],
  [
    "an address of the API named like what every object has",
    { [`${K}.master_node.cluster_cp_name`]: "constructor" },
    `${K}.master_node.cluster_cp_name: "constructor" is not a connection point of VDU masterNode; one of masterNode_CP1`,
  ],
];

refuseContradictions([...COMBINATIONS, ...BALANCERS]);
