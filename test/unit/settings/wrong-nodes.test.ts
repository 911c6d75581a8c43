import { storageVnf } from "../../support/configs";
import { INSTALLATION, refuseSettings, type WrongSetting } from "./support";

const EMPTY = "is empty; set a value or remove it";
const IPV4 = "write one address/prefix length, as in 10.244.0.0/16";
const CIDR = `is not an IPv4 CIDR; ${IPV4}`;
const USER = "must match ^[a-z_][a-z0-9_-]{0,31}$, as in debian";
const KEY_WANTED = "the secret is not a private key; write the whole file, from -----BEGIN to the last -----";

/** A private key of the type, as its first line has it, with its first lines. */
const key = (type: string, ...lines: readonly string[]) =>
  [`-----BEGIN ${type}PRIVATE KEY-----`, ...lines, `-----END ${type}PRIVATE KEY-----`, ""].join("\n");
/** The first fields of OpenSSH's own format. */
const openSsh = (cipher: string) =>
  Buffer.concat([
    Buffer.from("openssh-key-v1\0\0\0\0"),
    Buffer.of(cipher.length),
    Buffer.from(`${cipher}\0`),
  ]);
const PASSPHRASE =
  "has a passphrase, which cannot be entered during a run; use a copy without one, created by `ssh-keygen -p -N '' -f <copy>`";

/** Of any server. */
const LOGIN: readonly WrongSetting[] = [
  ["username", 1000, "1000 must be string"],
  ["username", "", `"" ${USER}`],
  ["username", "Debian", `"Debian" ${USER}`],
  ["username", "-oProxyCommand=x", `"-oProxyCommand=x" ${USER}`],
  ["username", "debian; reboot", `"debian; reboot" ${USER}`],
  ["username", "x".repeat(33), `"${"x".repeat(33)}" ${USER}`],
  ["password", 12345, "the secret must be string"],
  ["password", "", EMPTY],
  ["password", ["hunter2"], "the secret must be string"],
  [
    "private_key",
    { key: "hunter2" },
    "the secret must be string; write the whole file, from -----BEGIN to the last -----",
  ],
  ["private_key", "hunter2", KEY_WANTED],
  ["private_key", "ssh-ed25519 AAAA", KEY_WANTED],
  ["private_key", key("OPENSSH ", openSsh("aes256-ctr").toString("base64")), PASSPHRASE],
  ["private_key", key("ENCRYPTED ", "MIGb"), PASSPHRASE],
  ["private_key", key("RSA ", "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,77", "", "MIGb"), PASSPHRASE],
];

const NODE: readonly WrongSetting[] = [
  ["ssh_cp_name", undefined, "is required"],
  ["ssh_cp_name", 1, "1 must be string"],
  ["ssh_cp_name", "", EMPTY],
  ["nic_cp_name", [], "a list must be string"],
  [
    "cluster_cp_name",
    "vip_CP",
    '"vip_CP" is not a connection point of VDU masterNode; one of masterNode_CP1',
  ],
  ["cluster_cp_name", "", EMPTY],
  [
    "cluster_cp_name",
    "workerNode_CP2",
    '"workerNode_CP2" is not a connection point of VDU masterNode; one of masterNode_CP1',
  ],
  ["aspect_id", "", EMPTY],
  ["aspect_id", 0, "0 must be string"],
  ["aspect_id", "worker_instance", 'aspect "worker_instance" scales workerNode, not masterNode'],
  ["vdu_id", "master", '"master" is not a VDU of the VNFD; one of masterNode, workerNode'],
  ["vdu_id", "constructor", '"constructor" is not a VDU of the VNFD; one of masterNode, workerNode'],
  ["vdu_id", {}, "a map must be string"],
  ...LOGIN,
  ["pod_cidr", 10, `10 must be string; ${IPV4}`],
  ["pod_cidr", ["10.244.0.0/16", "fd00::/48"], `a list must be string; ${IPV4}`],
  ["pod_cidr", "10.244.0.0/16,fd00::/48", `"10.244.0.0/16,fd00::/48" ${CIDR}`],
  ["pod_cidr", "fd00::/48", `"fd00::/48" ${CIDR}`],
  ["cluster_cidr", "10.96.0.0/12,fd00::/108", `"10.96.0.0/12,fd00::/108" ${CIDR}`],
  ["pod_cidr", "10.244.0.0", `"10.244.0.0" ${CIDR}`],
  ["pod_cidr", "", `"" ${CIDR}`],
  ["pod_cidr", "10.244.0.0/25", "10.244.0.0/25 has a size that kubeadm does not accept; use /8 to /24"],
  ["pod_cidr", "10.244.0.0/24", "10.244.0.0/24 has a /24 for at most 1 of the 3 nodes; use a larger block"],
  ["cluster_cidr", "10.96.0.0/11", "10.96.0.0/11 has a size that kubeadm does not accept; use /12 to /28"],
  ["cluster_cidr", "10.96.0.0/29", "10.96.0.0/29 has a size that kubeadm does not accept; use /12 to /28"],
  ["cluster_cidr", "10.96.0.0-10.96.0.9", `"10.96.0.0-10.96.0.9" ${CIDR}`],
  ["cluster_cidr", "fd00::/108", `"fd00::/108" ${CIDR}`],
  [
    "pod_cidr",
    "10.96.0.0/16",
    "10.96.0.0/16 overlaps 10.96.0.0/12 of vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.master_node.cluster_cidr",
  ],
  ["passwd", "hunter2", 'unknown setting; did you mean "password"?'],
];

refuseSettings("a node", `${INSTALLATION}.master_node`, NODE);
refuseSettings("a worker's login", `${INSTALLATION}.worker_node`, LOGIN);
refuseSettings("a load balancer's login", `${INSTALLATION}.load_balancer`, LOGIN);
refuseSettings("a storage server's login", `${INSTALLATION}.storage_server`, LOGIN, () => ({
  "vnf-a": storageVnf(),
}));
