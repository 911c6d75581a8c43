/**
 * Parameters of a kubeadm cluster, each with its effect on the servers: logins by password and by the operator's key,
 * the package's script, the proxy, private registries, and hostile strings, which no shell may run.
 */
import { execFileSync } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { Cluster } from "../../support/cluster";
import { changedClusterPackage } from "../../support/cluster-package";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { ForwardProxy } from "../../support/forward-proxy";
import { onServer } from "../../support/guest";
import { guestPath } from "../../support/lab";
import { OidcIssuer } from "../../support/oidc-issuer";
import { PrivateRegistry } from "../../support/private-registry";
import { CommandLines } from "../../support/processes";
import { reboot } from "../../support/reboot";
import { clusterSecrets, logsOf } from "../../support/secrets";
import { TestStack } from "../../support/stack";
import { userOf } from "../../support/user-of";
import { until } from "../../support/until";

jest.setTimeout(15 * 60 * 1000);

const PASSWORD = "not 'the' $(usual) password";
const HOSTILE = "x'; touch /run/hostile; echo $(touch /run/hostile) `touch /run/hostile` \"";

/** Address of this machine in the lab's networks. */
const HERE = "198.19.0.1";
/** Two names of one registry: the first through the proxy, which only the proxy can resolve, the second without it. */
const [FAR, NEAR, PORT] = ["far.example", "near.direct.example", 5443];
/** A registry that does not exist, but whose mirror does. */
const MIRRORED = "mirrored.example";
const LOGINS = "/.docker/config.json";
const OWN_FILE = "/etc/site/agent.conf";

let stack: TestStack;
let registry: PrivateRegistry;
let proxy: ForwardProxy;
let siteCa: string;
let issuer: OidcIssuer;
let cluster: Cluster;
let output: string;
let commandLines: string;
let checkLines: string;

interface Vnfd {
  readonly topology_template: {
    readonly node_templates: Record<string, { properties: Record<string, unknown> }>;
  };
}

interface Rule {
  readonly direction: string;
  readonly protocol: string | null;
  readonly port_range_min: number | null;
  readonly port_range_max: number | null;
  readonly remote_ip_prefix: string | null;
}

/** Adds boot data to the servers. */
function withLogins(definition: string, publicKey: string): string {
  const vnfd = parse(definition) as Vnfd;
  const bootData = (name: string, config: object) => {
    const template = vnfd.topology_template.node_templates[name];
    if (template === undefined) throw new Error(`there is no ${name}`);
    template.properties["boot_data"] = `#cloud-config\n${stringify(config)}`;
  };
  bootData("masterNode", {
    users: [
      "default",
      { name: "engineer", sudo: "ALL=(ALL) NOPASSWD:ALL", ssh_authorized_keys: [publicKey] },
    ],
  });
  bootData("workerNode", {
    manage_etc_hosts: true,
    ssh_pwauth: true,
    ssh_authorized_keys: [publicKey],
    chpasswd: { expire: false, users: [{ name: "debian", password: PASSWORD, type: "text" }] },
  });
  return stringify(vnfd);
}

