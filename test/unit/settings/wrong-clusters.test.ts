import { ARMORED_KEY } from "../fixtures";
import { configWith, faultsOf, INSTALLATION, refuseSettings, type WrongSetting } from "./support";

const EMPTY = "is empty; set a value or remove it";
const VERSION = String.raw`must match ^v1\.\d{1,3}\.\d{1,3}$, as in v1.33.0`;
const WAY_OF_PORT =
  "write protocol/port or protocol/first-last of tcp, udp or sctp, as in udp/8472, or one of ah, esp, gre, icmp and ipip";
const PORT = `is not a port or protocol; ${WAY_OF_PORT}`;
const IPV4 = "write one address/prefix length, as in 10.244.0.0/16";
const CIDR = "is not a CIDR; write address/prefix length, as in 10.244.0.0/16";
const PROXY_WAY =
  "write http://host:port, or http://user:password@host:port with %XX for special characters in them, such as %25 for a %";
const PROXY_WANTED = `the secret is not a URL of a proxy; ${PROXY_WAY}`;
const HOSTS =
  "is not a list of hosts; write names, domains and CIDRs, as in .example.org,10.1.0.0/16, and none with a *, which programs in Go do not support";

const CLUSTER: readonly WrongSetting[] = [
  ["master_node", undefined, "is required"],
  ["worker_node", undefined, "is required"],
  ["master_node", [], "a list must be object"],
  ["worker_node", "workerNode", "a text must be object"],
  ["master_nodes", {}, 'unknown setting; did you mean "master_node"?'],
  ["script_path", 1, "1 must be string"],
  ["script_path", "", EMPTY],
  [
    "script_path",
    "Scripts/install.sh",
    "Scripts/install.sh is neither in the package nor next to Pulumi.yaml",
  ],
  ["script_path", "lab", "lab is neither in the package nor next to Pulumi.yaml"],
  ["vim_name", {}, "a map must be string"],
  ["vim_name", "", EMPTY],
  ["kubernetes_version", 1.33, "1.33 must be string"],
  ["kubernetes_version", "1.33.0", `"1.33.0" ${VERSION}`],
  ["kubernetes_version", "v1.33", `"v1.33" ${VERSION}`],
  ["kubernetes_version", "v1.33.0; reboot", `"v1.33.0; reboot" ${VERSION}`],
  ["kubernetes_version", "latest", `"latest" ${VERSION}`],
  ["cni_manifest_path", false, "false must be string"],
  ["cni_manifest_path", "", EMPTY],
  [
    "cni_manifest_path",
    "Files/kubernetes/calico.yaml",
    "Files/kubernetes/calico.yaml is neither in the package nor next to Pulumi.yaml",
  ],
  ["cni_manifest_path", "components", "components is neither in the package nor next to Pulumi.yaml"],
  ["cni_manifest_path", "/bin/true", "/bin/true is not a text file"],
  ["cni_ports", "udp/8472", '"udp/8472" must be array'],
  ["cni_ports", ["8472"], `"8472" ${PORT}`, "[0]"],
  ["cni_ports", ["vrrp"], `"vrrp" ${PORT}`, "[0]"],
  ["cni_ports", ["icmp/8"], `"icmp/8" ${PORT}`, "[0]"],
  ["cni_ports", ["udp"], `"udp" ${PORT}`, "[0]"],
  ["cni_ports", ["udp/65536"], `"udp/65536" ${PORT}`, "[0]"],
  ["cni_ports", ["toString/1"], `"toString/1" ${PORT}`, "[0]"],
  ["cni_ports", ["udp/0"], `"udp/0" ${PORT}`, "[0]"],
  ["cni_ports", ["udp/08472"], `"udp/08472" ${PORT}`, "[0]"],
  ["cni_ports", [8472], `8472 must be string; ${WAY_OF_PORT}`, "[0]"],
  ["cni_ports", ["udp/8473-8472"], `"udp/8473-8472" ${PORT}`, "[0]"],
  ["cni_ports", ["udp/1-65536"], `"udp/1-65536" ${PORT}`, "[0]"],
  ["cni_ports", ["udp/8472-"], `"udp/8472-" ${PORT}`, "[0]"],
  ["ingress_rules", { ports: ["sctp/38412"] }, "a map must be array"],
  ["ingress_rules", [{ ports: ["sctp/38412"] }], "is required", "[0].cidrs"],
  ["ingress_rules", [{ cidrs: ["10.0.0.0/8"] }], "is required", "[0].ports"],
  ["ingress_rules", [{ ports: [], cidrs: ["10.0.0.0/8"] }], EMPTY, "[0].ports"],
  ["ingress_rules", [{ ports: ["ngap"], cidrs: ["10.0.0.0/8"] }], `"ngap" ${PORT}`, "[0].ports[0]"],
  ["ingress_rules", [{ ports: ["esp"], cidrs: ["office"] }], `"office" ${CIDR}`, "[0].cidrs[0]"],
  [
    "ingress_rules",
    [{ protocol: "esp", ports: ["esp"], cidrs: ["10.0.0.0/8"] }],
    "unknown setting; allowed: ports, cidrs",
    "[0].protocol",
  ],
  ["management_cidrs", [], EMPTY],
  ["management_cidrs", "10.0.0.0/8", '"10.0.0.0/8" must be array'],
  ["management_cidrs", ["10.0.0.0"], `"10.0.0.0" ${CIDR}`, "[0]"],
  ["management_cidrs", ["10.0.0.0/33"], `"10.0.0.0/33" ${CIDR}`, "[0]"],
  ["management_cidrs", ["fd00::/129"], `"fd00::/129" ${CIDR}`, "[0]"],
  ["management_cidrs", ["office"], `"office" ${CIDR}`, "[0]"],
  ["management_cidrs", ["10.0.0.0/8; reboot"], `"10.0.0.0/8; reboot" ${CIDR}`, "[0]"],
  ["management_cidrs", ["10.0.0.256/24"], `"10.0.0.256/24" ${CIDR}`, "[0]"],
  ["management_cidrs", ["010.0.0.0/8 "], `"010.0.0.0/8 " ${CIDR}`, "[0]"],
  [
    "management_cidrs",
    [null],
    "null must be string; write address/prefix length, as in 10.244.0.0/16",
    "[0]",
  ],
  ["management_cidrs", ["10.0.0.0/8,fd00::/64"], `"10.0.0.0/8,fd00::/64" ${CIDR}`, "[0]"],
  [
    "management_cidrs",
    ["fd00::/64", "fd01::/64"],
    "fd00::/64, fd01::/64: none is IPv4, but SSH connects to nodes over IPv4; add the network of the machine that runs Pulumi",
  ],
  ["proxy", "http://proxy:3128", "a text must be object"],
  ["proxy", {}, EMPTY],
  ["proxy.http_proxy", 3128, `the secret must be string; ${PROXY_WAY}`],
  ...[
    ...[
      "proxy:3128",
      "socks5://proxy",
      "http://",
      "http://proxy:99999",
      'http://proxy" LD_PRELOAD=/x "',
      "http://a b",
    ],
    // as WHATWG's URL takes them, and Go's refuses or reads otherwise
    ...["http://u:100%@p:3128", "http://u:a^b@p", "http://u:a{b@p", "http://u:a`b@p", "http://u:1/2@p:3128"],
    "http://p:3128/path",
  ].map((url): WrongSetting => ["proxy.https_proxy", url, PROXY_WANTED]),
  [
    "proxy.no_proxy",
    ["a"],
    "a list must be string; write names, domains and CIDRs, as in .example.org,10.1.0.0/16, and none with a *, which programs in Go do not support",
  ],
  ["proxy.no_proxy", "a;b", `"a;b" ${HOSTS}`],
  ["proxy.no_proxy", "a,http://x", `"a,http://x" ${HOSTS}`],
  ["proxy.no_proxy", "10.0.0.0/33", `"10.0.0.0/33" ${HOSTS}`],
  ["proxy.no_proxy", 'a" X="y', `"a\\" X=\\"y" ${HOSTS}`],
  ["proxy.no_proxy", "$(reboot)", `"$(reboot)" ${HOSTS}`],
  ["proxy.k8s_node_cidr", "10.0.0.5", `"10.0.0.5" is not an IPv4 CIDR; ${IPV4}`],
  ["proxy.k8s_node_cidr", "fd00::/64", `"fd00::/64" is not an IPv4 CIDR; ${IPV4}`],
  ["proxy.k8s_node_cidr", ["10.0.0.0/16"], `a list must be string; ${IPV4}`],
  [
    "proxy.ftp_proxy",
    "http://p",
    "unknown setting; allowed: http_proxy, https_proxy, no_proxy, k8s_node_cidr",
  ],
  ["kubeadm", true, "true must be object"],
  ["kubeadm.ignore_preflight_errors", "Swap", '"Swap" must be array'],
  ["kubeadm.ignore_preflight_errors", [1], "1 must be string", "[0]"],
  ["kubeadm.ignore_preflight_errors", [""], EMPTY, "[0]"],
  ["kubeadm.cluster_configuration", "dns", '"dns" must be object'],
  ["kubeadm.kubelet_configuration", [], "a list must be object"],
  ["kubeadm.kube_proxy_configuration", 0, "0 must be object"],
  [
    "kubeadm.init_configuration",
    {},
    "unknown setting; allowed: ignore_preflight_errors, cluster_configuration, kubelet_configuration, kube_proxy_configuration",
  ],
  ["load_balancer", "haproxy", "a text must be object"],
  ["load_balancer.virtual_router_id", "7", '"7" must be integer'],
  ["load_balancer.virtual_router_id", 0, "0 must be >= 1"],
  ["load_balancer.virtual_router_id", 256, "256 must be <= 255"],
  [
    "load_balancer.virtual_router",
    7,
    "unknown setting; allowed: ssh_cp_name, username, password, private_key, provider, virtual_router_id",
  ],
  ["load_balancer.ssh_cp_name", "", EMPTY],
  ["load_balancer.username", "$(reboot)", '"$(reboot)" must match ^[a-z_][a-z0-9_-]{0,31}$, as in debian'],
  ["load_balancer.provider", ["ovn"], "a list must be string"],
  [
    "project",
    "6a7f",
    "unknown setting; it is Kuryr-Kubernetes's: pods are in the project of the stack's cloud",
  ],
  [
    "pod_subnet",
    "6a7f",
    "unknown setting; it is Kuryr-Kubernetes's: write pod_network: neutron, and master_node.pod_cidr",
  ],
  [
    "pod_security_groups",
    ["6a7f"],
    "unknown setting; it is Kuryr-Kubernetes's: write ingress_rules, which pods have with pod_network: neutron",
  ],
  ["service_subnet", "6a7f", "unknown setting; it is Kuryr-Kubernetes's: write master_node.cluster_cidr"],
  [
    "external_lb_param",
    {},
    "unknown setting; it is Tacker's: write load_balancer, with the flavour ha-external-lb",
  ],
  [
    "external_svc_net",
    "6a7f",
    "unknown setting; it is Kuryr-Kubernetes's: write cloud_provider: openstack, which gives Services floating IPs",
  ],
  ["drain", 60, "60 must be object"],
  ["drain.timeout_seconds", "5m", '"5m" must be integer'],
  ["drain.timeout_seconds", 9, "9 must be >= 10"],
  ["drain.timeout_seconds", 601, "601 must be <= 600"],
  ["drain.timeout_seconds", 1e300, "1e+300 must be <= 600"],
  ["drain.timeout", 60, "unknown setting; allowed: timeout_seconds, delete_emptydir_data"],
  ["drain.delete_emptydir_data", "no", '"no" must be boolean'],
  ["apt_repository", "https://pkgs.k8s.io/", '"https://pkgs.k8s.io/" must be object'],
  ["apt_repository", {}, "is required", ".signed_by"],
];

