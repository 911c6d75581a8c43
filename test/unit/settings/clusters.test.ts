import { textOf } from "../../../components/base/findings";
import { Secret } from "../../../components/base/secret";
import { parseSettings } from "../../../components/settings/parse";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";

const TOO_OLD =
  "is too old: Cluster API's kubeadm provider creates v1.22.0 and newer; use one of these, and an image of it. " +
  "An existing cluster of an older version can be used as a vim";

const parsed = (cluster: object, template: object = {}) => {
  const { settings } = parseSettings(
    { tenant: { ...templateCluster(), ...cluster } },
    { kube: { ...clusterTemplate(), ...template } },
  );
  return { ...settings, faults: settings.faults.map(textOf) };
};

test("a cluster has the settings of its template, its own over them, and defaults", () => {
  const { faults, clusters } = parsed(
    {
      nodeGroups: {
        default: { replicas: 0 },
        batch: { replicas: 2, flavor: "m1.large", labels: { a: "b" } },
      },
      network: { podCidr: "10.250.0.0/16" },
      addons: { flannel: false },
    },
    {
      nodeGroup: { flavor: "m1.tiny", labels: { c: "d" } },
      nodeGroups: { default: { replicas: 3 } },
      addons: { flannel: { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) } },
    },
  );
  expect(faults).toEqual([]);
  expect(clusters["tenant"]).toMatchObject({
    vim: "management",
    controlPlane: { flavor: "m1.medium", replicas: 1 },
    nodeGroups: {
      default: { replicas: 0, flavor: "m1.tiny", labels: { c: "d" } },
      batch: { replicas: 2, flavor: "m1.large", labels: { a: "b", c: "d" } },
    },
    network: { externalNetwork: "public", podCidr: "10.250.0.0/16" },
    addons: {},
    readyTimeout: "30m",
  });
});

test.each([
  { apiServer: { extraArgs: { "service-node-port-range": "31000-31999" } } },
  {
    apiServer: { extraArgs: { "service-node-port-range": "20000-22767" } },
    network: { ingressRules: [{ ports: ["tcp/20000-29999", "udp/20000-29999"], cidrs: ["10.6.0.0/24"] }] },
  },
])("ports of Services that security groups let in are taken: %j", (cluster) => {
  expect(parsed(cluster).faults).toEqual([]);
});

test("one of no instance name, with any other fault, is refused and not planned", () => {
  const cluster = templateCluster({ replicas: 1, vim: undefined });
  const { settings } = parseSettings({ "tenant.a": cluster }, { kube: clusterTemplate() });
  expect(settings.clusters).toEqual({});
  expect(settings.faults.map(textOf)).toEqual(
    expect.arrayContaining([
      'vnfm:vnfs["tenant.a"]: is not an instance name; use a-z, 0-9 and -, at most 32',
      'vnfm:vnfs["tenant.a"].vim: is required',
    ]),
  );
});

test("a receiver's certificate may have comments and no last line end, and is no private key", () => {
  const ca = "# of the site\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
  const key = "\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n";
  const url = "https://receiver.example";
  expect(parsed({ credentialsReceiver: { url, ca } }).faults).toEqual([]);
  expect(parsed({ credentialsReceiver: { url, ca: ca + key } }).faults).toEqual([
    "vnfm:vnfs.tenant.credentialsReceiver.ca: a private key is not a file of certificates; write each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, and no private key",
  ]);
});

test("a receiver's URL may have a % in its query, where Go's programs take it as it is too, and not before it", () => {
  const faults = (url: string) => parsed({ credentialsReceiver: { url } }).faults;
  expect(faults("https://receiver.example/a?sig=100%&b=%zz")).toEqual([]);
  expect(faults("https://receiver.example/100%?sig=a")).toEqual([
    'vnfm:vnfs.tenant.credentialsReceiver.url: "https://receiver.example/100%?sig=a" is not an https URL; write https://host/path, because credentials are sent there',
  ]);
});

test("a receiver's certificate has several lines, and its headers are secrets", () => {
  const ca = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  const url = "https://receiver.example";
  const { faults, clusters } = parsed({
    credentialsReceiver: { url, ca, headers: { authorization: "hidden" } },
  });
  expect(faults).toEqual([]);
  expect(clusters["tenant"]?.credentialsReceiver).toMatchObject({ url, ca });
  expect(JSON.stringify(clusters)).not.toContain("hidden");
});