beforeAll(async () => {
  stack = await TestStack.create("options", {});
  const key = join(stack.folder, "operator");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  const folder = join(stack.folder, "package");
  const publicKey = readFileSync(`${key}.pub`, "utf8").trim();
  changedClusterPackage(folder, "simple", (definition) => withLogins(definition, publicKey));
  mkdirSync(join(folder, "Scripts"));
  const prepare =
    'echo "$NODE_NAME $NODE_ROLE $https_proxy" >/etc/prepared-by-package\n' +
    `[ ! -e ${OWN_FILE} ] || cp ${OWN_FILE} /etc/seen-by-package\n`;
  writeFileSync(join(folder, "Scripts/prepare.sh"), prepare);
  registry = await PrivateRegistry.start(join(stack.folder, "registry"), HERE, PORT, [FAR, NEAR]);
  issuer = await OidcIssuer.start(join(stack.folder, "issuer"), HERE);
  proxy = await ForwardProxy.start(HERE, "user:secret word", { [FAR]: HERE });
  writeFileSync(join(folder, "Files/registry-ca.pem"), registry.certificate);
  const ca = ["req", "-x509", "-newkey", "ed25519", "-noenc", "-keyout", "/dev/null", "-subj", "/CN=site"];
  siteCa = execFileSync("openssl", ca, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  writeFileSync(join(folder, "Files/site-ca.pem"), siteCa);
  const connection = {
    connection_type: "1",
    ...PrivateRegistry.login,
    certificate_path: "Files/registry-ca.pem",
  };
  const vnf = clusterVnf(1, {
    script_path: "Scripts/prepare.sh",
    vim_name: HOSTILE,
    cni_ports: ["udp/8472", "tcp/4240-4245", "ipip"],
    ingress_rules: [
      { ports: ["sctp/38412", "udp/2152", "esp", "ah", "gre", "icmp"], cidrs: ["10.20.0.0/16"] },
      { ports: ["icmp"], cidrs: ["fd00::/64"] },
    ],
    proxy: { https_proxy: proxyUrl(), no_proxy: "198.19.0.0/24, .direct.example" },
    apiServer: {
      oidc: { issuerUrl: issuer.url, clientId: "kube", groupsClaim: "groups", ca: issuer.certificate },
    },
    files: [{ path: OWN_FILE, content: HOSTILE, permissions: "0640" }],
    trusted_certificate_paths: ["Files/site-ca.pem"],
    private_registry_connection_info: [
      { ...connection, server: `${FAR}:${PORT}` },
      { ...connection, server: `${NEAR}:${PORT}`, hosts_string: `${HERE} ${NEAR}` },
      {
        ...{ connection_type: "1", server: MIRRORED, mirrors: [`https://${NEAR}:${PORT}`] },
        ...PrivateRegistry.login,
      },
    ],
    master_node: {
      ssh_cp_name: "masterNode_CP1",
      username: "engineer",
      private_key: readFileSync(key, "utf8"),
      pod_cidr: "10.250.0.0/16",
      cluster_cidr: "10.251.0.0/16",
    },
    worker_node: { ssh_cp_name: "workerNode_CP2", password: PASSWORD },
  });
  stack.configure({ "vnf-a": { ...vnf, package: "package" } });
  const watch = new CommandLines();
  try {
    output = await stack.mustUp();
  } finally {
    commandLines = watch.stop();
  }
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  cluster?.close();
  proxy?.close();
  registry?.close();
  issuer?.close();
  await stack?.remove();
});

/** Path on the host of a file that a server has written. */
async function placeOn(vnfc: string, path: string): Promise<string> {
  const { vnfcs } = await stack.vnf("vnf-a");
  return guestPath(vnfcs[vnfc]?.serverId ?? "", path);
}

async function fileOn(vnfc: string, path: string): Promise<string | undefined> {
  const file = await placeOn(vnfc, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

const proxyUrl = () => `http://user:secret%20word@${HERE}:${proxy.port}`;

it("`vnfm ssh` logs in with the operator's own key, and with a password", async () => {
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
});

it("the cluster lets the keys of boot data log in beside the one of vnfm", async () => {
  const keys = (await fileOn("workerNode-1", "/home/debian/.ssh/authorized_keys"))?.trim().split("\n");
  const operator = readFileSync(join(stack.folder, "operator.pub"), "utf8").trim();
  const plain = keys?.filter((key) => key.startsWith("ssh-ed25519 "));
  expect(plain).toHaveLength(2);
  expect(plain).toContain(operator);
});

it("vnfm checks the servers with the same logins, and shows no secret in a process list", async () => {
  const watch = new CommandLines();
  const { status, stdout } = await stack.vnfm("check").finally(() => (checkLines = watch.stop()));
  const lines = /^vnf-a: etcd of \S+, proven, .* on workerNode-1 \(\d+ kept\)\nas declared \(11 checks\)\n$/;
  expect([status, stdout]).toEqual([0, expect.stringMatching(lines)]);
  expect(checkLines).toContain(" -l engineer ");
  expect([PASSWORD, "OPENSSH PRIVATE KEY"].filter((secret) => checkLines.includes(secret))).toEqual([]);
});

it("the security group opens what the CNI and the operator need, and node ports, for every protocol", async () => {
  const { security_group_rules: rules } = await stack.cloud.get<{ security_group_rules: Rule[] }>(
    "network",
    stack.cloud.ofProject("security-group-rules"),
  );
  const opened = rules
    .filter(({ direction, protocol }) => direction === "ingress" && protocol !== null && protocol !== "tcp")
    .map(({ protocol, port_range_min: first, port_range_max: last, remote_ip_prefix: cidr }) =>
      [protocol, ...(first === null ? [] : [first, last]), cidr ?? "members"].join(" "),
    );
  expect(opened.sort()).toEqual([
    "ah 10.20.0.0/16",
    "esp 10.20.0.0/16",
    "gre 10.20.0.0/16",
    "icmp 10.20.0.0/16",
    "ipip members",
    "ipv6-icmp fd00::/64",
    "sctp 30000 32767 198.19.0.0/24",
    "sctp 30000 32767 members",
    "sctp 38412 38412 10.20.0.0/16",
    "udp 2152 2152 10.20.0.0/16",
    "udp 30000 32767 198.19.0.0/24",
    "udp 30000 32767 members",
    "udp 8472 8472 members",
  ]);
  expect(await stack.changes()).toEqual([]);
});

it("the cluster answers at a node port of UDP from outside", async () => {
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "dns-outside", namespace: "kube-system" },
    spec: {
      type: "NodePort",
      selector: { "k8s-app": "kube-dns" },
      ports: [{ port: 53, protocol: "UDP", nodePort: 30053 }],
    },
  };
  const vnfA = await stack.vnf("vnf-a");
  const resolver = new Resolver({ timeout: 2000 });
  resolver.setServers([`${vnfA.vnfcs["workerNode-1"]?.addresses["workerNode_CP2"]}:30053`]);
  try {
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(service));
    const answer = () => resolver.resolve4("kubernetes.default.svc.cluster.local").catch(() => []);
    // kube-proxy has a new Service only after a moment
    await until(30, "an answer at the node port", async () => (await answer()).length > 0);
    expect(await answer()).toEqual(["10.251.0.1"]);
  } finally {
    await cluster.kubectl(["delete", "service", "-n", "kube-system", "dns-outside"]);
  }
});