const KEY_WANTED = "is not a public OpenPGP key; write armored text, or its binary form in base64";
const APT_URL = "is not a URL of a repository; write https://host/path, without user, password, spaces and %";
const PACKAGE = "must match ^[a-z0-9][a-z0-9.+-]*[a-z0-9.+]$, as in cri-tools";

/** In an apt repository that has all it needs. */
const APT: readonly WrongSetting[] = [
  ["url", "ftp://apt.example/", `"ftp://apt.example/" ${APT_URL}`],
  ["url", "https://user:hunter2@apt.example/", `"https://...@apt.example/" ${APT_URL}`],
  ["url", "https://apt.example/ [trusted=yes]", `"https://apt.example/ [trusted=yes]" ${APT_URL}`],
  ["components", "main", '"main" must be array'],
  [
    "components",
    ["main"],
    "main: a flat repository has no components; remove them, or set a suite that does not end with / instead of /",
  ],
  ["packages", ["jq", "jq"], "appears twice; remove one of the two", "[1]"],
  ["packages", ["containerd-"], `"containerd-" ${PACKAGE}`, "[0]"],
  ["packages", ["kubelet"], "kubelet is installed in the version of kubernetes_version; remove it", "[0]"],
  ["signed_by", "-----BEGIN PGP PRIVATE KEY BLOCK-----\nhunter2", `a private key ${KEY_WANTED}`],
  ["signedby", "x", 'unknown setting; did you mean "signed_by"?'],
];