const ARGS = "vnfm:vnfs.tenant.kubeadm.kubeletExtraArgs";
const KUBE_PROXY = "vnfm:vnfs.tenant.kubeadm.kubeProxyConfiguration";
const NAME = "must have 1 to 63 letters, digits, -, _ and ., and begin and end with a letter or digit";
const VALUE =
  "must be empty, or have up to 63 letters, digits, -, _ and ., and begin and end with a letter or digit";
const NOT_OF_KUBELETS =
  "is not a label that a kubelet can set on its node: of kubernetes.io and k8s.io, such labels begin with node.kubernetes.io/ or " +
  "kubelet.kubernetes.io/. A role is node-role.kubernetes.io/<role>, under the labels of a node group; otherwise use your own " +
  "domain";

test.each<[string, object, object, string[]]>([
  [
    "a template that is not there",
    { clusterTemplate: "kubes" },
    {},
    [
      'vnfm:vnfs.tenant.clusterTemplate: "kubes" is not a template of vnfm:clusterTemplates; one of kube; did you mean "kube"?',
    ],
  ],
  [
    "a DNS server that is not an address of IPv4",
    { network: { dnsNameservers: ["fd00::1"] } },
    {},
    [
      'vnfm:vnfs.tenant.network.dnsNameservers[0]: "fd00::1" is not an IPv4 address; write one, as in 10.20.0.1',
    ],
  ],
  [
    "the mode of a file that is a number without quotes for YAML",
    { kubeadm: { files: [{ path: "/a", content: "a", permissions: "600" }] } },
    {},
    ['vnfm:vnfs.tenant.kubeadm.files[0].permissions: "600" must match ^0[0-7]{3}$, as in "0600"'],
  ],
  [
    "an even control plane",
    { controlPlane: { replicas: 2 } },
    {},
    ["vnfm:vnfs.tenant.controlPlane.replicas: 2 is not one of 1, 3, 5, 7"],
  ],
  [
    "a group without what it needs",
    { nodeGroups: { batch: {} } },
    { nodeGroup: {} },
    [
      "vnfm:vnfs.tenant.nodeGroups.batch.flavor: is required, there or under nodeGroup",
      "vnfm:vnfs.tenant.nodeGroups.batch.replicas: is required, there or under nodeGroup, or autoscaling instead",
    ],
  ],
  [
    "hardening of an old version, without keys, beside an argument that it gives",
    {
      hardening: "cis",
      kubernetesVersion: "v1.31.0",
      apiServer: { extraArgs: { "audit-policy-file": "/a" } },
    },
    {},
    [
      "vnfm:vnfs.tenant.hardening: cis requires kubernetesVersion v1.32.0 or newer, and it is v1.31.0; set it, or remove hardening",
      "vnfm:vnfs.tenant.apiServer.encryptionKeys: is required with hardening; set a key of 32 bytes, as printed by `openssl rand -base64 32`",
      "vnfm:vnfs.tenant.apiServer.extraArgs: has audit-policy-file, which apiServer.auditPolicy sets; remove it",
    ],
  ],
  [
    "what a cluster would not come up with, of kube-apiserver, kube-proxy and kubelets",
    {
      apiServer: { extraArgs: { "anonymous-auth": "false", "secure-port": "6443" } },
      kubeadm: {
        kubeProxyConfiguration: {
          kind: "Evil",
          clusterCIDR: "10.0.0.0/16",
          hostnameOverride: "n",
          mode: "ipvx",
          modes: "",
        },
        kubeletExtraArgs: { config: "/a" },
      },
    },
    {},
    [
      `${ARGS}.config: is where kubeadm stores it; remove it`,
      `${KUBE_PROXY}.kind: is set by vnfm; remove it`,
      `${KUBE_PROXY}.clusterCIDR: is set by network.podCidr; remove it`,
      `${KUBE_PROXY}.hostnameOverride: is another one on each node, which vnfm sets; remove it`,
      `${KUBE_PROXY}.mode: "ipvx" is not one of iptables, ipvs, nftables`,
      `${KUBE_PROXY}.modes: kubeproxy.config.k8s.io/v1alpha1 has no such field; did you mean "mode"?`,
      "vnfm:vnfs.tenant.apiServer.extraArgs: has anonymous-auth, which is true for the probes of kubelets, of load balancers and of kubeadm, and for nodes that join; hardening: cis allows only these requests; remove it",
    ],
  ],
  [
    "what is told to a driver that there is not",
    { blockStorage: { "ignore-volume-az": true }, addons: { "openstack-cinder-csi": false } },
    {},
    ["vnfm:vnfs.tenant.blockStorage: is for openstack-cinder-csi; add it under addons, or remove this"],
  ],
  [
    "networks that overlap",
    { network: { nodeCidr: "10.244.8.0/24" } },
    {},
    ["vnfm:vnfs.tenant.network.podCidr: 10.244.0.0/16 overlaps nodeCidr 10.244.8.0/24; change one of them"],
  ],
  [
    "arguments with which an API server, a kubelet or kube-proxy does not start",
    {
      apiServer: {
        oidc: { issuerUrl: "https://login.example", clientId: "kubernetes" },
        extraArgs: {
          "oidc-required-claim": "a=b",
          "tls-min-version": "TLS12",
          "audit-policy-file": "/etc/audit.yaml",
        },
      },
      kubeadm: {
        kubeletExtraArgs: { "cpu-manager-policy": "static", "feature-gates": "Nope=true" },
        kubeProxyConfiguration: { featureGates: { SidecarContainers: false } },
      },
    },
    {},
    [
      `vnfm:vnfs.tenant.kubeadm.kubeletExtraArgs.cpu-manager-policy: static needs CPUs for the node itself; set reservedSystemCPUs, or cpu in kubeReserved or systemReserved`,
      'vnfm:vnfs.tenant.kubeadm.kubeletExtraArgs.feature-gates: "Nope" is not a feature gate of Kubernetes 1.31 to 1.37',
      'vnfm:vnfs.tenant.kubeadm.kubeProxyConfiguration.featureGates: "SidecarContainers" is always true in Kubernetes 1.33; remove it',
      "vnfm:vnfs.tenant.apiServer.extraArgs: has tls-min-version with TLS12, which is not one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13",
      "vnfm:vnfs.tenant.apiServer.extraArgs: has audit-policy-file, which refers to /etc/audit.yaml, a file that is not in the component's pod; set apiServer.auditPolicy instead, or mount it",
    ],
  ],
  [
    "names of registries that no image begins with",
    {
      registryMirrors: { "Registry.Example:": ["https://mirror.example"] },
      registryCertificates: { a: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n" },
      registryLogins: {
        registry: { username: "a", password: "b" },
        "10.0.0.256": { username: "a", password: "b" },
      },
    },
    {},
    [
      ...["registryCertificates.a", "registryLogins.registry", 'registryLogins["10.0.0.256"]'],
      'registryMirrors["Registry.Example:"]',
    ].map(
      (setting) =>
        `vnfm:vnfs.tenant.${setting}: is not a registry as in the names of images; write its host, in lower-case letters with a dot or a port, as in registry.example:5000`,
    ),
  ],
  [
    "arguments that would win over OpenID Connect without a word, or are refused beside it",
    {
      apiServer: {
        oidc: { issuerUrl: "https://login.example", clientId: "kubernetes" },
        extraArgs: {
          "oidc-client-id": "other",
          "oidc-signing-algs": "ES256",
          "authentication-config": "/etc/kubernetes/pki/authentication.yaml",
        },
      },
    },
    {},
    [
      "vnfm:vnfs.tenant.apiServer.extraArgs: has oidc-client-id, which apiServer.oidc sets; remove it",
      "vnfm:vnfs.tenant.apiServer.extraArgs: has authentication-config, which kube-apiserver rejects together with arguments of OpenID Connect; remove one of the two",
    ],
  ],
  [
    "a heal of the one machine that has the floating IP",
    {
      apiServer: { loadBalancer: false, floatingIp: "203.0.113.9" },
      heal: {
        controlPlane: "2027-01-31T00:00:00Z",
        all: "2027-01-31T00:00:00Z",
        default: "2027-01-31T00:00:00Z",
      },
    },
    { apiServer: {} },
    ["controlPlane", "all"].map(
      (name) =>
        `vnfm:vnfs.tenant.heal.${name}: is not possible: the API's floatingIp is on the only machine of the control plane, which Cluster API cannot replace without a loadBalancer; heal node groups by their names, or create another cluster`,
    ),
  ],
  [
    "ports of Services that no security group lets in",
    { apiServer: { extraArgs: { "service-node-port-range": "80-32767" } } },
    {},
    [
      "vnfm:vnfs.tenant.apiServer.extraArgs: has service-node-port-range, and Cluster API's security groups allow only 30000-32767; use ports of these, or allow tcp/80-32767 under network.ingressRules, from the clients and from nodeCidr",
    ],
  ],
  [
    "fewer blocks of pods than machines, with one more of each group while they are replaced",
    {
      network: { podCidr: "10.244.0.0/22" },
      controlPlane: { replicas: 3 },
      nodeGroups: {
        default: { replicas: 2 },
        more: { autoscaling: { min: 0, max: 1 }, maxSurge: 0, maxUnavailable: 1 },
      },
    },
    {},
    [
      "vnfm:vnfs.tenant.network.podCidr: 10.244.0.0/22 has a /24 for at most 4 of 6 machines and 2 more while they are replaced; use a larger block",
    ],
  ],
  [
    "blocks of pods and Services that kubeadm does not take",
    { network: { podCidr: "10.244.0.0/25", serviceCidr: "11.0.0.0/8" } },
    {},
    [
      "vnfm:vnfs.tenant.network.podCidr: 10.244.0.0/25 has a size that kubeadm does not accept; use /8 to /24",
      "vnfm:vnfs.tenant.network.serviceCidr: 11.0.0.0/8 has a size that kubeadm does not accept; use /12 to /28",
    ],
  ],
  [
    "a network that Neutron does not make",
    { network: { nodeCidr: "10.6.0.4/31" } },
    {},
    [
      "vnfm:vnfs.tenant.network.nodeCidr: 10.6.0.4/31 is too small for DHCP, a gateway and a server; use /30 or a shorter prefix",
    ],
  ],
  [
    "a network without an address for each machine",
    { network: { nodeCidr: "10.6.0.0/29" }, nodeGroups: { default: { replicas: 4 } } },
    {},
    [
      "vnfm:vnfs.tenant.network.nodeCidr: has addresses for 5 machines, but there are 5, and 2 more while they are replaced; use a larger block",
    ],
  ],
  [
    "pools without an address for each machine, with the gateway or the broadcast address",
    {
      network: {
        allocationPools: [
          { start: "10.6.0.1", end: "10.6.0.1" },
          { start: "10.6.0.254", end: "10.6.0.255" },
        ],
      },
    },
    {},
    [
      "vnfm:vnfs.tenant.network.allocationPools: has addresses for 3 machines, but there are 2, and 2 more while they are replaced; add more of them",
      "vnfm:vnfs.tenant.network.allocationPools[0]: 10.6.0.1 to 10.6.0.1 contains the gateway, 10.6.0.1; remove it from the pools",
      "vnfm:vnfs.tenant.network.allocationPools[1]: 10.6.0.254 to 10.6.0.255 contains the broadcast address of 10.6.0.0/24; remove it from the pools",
    ],
  ],
  [
    "lists of addresses where there are none",
    { apiServer: { loadBalancerProvider: "ovn", allowedCidrs: ["192.0.2.0/24"] } },
    {},
    [
      "vnfm:vnfs.tenant.apiServer.allowedCidrs: Octavia's provider ovn has no such lists; remove them, or use amphora",
    ],
  ],
  [
    "kube-vip beside a load balancer, a floating IP, or an address that others may get",
    { apiServer: { kubeVip: {}, fixedIp: "10.6.0.5" } },
    {},
    [
      "vnfm:vnfs.tenant.apiServer.loadBalancer: kubeVip replaces it; set false",
      "vnfm:vnfs.tenant.apiServer.floatingIp: kubeVip has an address only in the cluster's network; set false",
      "vnfm:vnfs.tenant.apiServer.fixedIp: Neutron may assign 10.6.0.5 to a machine; exclude it from network.allocationPools, which must be set",
    ],
  ],
  [
    "Keystone without its URL, and a port and arguments that it is for",
    {
      apiServer: {
        keystone: { roles: {} },
        port: 8443,
        extraArgs: {
          "authentication-token-webhook-config-file": "/etc/webhook.yaml",
          "authentication-token-webhook-version": "v1",
          "authentication-token-webhook-cache-ttl": "10s",
        },
      },
    },
    {},
    [
      "vnfm:vnfs.tenant.apiServer.keystone.authUrl: is required",
      "vnfm:vnfs.tenant.apiServer.port: 8443 belongs to k8s-keystone-auth; use another one",
      "vnfm:vnfs.tenant.apiServer.extraArgs: has authentication-token-webhook-config-file, which apiServer.keystone sets; remove it",
      "vnfm:vnfs.tenant.apiServer.extraArgs: has authentication-token-webhook-version, which apiServer.keystone sets; remove it",
    ],
  ],
  [
    "an API that nobody has the address of",
    { apiServer: { loadBalancer: false, floatingIp: false } },
    { apiServer: {} },
    [
      "vnfm:vnfs.tenant.apiServer.fixedIp: is required without loadBalancer and floatingIp: the address of the API, which kubeVip assigns to a machine or which your own load balancer has",
    ],
  ],
  [
    "a router that connects nothing",
    { network: { router: "site" }, apiServer: { floatingIp: false } },
    { network: {} },
    [
      "vnfm:vnfs.tenant.network.router: has no effect without externalNetwork, because nothing connects it; set both or neither",
    ],
  ],
  [
    "kube-vip without an address",
    { apiServer: { kubeVip: {}, loadBalancer: false, floatingIp: false } },
    { apiServer: {} },
    ["vnfm:vnfs.tenant.apiServer.fixedIp: is required with kubeVip: a free address in the cluster's network"],
  ],
  [
    "kube-vip with an address of another network",
    {
      network: { allocationPools: [{ start: "10.6.0.10", end: "10.6.0.99" }] },
      apiServer: { kubeVip: {}, loadBalancer: false, floatingIp: false, fixedIp: "10.7.0.5" },
    },
    { apiServer: {} },
    ["vnfm:vnfs.tenant.apiServer.fixedIp: 10.7.0.5 is not in nodeCidr 10.6.0.0/24"],
  ],
  [
    "several machines without a balancer, and what a balancer would have",
    {
      controlPlane: { replicas: 3 },
      apiServer: { loadBalancer: false, loadBalancerProvider: "ovn" },
    },
    {},
    [
      "vnfm:vnfs.tenant.apiServer.loadBalancer: is required for the 3 machines of controlPlane.replicas, or kubeVip instead",
      "vnfm:vnfs.tenant.apiServer.loadBalancerProvider: there is no loadBalancer",
      "vnfm:vnfs.tenant.apiServer.floatingIp: without loadBalancer, a new floating IP would be deleted with the first machine that is replaced, and the API would be lost; set an existing address, or keep the loadBalancer",
    ],
  ],
  [
    "a floating IP of no network",
    {},
    { network: {} },
    [
      "vnfm:vnfs.tenant.apiServer.floatingIp: without network.externalNetwork there is none; set false, or set that network",
    ],
  ],
  [
    "what belongs to a network that is made, for one that is there",
    { network: { network: "site", nodeCidr: "10.9.0.0/24" } },
    { network: { externalNetwork: "public" } },
    [
      "vnfm:vnfs.tenant.network.nodeCidr: is for a network that is created; network is set to an existing one",
    ],
  ],
  [
    "lists of who may reach the API that leave out the cluster's own machines",
    {
      network: { network: "site" },
      apiServer: { loadBalancerProvider: "amphora", allowedCidrs: ["10.0.0.0/8"] },
    },
    { network: { externalNetwork: "public" } },
    [
      "vnfm:vnfs.tenant.apiServer.allowedCidrs: would block the cluster's own machines, which reach the floating IP from the address of their router; set that router under network.router, and it is allowed",
    ],
  ],
  [
    "two volumes of one name",
    {
      nodeGroups: {
        batch: {
          replicas: 1,
          volumes: [
            { name: "data", sizeGiB: 1 },
            { name: "data", sizeGiB: 2 },
          ],
        },
      },
    },
    {},
    ['vnfm:vnfs.tenant.nodeGroups.batch.volumes[1].name: "data" is also that of another volume'],
  ],
  [
    "a subnet without its network, and a pool outside of the network",
    { network: { subnet: "nodes", allocationPools: [{ start: "10.6.0.10", end: "10.7.0.9" }] } },
    {},
    [
      "vnfm:vnfs.tenant.network.subnet: is for an existing network; set that under network",
      "vnfm:vnfs.tenant.network.allocationPools[0].end: 10.7.0.9 is not in nodeCidr 10.6.0.0/24",
    ],
  ],
  [
    "pools that Neutron refuses",
    {
      network: {
        allocationPools: [
          { start: "10.6.0.10", end: "10.6.0.90" },
          { start: "10.6.0.20", end: "10.6.0.30" },
          { start: "10.6.0.40", end: "10.6.0.50" },
          { start: "10.6.0.99", end: "10.6.0.95" },
        ],
      },
    },
    {},
    [
      "vnfm:vnfs.tenant.network.allocationPools[1]: shares addresses with pool 0",
      "vnfm:vnfs.tenant.network.allocationPools[2]: shares addresses with pool 0",
      "vnfm:vnfs.tenant.network.allocationPools[3]: 10.6.0.99 comes after 10.6.0.95; set the first address as start",
    ],
  ],
  [
    "more machines in one group than may be",
    { nodeGroups: { a: { replicas: 5e9 }, b: { autoscaling: { min: 0, max: 10_001 } } } },
    {},
    [
      "vnfm:vnfs.tenant.nodeGroups.a.replicas: 5000000000 must be <= 10000",
      "vnfm:vnfs.tenant.nodeGroups.b.autoscaling.max: 10001 must be <= 10000",
    ],
  ],
  [
    "more machines together than may be",
    { nodeGroups: { a: { replicas: 5_000 }, b: { autoscaling: { min: 0, max: 5_000 } } } },
    {},
    ["vnfm:vnfs.tenant.nodeGroups: the cluster would have 10001 machines; at most 10000 are allowed"],
  ],
  [
    "a group that has both replicas and a range, or a range the wrong way round",
    {
      nodeGroups: {
        a: { replicas: 1, autoscaling: { min: 0, max: 3 } },
        b: { autoscaling: { min: 4, max: 3 } },
      },
    },
    {},
    [
      "vnfm:vnfs.tenant.nodeGroups.a.replicas: is determined by cluster-autoscaler; remove this or autoscaling",
      "vnfm:vnfs.tenant.nodeGroups.b.autoscaling.min: 4 is more than max 3",
    ],
  ],
  [
    "workers newer than the control plane, or too old for it",
    {
      nodeGroups: {
        a: { replicas: 1, kubernetesVersion: "v1.33.1" },
        b: { replicas: 1, kubernetesVersion: "v1.29.9" },
      },
    },
    {},
    [
      "vnfm:vnfs.tenant.nodeGroups.a.kubernetesVersion: v1.33.1 is newer than the control plane's v1.33.0, which must be upgraded first",
      "vnfm:vnfs.tenant.nodeGroups.b.kubernetesVersion: v1.29.9 is more than 3 minor versions older than the control plane's v1.33.0",
    ],
  ],
  [
    "versions that Cluster API's provider for kubeadm does not make",
    {
      kubernetesVersion: "v1.21.14",
      nodeGroups: {
        a: { replicas: 1 },
        b: { replicas: 1, kubernetesVersion: "v1.20.0" },
      },
    },
    {},
    [
      `vnfm:vnfs.tenant.kubernetesVersion: v1.21.14 ${TOO_OLD}`,
      `vnfm:vnfs.tenant.nodeGroups.b.kubernetesVersion: v1.20.0 ${TOO_OLD}`,
    ],
  ],
  [
    "machines that could not be replaced, names of others, and a heal of nobody",
    {
      nodeGroups: { "control-plane": { replicas: 1, maxSurge: 0 } },
      heal: { defautl: "2026-01-31T09:00:00Z" },
    },
    {},
    [
      "vnfm:vnfs.tenant.nodeGroups.control-plane: is reserved for vnfm; rename the group",
      expect.stringMatching(
        /^vnfm:vnfs\.tenant\.heal\.defautl: there is no such group; one of all, control-plane, controlPlane/,
      ),
      "vnfm:vnfs.tenant.nodeGroups.control-plane.maxSurge: is 0, like maxUnavailable, so no machine could be replaced; raise one of them",
    ],
  ],
  [
    "labels and taints that a kubelet refuses",
    {
      nodeGroups: {
        a: {
          replicas: 1,
          labels: {
            ...{ "kubernetes.io/role": "worker", "a.k8s.io/b": "", "kubernetes.io/hostname": "x" },
            ...{ "Example.com/a": "b", "a/b/c": "d", _: "e", "": "f", f: "1,g=2", h: "x".repeat(64) },
            ...{
              "example.com/ok": "",
              "node-role.kubernetes.io/worker": "",
              "topology.kubernetes.io/zone": "z",
            },
            ...{ "x.node.kubernetes.io/y": "1", "a.node-restriction.kubernetes.io/b": "c" },
          },
          taints: [
            { key: "a b", effect: "NoSchedule" },
            { key: "c", value: "d,e", effect: "NoSchedule" },
            { key: "c", effect: "NoSchedule" },
            { key: "c", effect: "NoExecute" },
          ],
        },
      },
      controlPlane: { taints: [{ key: "a:b", effect: "NoSchedule" }] },
    },
    {},
    [
      `vnfm:vnfs.tenant.controlPlane.taints[0].key: "a:b" ${NAME}`,
      `vnfm:vnfs.tenant.nodeGroups.a.labels["kubernetes.io/role"]: "kubernetes.io/role" ${NOT_OF_KUBELETS}`,
      `vnfm:vnfs.tenant.nodeGroups.a.labels["a.k8s.io/b"]: "a.k8s.io/b" ${NOT_OF_KUBELETS}`,
      'vnfm:vnfs.tenant.nodeGroups.a.labels["kubernetes.io/hostname"]: differs on each node; remove it',
      'vnfm:vnfs.tenant.nodeGroups.a.labels["Example.com/a"]: "Example.com" before the / is not a domain of lower-case letters, digits, - and ., such as example.com',
      'vnfm:vnfs.tenant.nodeGroups.a.labels["a/b/c"]: "a/b/c" has more than one /',
      `vnfm:vnfs.tenant.nodeGroups.a.labels._: "_" ${NAME}`,
      `vnfm:vnfs.tenant.nodeGroups.a.labels[""]: "" ${NAME}`,
      `vnfm:vnfs.tenant.nodeGroups.a.labels.f: "1,g=2" ${VALUE}`,
      `vnfm:vnfs.tenant.nodeGroups.a.labels.h: "${"x".repeat(64)}" ${VALUE}`,
      `vnfm:vnfs.tenant.nodeGroups.a.taints[0].key: "a b" ${NAME}`,
      `vnfm:vnfs.tenant.nodeGroups.a.taints[1].value: "d,e" ${VALUE}`,
      'vnfm:vnfs.tenant.nodeGroups.a.taints[2]: "c" with the effect NoSchedule appears twice; remove one',
    ],
  ],
  [
    "arguments of kubelets that would be the same on each machine, or that another setting says",
    {},
    {
      kubeadm: {
        kubeletExtraArgs: {
          ...{
            "provider-id": "openstack:///1",
            "hostname-override": "a",
            "register-with-taints": "a:NoSchedule",
          },
          ...{ "cloud-provider": "openstack", "node-ip": "10.6.0.9" },
          ...{ "node-labels": "a=b,kubernetes.io/role=worker,node-role.kubernetes.io/x=" },
        },
      },
    },
    [
      `${ARGS}.provider-id: is the id of each machine's own server, which vnfm sets; remove it`,
      `${ARGS}.hostname-override: is each machine's own name, which vnfm sets; remove it`,
      `${ARGS}.register-with-taints: is set by taints of controlPlane and of node groups; remove it`,
      `${ARGS}.cloud-provider: "openstack" is not external, the only one that Kubernetes still supports; remove it`,
      `${ARGS}.node-ip: 10.6.0.9 would be the address of every machine; remove it, or use 0.0.0.0 or :: for an IP version`,
      `${ARGS}.node-labels: "kubernetes.io/role" ${NOT_OF_KUBELETS}`,
      `${ARGS}.node-labels: "node-role.kubernetes.io/x" ${NOT_OF_KUBELETS}`,
    ],
  ],
  [
    "a key of the wrong length, which is not told",
    { apiServer: { encryptionKeys: ["hidden"] } },
    {},
    [expect.stringMatching(/^vnfm:vnfs\.tenant\.apiServer\.encryptionKeys\[0\]: the secret must match/)],
  ],
  [
    "a vim of another stack without its name",
    { vim: { stack: "clusters" } },
    {},
    [
      "vnfm:vnfs.tenant.vim: must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
    ],
  ],
  [
    "a patch of both kinds, of none, or of an operation that lacks something",
    {
      patches: [
        { target: { kind: "Cluster" } },
        { target: { kind: "Cluster" }, mergePatch: { spec: {} }, jsonPatch: [{ op: "remove", path: "/a" }] },
        {
          target: { kind: "Cluster" },
          jsonPatch: [
            { op: "add", path: "/a" },
            { op: "move", path: "/a", value: 1 },
            { op: "remove", path: "/a", from: "/b" },
          ],
        },
      ],
    },
    {},
    [
      "vnfm:vnfs.tenant.patches[0]: needs either a mergePatch or a jsonPatch",
      "vnfm:vnfs.tenant.patches[1]: needs either a mergePatch or a jsonPatch",
      'vnfm:vnfs.tenant.patches[2].jsonPatch[0].value: is required with "add"',
      'vnfm:vnfs.tenant.patches[2].jsonPatch[1].value: is not for "move"; remove it',
      'vnfm:vnfs.tenant.patches[2].jsonPatch[1].from: is required with "move"',
      'vnfm:vnfs.tenant.patches[2].jsonPatch[2].from: is not for "remove"; remove it',
    ],
  ],
  [
    "a patch of a kind that no cluster is made of, and a path that is no pointer",
    {
      patches: [
        { target: { kind: "MachineSet" }, jsonPatch: [{ op: "remove", path: "spec.tags" }] },
        { target: { kind: "Cluster" }, mergePatch: {} },
      ],
    },
    {},
    [
      'vnfm:vnfs.tenant.patches[0].jsonPatch[0].path: "spec.tags" must match ^(/([^~/]|~[01])*)+$, as in /spec/template/spec/ports/0',
      'vnfm:vnfs.tenant.patches[0].target.kind: "MachineSet" is not one of Cluster, OpenStackCluster, KubeadmControlPlane, MachineDeployment, OpenStackMachineTemplate, KubeadmConfigTemplate, MachineHealthCheck',
      "vnfm:vnfs.tenant.patches[1].mergePatch: is empty; set a value or remove it",
    ],
  ],
  [
    "a secret in a patch, which would be plain on the management cluster",
    {
      patches: [{ target: { kind: "Cluster" }, mergePatch: { spec: { a: new Secret("s3cret") } } }],
    },
    {},
    [
      "vnfm:vnfs.tenant.patches[0].mergePatch.spec.a: is encrypted, and would be unencrypted in the state; set it without --secret",
    ],
  ],
  [
    "settings of another name",
    { package: "vnf-packages/web-cnf" },
    { nodegroups: {} },
    [
      expect.stringContaining("vnfm:vnfs.tenant.nodegroups: unknown setting; did you mean"),
      expect.stringContaining("vnfm:vnfs.tenant.package: unknown setting; allowed: clusterTemplate, vim"),
    ],
  ],
])("%s is a fault", (_, cluster, template, expected) => {
  const { faults, clusters, refused } = parsed(cluster, template);
  expect(faults).toEqual(expected);
  expect(clusters).toEqual({});
  expect(refused).toEqual([{ name: "tenant", isCnf: false }]);
});