it("the cluster gives pods and Services the addresses that were asked for", async () => {
  const address = await cluster.kubectl(["get", "service", "kubernetes", "-o", "jsonpath={.spec.clusterIP}"]);
  expect(address).toBe("10.251.0.1");
  const pods = await cluster.kubectl(["get", "nodes", "-o", "jsonpath={.items[*].spec.podCIDR}"]);
  expect(pods.split(" ").sort()).toEqual(["10.250.0.0/24", "10.250.1.0/24"]);
});

it("vnfm runs the package's script on every node, with the node's name, its role and the proxy", async () => {
  expect(await fileOn("masterNode-1", "etc/prepared-by-package")).toBe(
    `vnf-a-masternode-1 master ${proxyUrl()}\n`,
  );
  expect(await fileOn("workerNode-1", "etc/prepared-by-package")).toBe(
    `vnf-a-workernode-1 worker ${proxyUrl()}\n`,
  );
});

it("vnfm writes the operator's files on every node, before the package's script runs", async () => {
  for (const vnfc of ["masterNode-1", "workerNode-1"]) {
    expect(await fileOn(vnfc, OWN_FILE.slice(1))).toBe(HOSTILE);
    expect(await fileOn(vnfc, "etc/seen-by-package")).toBe(HOSTILE);
    expect(statSync(await placeOn(vnfc, OWN_FILE.slice(1))).mode & 0o777).toBe(0o640);
  }
});

