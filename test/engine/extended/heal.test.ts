/**
 * A cluster's secrets are rotated in place, and certificates before they expire. Then its single control plane is
 * healed: the cluster keeps its etcd and its certificates, also if the run is killed, and stays the same VIM for a CNF
 * of another stack. If the control plane is lost, its last snapshot is restored, or the whole cluster is re-created.
 * The steps build on each other.
 */
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { StackStatus } from "../../../automation";
import type { Connection } from "../../../components/remote/ssh-client";
import type { Cluster } from "../../support/cluster";
import { clusterVnf, webCnf } from "../../support/configs";
import { recover, upKilledWhen } from "../../support/cut-off";
import { connectionTo } from "../../support/guest";
import { guestPath } from "../../support/lab";
import { page } from "../../support/page";
import { running } from "../../support/running";
import { loginStatus, servedSerial } from "../../support/secrets";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { describeWholeHeal } from "./whole-heal";

jest.setTimeout(15 * 60 * 1000);

let stack: TestStack;
let other: TestStack;
let cluster: Cluster;

const BEFORE = "a token before there is anything to heal";
let rotate: Readonly<Record<string, string>> = {};
const elsewhere = {
  web: webCnf("elsewhere", { vim: { stack: "heal", vim_name: "kubernetes_vim_vnf-a" } }),
};

const vnfs = (token: string) => ({
  "vnf-a": { ...clusterVnf(1), heal: { "masterNode-1": token }, rotate },
  "vnf-b": webCnf("web"),
});

beforeAll(async () => {
  stack = await TestStack.create("heal", vnfs(BEFORE));
  await stack.mustUp();
  cluster = await connectCluster();
});

afterAll(async () => {
  cluster?.close();
  try {
    await other?.remove();
  } finally {
    await stack?.remove();
  }
});

async function connectCluster(): Promise<Cluster> {
  return stack.cluster("vnf-a");
}

const apiUrl = async () => (await stack.vnf("vnf-a")).apiUrl;

/** Reads the facts that no heal may change. */
const kept = async () => ({
  ...(await running(cluster)),
  kubeconfigs: await stack.output("kubeconfigs"),
  vimConnectionInfo: await stack.output("vimConnectionInfo"),
});
const serverOf = async (vnfc: string) => (await stack.vnf("vnf-a")).vnfcs[vnfc]?.serverId ?? "";

const write = (name: string) => cluster.kubectl(["create", "configmap", name, `--from-literal=name=${name}`]);
const read = (name: string) => cluster.kubectl(["get", "configmap", name, "-o", "jsonpath={.data.name}"]);
const inGuest = (serverId: string, path: string) => existsSync(guestPath(serverId, path));
const exists = async (serverId: string) => {
  const { servers } = await stack.cloud.get<{ servers: { id: string }[] }>("compute", "/servers");
  return servers.some(({ id }) => id === serverId);
};

