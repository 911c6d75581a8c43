/**
 * A highly available cluster on a real cloud: three masters behind a virtual IP, healed where their servers are gone,
 * scaled out and in, made anew as a whole, its keys and certificates rotated. After every step everything that names
 * the nodes names exactly the declared ones.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Connection } from "../../../automation/ssh";
import { Cluster } from "../../support/cluster";
import { haClusterVnf } from "../../support/configs";
import { declaredEverywhere, type Vnfcs } from "../../support/declared";
import { connectionTo } from "../../support/guest";
import { guestPath } from "../../support/lab";
import { loginStatus } from "../../support/secrets";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { writeDuring } from "../../support/writes";
import { describeDrift } from "./drift";

jest.setTimeout(40 * 60 * 1000);

interface Server {
  readonly name: string;
  readonly hostId: string;
  readonly created: string;
  readonly "OS-SRV-USG:launched_at": string;
}

let stack: TestStack;
let cluster: Cluster;

const vnfcs = async () =>
  (await stack.output<Record<string, { vnfcs: Vnfcs }>>("vnfs"))["vnf-a"]?.vnfcs ?? {};
const declared = (masters: number, workers: number) => [
  ...Array.from({ length: masters }, (_, i) => `vnf-a-masternode-${i + 1}`),
  ...Array.from({ length: workers }, (_, i) => `vnf-a-workernode-${i + 1}`),
];

async function connectCluster(): Promise<void> {
  cluster?.close();
  const kubeconfigs = await stack.output<Record<string, string>>("kubeconfigs");
  cluster = await Cluster.connect(kubeconfigs["vnf-a"] ?? "");
}

/** The nodes by each thing that names them; all must be the same. */
async function expectDeclared(masters: number, workers: number): Promise<void> {
  const names = declared(masters, workers);
  expect(await declaredEverywhere(cluster, await vnfcs())).toEqual({
    nodes: names,
    etcd: names.filter((name) => name.includes("master")),
    haproxy: names.filter((name) => name.includes("master")),
    hosts: names,
  });
}

/** The stack config of so many masters and a worker. */
const configOf = (masters: number, changes: object = {}) => ({
  "vnf-a": haClusterVnf(masters, 1, changes),
});

const HEALED = { "masterNode-2": "1", "workerNode-1": "1" };
/** After the masters were lost, too: a token that changes heals again. */
const LOST = { ...HEALED, "masterNode-1": "lost", "masterNode-2": "lost", "masterNode-3": "lost" };
const TOGETHER = { ...LOST, "masterNode-1": "together", "masterNode-2": "together" };