it("vnfm gives the proxy to the container runtime, its own addresses left out", async () => {
  const variables = await fileOn("workerNode-1", "etc/containerd/vnfm-proxy.env");
  expect(variables).toContain(`HTTPS_PROXY="${proxyUrl()}"\n`);
  const noProxy = [
    ...["198.19.0.0/24", ".direct.example", "127.0.0.1", "localhost", ".svc", ".cluster.local"],
    ...["10.250.0.0/16", "10.251.0.0/16", expect.stringMatching(/^198\.19\.0\.\d+$/) as string],
  ];
  expect(/^NO_PROXY="(.*)"$/m.exec(variables ?? "")?.[1]?.split(",")).toEqual(noProxy);
});

it("the container runtime pulls from a private registry through the proxy, past it where no_proxy has its name, and from a mirror", async () => {
  const pod = (name: string, server: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "private" } },
    spec: {
      nodeName: "vnf-a-workernode-1",
      containers: [{ name, image: `${server}/private/app:1`, command: ["/bin/sh", "-c", "exec sleep 3600"] }],
    },
  });
  const items = [pod("far", `${FAR}:${PORT}`), pod("near", `${NEAR}:${PORT}`), pod("mirrored", MIRRORED)];
  try {
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    await cluster.kubectl(["wait", "pod", "-l", "app=private", "--for=condition=Ready", "--timeout=90s"]);
  } finally {
    await cluster.kubectl(["delete", "pods", "-l", "app=private", "--now"]);
  }
  expect(proxy.destinations).toEqual([`${FAR}:${PORT}`]);
});

it("vnfm adds the site's CA to those that every program trusts", async () => {
  for (const vnfc of ["masterNode-1", "workerNode-1"])
    expect(await fileOn(vnfc, "etc/ssl/certs/ca-certificates.crt")).toContain(siteCa);
});

it("the cluster is as declared after a reboot, also where an image, or boot data, has cloud-init write the hosts file", async () => {
  const vnfcs = ["masterNode-1", "workerNode-1"];
  const hosts = () => Promise.all(vnfcs.map((vnfc) => fileOn(vnfc, "etc/hosts")));
  const before = await hosts();
  for (const text of before) expect(text).toContain(`\n${HERE} ${NEAR}\n`);
  for (const vnfc of vnfcs) {
    await onServer(stack, vnfc, "echo 'manage_etc_hosts: true' >/etc/cloud/cloud.cfg.d/99-of-the-image.cfg");
  }
  await reboot(stack, ...vnfcs);
  await until(180, "the Kubernetes API to answer, and both nodes to be Ready", async () => {
    const nodes = await cluster.readyNodes().catch(() => []);
    return nodes.length === 2 && (await stack.check()).found.length === 0;
  });
  expect(await stack.check()).toEqual({ status: 0, checks: 11, found: [] });
  expect(await hosts()).toEqual(before);
  expect(await stack.changes()).toEqual([]);
});

it("`vnfm ssh` logs in where nobody else gets in, with what root alone can read", async () => {
  const url = `https://${HERE}:${PORT}/v2/private/app/manifests/1`;
  expect(await mustRun("curl", ["-sko", "/dev/null", "-w", "%{http_code}", url])).toBe("401");
  expect(statSync(await placeOn("workerNode-1", LOGINS)).mode & 0o777).toBe(0o600);
});

it("the cluster knows a user of the issuer of OpenID Connect, with the groups of the token", async () => {
  const token = issuer.token("kube", { sub: "alice", groups: ["operators"] });
  expect(await userOf(token, await stack.kubeconfig("vnf-a"))).toMatchObject({
    ...{ username: `${issuer.url}#alice`, groups: ["operators", "system:authenticated"] },
  });
});