describe("rotation", () => {
  const VNFCS = ["masterNode-1", "workerNode-1"];
  const servers = () => Promise.all(VNFCS.map(serverOf));
  const connections = () => Promise.all(VNFCS.map((vnfc) => connectionTo(stack, vnfc)));
  const statuses = (ways: readonly Connection[]) => Promise.all(ways.map(loginStatus));
  const all = (op: string, vnfc: string, steps: readonly string[]) =>
    steps.map((step) => `${op} vnf-a-${vnfc}-${step}`);

  it("shows as a change of logins and tokens, of no server and no Kubernetes object", async () => {
    rotate = { ssh_key: "1", service_account: "1", certificates: "1" };
    stack.configure(vnfs(BEFORE));
    const changes = await stack.changes();
    expect(changes.filter((change) => change.includes(" vnf-b"))).toEqual([
      expect.stringMatching(/^update vnf-b-.*-ready$/),
      "update vnf-b-unclaimed",
    ]);
    expect(changes.filter((change) => !change.includes(" vnf-b"))).toEqual(
      [
        ...all("create", "masterNode-1", ["former-keys"]),
        ...all("create", "workerNode-1", ["former-keys"]),
        // each script resource gets the key for its login
        ...all("update", "masterNode-1", ["access", "certificates", "cni", "copy", "init", "labels"]),
        ...all("update", "masterNode-1", ["prepare"]),
        ...all("update", "masterNode-1", ["restore", "service-account", "snapshots"]),
        ...all("update", "workerNode-1", ["join", "labels", "member", "prepare"]),
        ...all("update", "workerNode-1", ["ready", "store"]),
        "update vnf-a-key",
        // Nova's key pair, for later servers
        "replace vnf-a",
      ].sort(),
    );
  });

  it("ends the old key, token and certificates, and touches nothing that runs", async () => {
    const [ids, ways, before, serial] = [
      await servers(),
      await connections(),
      await running(cluster),
      await servedSerial(await apiUrl()),
    ];
    const uid = ["get", "deployment", "web", "-n", "web", "-o", "jsonpath={.metadata.uid}"];
    const web = await cluster.kubectl(uid);
    await stack.mustUp();
    const old = cluster;
    cluster = await connectCluster();
    expect(await servers()).toEqual(ids);
    expect(await running(cluster)).toEqual(before);
    expect(await cluster.kubectl(uid)).toBe(web);
    const { status, stderr } = await old.tryKubectl(["get", "nodes"]);
    old.close();
    expect([status, stderr]).toEqual([1, expect.stringContaining("Unauthorized")]);
    expect(await statuses(ways)).toEqual([255, 255]);
    expect(await statuses(await connections())).toEqual([0, 0]);
    const file = guestPath(ids[0] ?? "", "etc/kubernetes/pki/apiserver.crt");
    expect(await servedSerial(await apiUrl())).toBe(new X509Certificate(readFileSync(file)).serialNumber);
    expect(await servedSerial(await apiUrl())).not.toBe(serial);
    expect(await stack.changes()).toEqual([]);
  });

  it("goes on where a run was killed as a server had got the present key", async () => {
    rotate = { ...rotate, ssh_key: "2" };
    stack.configure(vnfs(BEFORE));
    const ways = await connections();
    const file = guestPath(await serverOf("masterNode-1"), "home/debian/.ssh/authorized_keys");
    const keys = () => readFileSync(file, "utf8").match(/^ssh-ed25519 .*/gm) ?? [];
    const former = keys();
    expect(former).toHaveLength(1);
    await upKilledWhen(stack, () => Promise.resolve(keys()[0] !== former[0]));
    await recover(stack);
    await stack.mustUp();
    expect(keys()).toHaveLength(1);
    expect(keys()).not.toEqual(former);
    expect(await statuses(ways)).toEqual([255, 255]);
    expect(await statuses(await connections())).toEqual([0, 0]);
    expect(await stack.changes()).toEqual([]);
  });
});

