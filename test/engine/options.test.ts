/**
 * The operator's parameters of a cluster VNF, each seen on the servers: logins by password and by a key of the
 * operator's own, the package's script, the proxy, and hostile text that must stay text.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { Cluster } from "../support/cluster";
import { REPOSITORY } from "../support/command";
import { clusterVnf } from "../support/configs";
import { guestPath } from "../support/lab";
import { CommandLines } from "../support/processes";
import { TestStack } from "../support/stack";

jest.setTimeout(15 * 60 * 1000);

const PASSWORD = "not 'the' $(usual) password";
const HOSTILE = "x'; touch /run/hostile; echo $(touch /run/hostile) `touch /run/hostile` \"";

let stack: TestStack;
let cluster: Cluster;
let output: string;
let commandLines: string;
let checkLines: string;

interface Vnfd {
  readonly topology_template: {
    readonly node_templates: Record<string, { properties: Record<string, unknown> }>;
  };
}

/** Our cluster package with boot data of its own and a script that prepares nodes. */
function packageWithLogins(folder: string, publicKey: string): void {
  cpSync(join(REPOSITORY, "vnf-packages/kubernetes-cluster"), folder, { recursive: true });
  const file = join(folder, "Definitions/kubernetes_cluster_df_simple.yaml");
  const vnfd = parse(readFileSync(file, "utf8")) as Vnfd;
  const bootData = (name: string, config: object) => {
    const template = vnfd.topology_template.node_templates[name];
    if (template === undefined) throw new Error(`${file} has no ${name}`);
    template.properties["boot_data"] = `#cloud-config\n${stringify(config)}`;
  };
  bootData("masterNode", {
    users: [
      "default",
      { name: "engineer", sudo: "ALL=(ALL) NOPASSWD:ALL", ssh_authorized_keys: [publicKey] },
    ],
  });
  bootData("workerNode", {
    ssh_pwauth: true,
    chpasswd: { expire: false, users: [{ name: "debian", password: PASSWORD, type: "text" }] },
  });
  writeFileSync(file, stringify(vnfd));
  mkdirSync(join(folder, "Scripts"), { recursive: true });
  writeFileSync(
    join(folder, "Scripts/prepare.sh"),
    'echo "$NODE_NAME $NODE_ROLE $https_proxy" >/etc/prepared-by-package\n',
  );
}

beforeAll(async () => {
  stack = await TestStack.create("options", {});
  const key = join(stack.folder, "operator");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  packageWithLogins(join(stack.folder, "package"), readFileSync(`${key}.pub`, "utf8").trim());
  const vnf = clusterVnf(1, {
    script_path: "Scripts/prepare.sh",
    vim_name: HOSTILE,
    proxy: { https_proxy: "http://user:secret%20word@proxy.example:3128", no_proxy: "198.19.0.0/24" },
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
  const kubeconfigs = await stack.output<Record<string, string>>("kubeconfigs");
  cluster = await Cluster.connect(kubeconfigs["vnf-a"] ?? "");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

/** A file on a server, from outside: the lab keeps what a server writes in a folder of the host. */
async function fileOn(vnfc: string, path: string): Promise<string | undefined> {
  const vnfs = await stack.output<{ "vnf-a": { vnfcs: Record<string, { serverId: string }> } }>("vnfs");
  const server = vnfs["vnf-a"].vnfcs[vnfc]?.serverId ?? "";
  const file = guestPath(server, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

it("logs in with the operator's own key, and with a password", async () => {
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
});

it("checks the servers with the same logins, and shows no secret in a process list", async () => {
  const watch = new CommandLines();
  const { status, stdout } = await stack.vnfm("check").finally(() => (checkLines = watch.stop()));
  expect([status, stdout]).toEqual([0, "as declared (5 checks)\n"]);
  expect(checkLines).toContain(" -l engineer ");
  expect([PASSWORD, "OPENSSH PRIVATE KEY"].filter((secret) => checkLines.includes(secret))).toEqual([]);
});

it("gives pods and Services the addresses that were asked for", async () => {
  const address = await cluster.kubectl(["get", "service", "kubernetes", "-o", "jsonpath={.spec.clusterIP}"]);
  expect(address).toBe("10.251.0.1");
  const pods = await cluster.kubectl(["get", "nodes", "-o", "jsonpath={.items[*].spec.podCIDR}"]);
  expect(pods.split(" ").sort()).toEqual(["10.250.0.0/24", "10.250.1.0/24"]);
});

it("runs the package's script on every node, with the node's name, its role and the proxy", async () => {
  const proxy = "http://user:secret%20word@proxy.example:3128";
  expect(await fileOn("masterNode-1", "etc/prepared-by-package")).toBe(
    `vnf-a-masternode-1 master ${proxy}\n`,
  );
  expect(await fileOn("workerNode-1", "etc/prepared-by-package")).toBe(
    `vnf-a-workernode-1 worker ${proxy}\n`,
  );
});

it("gives the proxy to the container runtime, its own addresses left out", async () => {
  const dropIn = await fileOn("workerNode-1", "etc/systemd/system/containerd.service.d/proxy.conf");
  expect(dropIn).toContain('Environment="HTTPS_PROXY=http://user:secret%%20word@proxy.example:3128"');
  expect(dropIn).toMatch(
    /NO_PROXY=198\.19\.0\.0\/24,127\.0\.0\.1,localhost,.*10\.250\.0\.0\/16,10\.251\.0\.0\/16/,
  );
});

it("takes hostile text as text", async () => {
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

it("shows no secret in the state, in its output or in a process list", async () => {
  const vims =
    await stack.output<Record<string, { access_info: Record<string, string> }>>("vimConnectionInfo");
  const { bearer_token = "", certificate_key = "" } = vims["vnf-a"]?.access_info ?? {};
  const secrets = [PASSWORD, "secret%20word", "OPENSSH PRIVATE KEY", bearer_token, certificate_key];
  const places = { state: await stack.state(), output, commandLines };
  expect(commandLines).toContain("kubeadm init");
  for (const [place, text] of Object.entries(places)) {
    expect([place, secrets.filter((secret) => text.includes(secret))]).toEqual([place, []]);
  }
});

it("refuses to change what the cluster was made with, and says what", async () => {
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
  const { status, stdout } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout).toContain("podSubnet: 10.252.0.0/16");
  expect(stdout).toContain("cannot change on a cluster that runs");
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
});