/** A cluster whose nodes get Kubernetes by apt. */
const withApt = () =>
  configWith({
    [`${INSTALLATION}.kubernetes_version`]: "v1.33.0",
    [`${INSTALLATION}.apt_repository`]: { signed_by: ARMORED_KEY },
  });

const REGISTRY = { connection_type: "1", server: "registry.example" };
const SERVER =
  "is not a registry as in the names of images; write its host, in lower-case letters with a dot or a port, as in registry.example:5000";
const LINE = "is not a line of /etc/hosts; write an address and a name, as in 192.168.0.9 registry.example";
const CA = "vnf-packages/kubernetes-cluster/TOSCA-Metadata/TOSCA.meta";

/** The same for a private registry: the second, after REGISTRY. */
const REGISTRIES: readonly (readonly [changes: object, message: string, at?: string])[] = [
  [{ connection_type: 1 }, "1 must be string", ".connection_type"],
  [{ connection_type: "2" }, '"2" must match ^[01]$, as in "1"', ".connection_type"],
  [{ server: undefined }, "is required", ".server"],
  [{ server: "https://registry.example" }, `"https://registry.example" ${SERVER}`, ".server"],
  [{ server: "registry.example/app" }, `"registry.example/app" ${SERVER}`, ".server"],
  [{ server: "../../root" }, `"../../root" ${SERVER}`, ".server"],
  [{ server: "registry.example" }, "registry.example appears twice; remove one of the two", ".server"],
  [{ server: "registry" }, `"registry" ${SERVER}`, ".server"],
  [
    { server: "10.0.0.9:65536", connection_type: "0", username: "a", password: "b" },
    `"10.0.0.9:65536" ${SERVER}`,
    ".server",
  ],
  [
    { server: "docker.io", connection_type: "0" },
    'docker.io is used only with HTTPS; set it to "1"',
    ".connection_type",
  ],
  [{ username: "a" }, "set both username and password, or neither"],
  [{ password: "a" }, "set both username and password, or neither"],
  [{ username: "a:b", password: "c" }, String.raw`"a:b" must match ^[^:\s]+$, as in puller`, ".username"],
  [{ username: "a", password: "" }, EMPTY, ".password"],
  [{ certificate_path: "a" }, "a is neither in the package nor next to Pulumi.yaml", ".certificate_path"],
  [
    { certificate_path: CA },
    `${CA} is not a file of certificates; write each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, and no private key`,
    ".certificate_path",
  ],
  [{ mirrors: [] }, "is empty", ".mirrors"],
  [{ mirrors: ["mirror.example"] }, '"mirror.example" is not a URL; write http://host:port', ".mirrors[0]"],
  [{ hosts_string: "registry.example" }, `"registry.example" ${LINE}`, ".hosts_string"],
  [{ hosts_string: "1.2.3 registry" }, `"1.2.3 registry" ${LINE}`, ".hosts_string"],
  [{ hosts_string: "1.2.3.4 a b" }, `"1.2.3.4 a b" ${LINE}`, ".hosts_string"],
  [{ token: "a" }, "unknown setting", ".token"],
];

it.each(REGISTRIES.map((row) => [row]))("wrong settings of a private registry: %j", (row) => {
  const [changes, message, at = ""] = row;
  const setting = `${INSTALLATION}.private_registry_connection_info`;
  const second = { ...REGISTRY, server: "other.example:5000", ...changes };
  const [fault = "", ...more] = faultsOf(configWith({ [setting]: [REGISTRY, second] }));
  expect(more).toEqual([]);
  // known settings may follow
  expect(fault.slice(0, `${setting}[1]${at}: ${message}`.length)).toBe(`${setting}[1]${at}: ${message}`);
});

it("the parser refuses certificates for a registry without TLS", () => {
  const setting = `${INSTALLATION}.private_registry_connection_info`;
  const registry = { ...REGISTRY, connection_type: "0", certificate_path: CA };
  expect(faultsOf(configWith({ [setting]: [registry] }))).toContain(
    `${setting}[0].certificate_path: is for HTTPS; remove it, or set connection_type to "1"`,
  );
});

refuseSettings("a cluster", INSTALLATION, CLUSTER);
refuseSettings("an apt repository", `${INSTALLATION}.apt_repository`, APT, withApt);