it("vnfm takes hostile text as text", async () => {
  expect(await fileOn("masterNode-1", "run/hostile")).toBeUndefined();
  const config = await cluster.kubectl([
    "get",
    "cm",
    "kubeadm-config",
    "-n",
    "kube-system",
    "-o",
    "jsonpath={.data.ClusterConfiguration}",
  ]);
  expect((parse(config) as { clusterName: string }).clusterName).toBe(HOSTILE);
});

/** Lists the secrets, also of the config, that a text contains. */
async function secretsIn(text: string): Promise<string[]> {
  const { username, password } = PrivateRegistry.login;
  const own = [PASSWORD, "secret%20word", password, btoa(`${username}:${password}`)];
  return [...own.filter((secret) => text.includes(secret)), ...(await clusterSecrets(stack))(text)];
}

it("vnfm shows no secret in the state, in its output, in a process list or in a server's logs", async () => {
  const vnfA = await stack.vnf("vnf-a");
  const logs = Object.values(vnfA.vnfcs).map(({ serverId }) => logsOf(serverId));
  const places = { state: await stack.state(), output, commandLines, logs: (await Promise.all(logs)).join() };
  expect(commandLines).toContain("kubeadm init");
  for (const [place, text] of Object.entries(places)) {
    expect([place, await secretsIn(text)]).toEqual([place, []]);
  }
});

it("the preview refuses to change what the cluster was made with, and says what", async () => {
  const vnf = clusterVnf(1, {
    script_path: "Scripts/prepare.sh",
    vim_name: HOSTILE,
    master_node: { ssh_cp_name: "masterNode_CP1", pod_cidr: "10.252.0.0/16", cluster_cidr: "10.251.0.0/16" },
  });
  const { additionalParams } = vnf as {
    additionalParams: { k8s_cluster_installation_param: { master_node: object } };
  };
  const key = readFileSync(join(stack.folder, "operator"), "utf8");
  Object.assign(additionalParams.k8s_cluster_installation_param.master_node, {
    username: "engineer",
    private_key: key,
  });
  Object.assign(additionalParams.k8s_cluster_installation_param, {
    worker_node: { ssh_cp_name: "workerNode_CP2", password: PASSWORD },
  });
  stack.configure({ "vnf-a": { ...vnf, package: "package" } });
  const preview = await stack.pulumi("preview", "--diff", "--stack", stack.name);
  expect(await secretsIn(preview.stdout + preview.stderr)).toEqual([]);
  const { status, stdout, stderr } = await stack.up();
  expect(status).not.toBe(0);
  expect(await secretsIn(stdout + stderr)).toEqual([]);
  expect(stdout).toContain("podSubnet: 10.252.0.0/16");
  expect(stdout).toContain("cannot change on an existing cluster");
  // the kubelets of both nodes have just restarted
  await until(60, "both nodes to be Ready", async () => (await cluster.readyNodes()).length === 2);
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
});

it("vnfm removes from a node what is no longer declared", async () => {
  // the run before has prepared the control-plane node, and then failed
  const certs = (name: string) => `etc/containerd/certs.d/${name}:${PORT}/hosts.toml`;
  const trusted = "usr/local/share/ca-certificates/vnfm-1.crt";
  const dropIn = "etc/systemd/system/containerd.service.d/proxy.conf";
  const paths = [certs(FAR), certs(NEAR), LOGINS, dropIn, trusted, OWN_FILE.slice(1)];
  const found = await Promise.all(paths.map((path) => fileOn("masterNode-1", path)));
  expect(found).toEqual(paths.map(() => undefined));
  expect(await fileOn("masterNode-1", "etc/hosts")).not.toContain(NEAR);
  expect(await fileOn("masterNode-1", "etc/ssl/certs/ca-certificates.crt")).not.toContain(siteCa);
});