describe("certificates that end soon", () => {
  const HOURS = /certificateValidityPeriod: \d+h/;

  /** Makes kubeadm create certificates that are valid for so many hours. */
  async function makeFor(hours: number): Promise<void> {
    const configMap = ["configmap", "kubeadm-config", "--namespace=kube-system"];
    const path = "jsonpath={.data.ClusterConfiguration}";
    const config = await cluster.kubectl(["get", ...configMap, "-o", path]);
    expect(config).toMatch(HOURS);
    const data = { ClusterConfiguration: config.replace(HOURS, `certificateValidityPeriod: ${hours}h`) };
    await cluster.kubectl(["patch", ...configMap, "--type=merge", "--patch", JSON.stringify({ data })]);
  }

  /** Returns what `check`, `status` and a preview report about certificates. */
  async function told() {
    const { found } = await stack.check();
    const { stdout } = await stack.vnfm("status", "vnf-a", "--json");
    const { vnfs: of } = JSON.parse(stdout) as StackStatus;
    const preview = await stack.must("preview", "--stack", stack.name);
    const warnings = new Set(preview.match(/kubeadm's certificates: .*/g));
    return { check: found, status: of[0]?.expiring, preview: [...warnings] };
  }

  async function renew(token: string): Promise<void> {
    rotate = { ...rotate, certificates: token };
    stack.configure(vnfs(BEFORE));
    await stack.mustUp();
  }

  it("are told of by check, status and previews", async () => {
    await makeFor(20 * 24);
    await renew("2");
    const text =
      "kubeadm's certificates: \\S+Z ends in (19|20) days, and the Kubernetes API then stops working; 'vnfm rotate vnf-a certificates' renews them";
    const matching = (pattern: string) => expect.stringMatching(new RegExp(pattern)) as string;
    expect(await told()).toEqual({
      check: [matching(`^masterNode-1: ${text}$`)],
      status: [matching(`^${text}$`)],
      preview: [matching(`^${text}$`)],
    });
  });

  it("are told of no more once a rotation has made others", async () => {
    await makeFor(365 * 24);
    await renew("3");
    expect(await told()).toEqual({ check: [], status: undefined, preview: [] });
    const { certificates } = await stack.vnf("vnf-a");
    const years = (end: string) => Math.round((Date.parse(end) - Date.now()) / (365 * 86_400_000));
    expect([years(certificates.expiresAt), years(certificates.caExpiresAt)]).toEqual([1, 10]);
    expect(await stack.changes()).toEqual([]);
  });
});

describe("a CNF of another stack", () => {
  it("lands on the cluster by its name as a VIM, and shows no secret of it", async () => {
    other = await TestStack.create("cnfs", elsewhere, { beside: stack });
    const output = await other.mustUp();
    const replicas = ["get", "deployment", "web", "-o", "jsonpath={.status.readyReplicas}"];
    expect(await cluster.kubectl([...replicas, "-n", "elsewhere"])).toBe("2");
    const vims =
      await stack.output<Record<string, { access_info: { bearer_token: string } }>>("vimConnectionInfo");
    const token = vims["vnf-a"]?.access_info.bearer_token ?? "";
    expect(token.length).toBeGreaterThan(100);
    expect(output + (await other.state())).not.toContain(token);
    expect(await other.changes()).toEqual([]);
  });
});

describe("heal of the sole master", () => {
  it("replaces its server and nothing else, and the cluster goes on as the same", async () => {
    stack.configure(vnfs("1"));
    const changes = await stack.changes();
    expect(changes.filter((change) => !change.includes(" vnf-a-masterNode-1-"))).toEqual([]);
    expect(changes.filter((change) => change.startsWith("replace "))).toEqual(
      [
        ...["certificates", "copy", "former-keys", "labels", "prepare", "restore"],
        ...["server", "snapshots"],
      ].map((it) => `replace vnf-a-masterNode-1-${it}`),
    );
    await write("before-heal");
    const [old, before] = [await serverOf("masterNode-1"), await kept()];
    await stack.mustUp();
    expect(await kept()).toEqual(before);
    expect(await serverOf("masterNode-1")).not.toBe(old);
    expect(await read("before-heal")).toBe("before-heal");
    expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
    expect(await stack.changes()).toEqual([]);
  });

  it("changes nothing for a CNF of another stack, which can be terminated then", async () => {
    expect(await other.changes()).toEqual([]);
    other.configure({});
    await other.mustUp();
    expect(await cluster.list("all", "-n", "elsewhere")).toEqual([]);
  });

  it("leaves the copy nowhere", async () => {
    expect(inGuest(await serverOf("workerNode-1"), "home/debian/.ssh/authorized_keys")).toBe(true);
    expect(inGuest(await serverOf("workerNode-1"), "home/debian/.vnfm-control-plane/copy")).toBe(false);
    const master = await serverOf("masterNode-1");
    expect(inGuest(master, "etc/kubernetes/vnfm-etcd.yaml")).toBe(false);
    // the copy exists for a moment during each snapshot
    await until(30, "the copy to go", () => Promise.resolve(!inGuest(master, "var/lib/vnfm-control-plane")));
  });

  it("goes on where a run was killed when the old server was gone", async () => {
    stack.configure(vnfs("2"));
    await write("before-kill");
    const [old, before] = [await serverOf("masterNode-1"), await kept()];
    await upKilledWhen(stack, async () => !(await exists(old)));
    await recover(stack);
    await stack.mustUp();
    expect(await kept()).toEqual(before);
    expect(await read("before-kill")).toBe("before-kill");
    expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
    expect(await stack.changes()).toEqual([]);
  });
});

describeWholeHeal(() => ({
  stack,
  configOf: (heal, changes) => {
    const { "vnf-a": cluster, ...others } = vnfs("2");
    return { "vnf-a": { ...cluster, heal: { ...cluster.heal, ...heal }, ...changes }, ...others };
  },
}));

describe("termination", () => {
  it("the termination leaves nothing behind", async () => {
    await stack.must("destroy", "--yes", "--stack", stack.name);
    expect(await stack.cloud.inventory()).toEqual([]);
  });

  it("the termination takes the VIM from a CNF of another stack", async () => {
    other.configure(elsewhere);
    const { status, stdout } = await other.pulumi("preview", "--stack", other.name);
    expect(status).not.toBe(0);
    expect(stdout).toContain(
      'web.vim.vim_name: stack organization/vnfm/heal has no VIM "kubernetes_vim_vnf-a"; none is defined; ',
    );
  });
});