beforeAll(async () => {
  stack = await TestStack.create("ha", configOf(3));
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

describe("instantiate", () => {
  it("brings up three masters behind the virtual IP", async () => {
    await stack.mustUp();
    await connectCluster();
    expect(await cluster.readyNodes()).toEqual(declared(3, 1));
    await expectDeclared(3, 1);
  });

  it("has nothing left to do afterwards", async () => {
    expect(await stack.changes()).toEqual([]);
  });

  it("places the masters apart, each one when the last one has its host", async () => {
    const { servers } = await stack.cloud.get<{ servers: Server[] }>("compute", "/servers/detail");
    const masters = servers.filter(({ name }) => name.startsWith("vnf-a-master"));
    expect(new Set(masters.map(({ hostId }) => hostId)).size).toBe(3);
    const times = masters
      .sort((a, b) => a.name.localeCompare(b.name))
      .flatMap((server) => [server.created, server["OS-SRV-USG:launched_at"]])
      .map((time) => Date.parse(time.replace(/Z?$/, "Z")));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});

it("gives every Node the availability zone that Nova has placed its server in", async () => {
  const nodes = await cluster.list<{ metadata: { name: string; labels: Record<string, string> } }>("nodes");
  const { servers } = await stack.cloud.get<{
    servers: { name: string; "OS-EXT-AZ:availability_zone": string }[];
  }>("compute", "/servers/detail");
  const zones = nodes.map(({ metadata }) => [metadata.name, metadata.labels["topology.kubernetes.io/zone"]]);
  expect(Object.fromEntries(zones)).toEqual(
    Object.fromEntries(
      servers
        .filter(({ name }) => name.startsWith("vnf-a-"))
        .map((server) => [server.name, server["OS-EXT-AZ:availability_zone"]]),
    ),
  );
});

describeDrift(() => ({ stack, cluster, expectDeclared: () => expectDeclared(3, 1) }));

describe("heal", () => {
  it.each([
    [
      "a worker",
      "workerNode-1",
      ["hosts", "join", "join-token", "labels", "member", "prepare", "ready", "server"],
    ],
    [
      "the first master",
      "masterNode-1",
      ["hosts", "join", "join-token", "labels", "load-balancer", "member", "prepare", "ready", "server"],
    ],
  ])("of %s would replace that one and nothing else", async (_, vnfc, resources) => {
    stack.configure(configOf(3, { heal: { [vnfc]: "1" } }));
    const changes = await stack.changes();
    expect(changes.filter((change) => !change.includes(` vnf-a-${vnfc}-`))).toEqual([]);
    expect(changes.filter((change) => change.startsWith("replace "))).toEqual(
      resources.map((it) => `replace vnf-a-${vnfc}-${it}`),
    );
  });

  it("of a master and a worker whose servers are gone does not wait for them", async () => {
    const old = await vnfcs();
    const gone = Object.keys(HEALED);
    await Promise.all(
      gone.map((key) => stack.cloud.delete("compute", `/servers/${old[key]?.serverId ?? ""}`)),
    );
    stack.configure(configOf(3, { heal: HEALED }));
    await stack.mustUp();
    await expectDeclared(3, 1);
    const now = await vnfcs();
    for (const key of gone) {
      expect(now[key]?.serverId).not.toBe(old[key]?.serverId);
      expect(now[key]?.addresses).toEqual(old[key]?.addresses);
    }
  });
});

/** `vnfm heal` of a master that is alive and of one that is lost, of three. */
async function expectNoOtherToLeave(lost: string): Promise<void> {
  // the API's address moves too when the master that has it is lost
  const readyNodes = () => cluster.readyNodes().catch(() => []);
  await until(120, `${lost} to be found not Ready`, async () => (await readyNodes()).length === 3);
  const { status, stderr } = await stack.vnfm("heal", "vnf-a", "masterNode-1", lost, "--yes");
  expect(stderr).toContain(`masterNode-1 cannot leave etcd yet`);
  expect(stderr).toContain(`First: vnfm heal vnf-a ${lost}`);
  expect(status).toBe(1);
  expect(await stack.changes()).toEqual([]);
}

describe("masters that are lost one after the other", () => {
  it("take no acknowledged write with them", async () => {
    let heal: Readonly<Record<string, string>> = HEALED;
    const [, { longestOutageSeconds, lostWrites }] = await writeDuring(cluster, async () => {
      for (const key of ["masterNode-1", "masterNode-2", "masterNode-3"] as const) {
        await stack.cloud.delete("compute", `/servers/${(await vnfcs())[key]?.serverId}`);
        if (key === "masterNode-3") await expectNoOtherToLeave(key);
        heal = { ...heal, [key]: LOST[key] };
        stack.configure(configOf(3, { heal }));
        await stack.mustUp();
      }
    });
    expect(lostWrites).toEqual([]);
    expect(longestOutageSeconds).toBeLessThan(20);
    await expectDeclared(3, 1);
  });
});

it("heals two of three masters in one run, one after the other, and loses no acknowledged write", async () => {
  const old = await vnfcs();
  const begin = Date.now();
  stack.configure(configOf(3, { heal: TOGETHER }));
  const [, { longestOutageSeconds, lostWrites }] = await writeDuring(cluster, () => stack.mustUp());
  // nobody has waited for a master that comes back after the one that waits
  expect(Date.now() - begin).toBeLessThan(9 * 60 * 1000);
  expect(lostWrites).toEqual([]);
  expect(longestOutageSeconds).toBeLessThan(20);
  const now = await vnfcs();
  for (const key of ["masterNode-1", "masterNode-2"]) expect(now[key]?.serverId).not.toBe(old[key]?.serverId);
  await expectDeclared(3, 1);
});

describe("scale", () => {
  it("of masters out and in: etcd, the load balancers and the hosts files follow", async () => {
    stack.configure(configOf(5, { heal: TOGETHER }));
    const changes = await stack.changes();
    expect(changes.filter((change) => /^(replace|delete) .*server$/.test(change))).toEqual([]);
    await stack.mustUp();
    await expectDeclared(5, 1);
    stack.configure(configOf(3, { heal: TOGETHER }));
    await stack.mustUp();
    await expectDeclared(3, 1);
  });
});

describe("a Node that somebody has removed", () => {
  it("is found, and left to be healed", async () => {
    await cluster.kubectl(["delete", "node", "vnf-a-workernode-1"]);
    const missing =
      "vnf-a: workerNode-1: Node vnf-a-workernode-1 is missing: run 'vnfm heal vnf-a workerNode-1'";
    const { status, stdout } = await stack.vnfm("check");
    expect([status, stdout]).toEqual([5, `${missing}\n`]);
    const mended = await stack.vnfm("mend", "--yes");
    expect([mended.status, mended.stdout]).toEqual([5, `${missing}\ndone in 0 s\nnot mended: ${missing}\n`]);
  });
});

describe("heal of the whole cluster", () => {
  const uid = () => cluster.kubectl(["get", "namespace", "kube-system", "-o", "jsonpath={.metadata.uid}"]);

  it("begins another one on new servers, behind the same address", async () => {
    const [old, before] = [await vnfcs(), await uid()];
    stack.configure(configOf(3, { heal: { ...TOGETHER, all: "1" } }));
    await stack.mustUp();
    await connectCluster();
    expect(await uid()).not.toBe(before);
    await expectDeclared(3, 1);
    const now = await vnfcs();
    for (const [key, { serverId, addresses }] of Object.entries(now)) {
      expect(serverId).not.toBe(old[key]?.serverId);
      expect(addresses).toEqual(old[key]?.addresses);
    }
    expect(await stack.changes()).toEqual([]);
  });
});

describe("rotation", () => {
  const MASTERS = ["masterNode-1", "masterNode-2", "masterNode-3"];
  const connections = () =>
    Promise.all([...MASTERS, "workerNode-1"].map((vnfc) => connectionTo(stack, vnfc)));
  const statuses = (ways: readonly Connection[]) => Promise.all(ways.map(loginStatus));

  async function certificates(): Promise<readonly string[]> {
    const all = await vnfcs();
    const files = MASTERS.map((vnfc) =>
      guestPath(all[vnfc]?.serverId ?? "", "etc/kubernetes/pki/apiserver.crt"),
    );
    return files.map((file) => new X509Certificate(readFileSync(file)).serialNumber);
  }

  it("ends the old keys and certificates of all masters, and the API takes writes all the while", async () => {
    const [old, ways, before] = [await certificates(), await connections(), await vnfcs()];
    const rotate = { ssh_key: "1", certificates: "1" };
    stack.configure(configOf(3, { heal: { ...TOGETHER, all: "1" }, rotate }));
    const [, { longestOutageSeconds, lostWrites }] = await writeDuring(cluster, () => stack.mustUp());
    expect(lostWrites).toEqual([]);
    expect(longestOutageSeconds).toBeLessThan(20);
    expect(new Set([...(await certificates()), ...old]).size).toBe(6);
    expect(await statuses(ways)).toEqual([255, 255, 255, 255]);
    expect(await statuses(await connections())).toEqual([0, 0, 0, 0]);
    expect(await vnfcs()).toEqual(before);
    await expectDeclared(3, 1);
    expect(await stack.changes()).toEqual([]);
  });
});

describe("terminate", () => {
  it("leaves nothing in OpenStack", async () => {
    stack.configure({});
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
