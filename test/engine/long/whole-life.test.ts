/**
 * The whole life of a kubeadm cluster with three control-plane nodes, two workers, a storage server and a CNF, in a new
 * stack, by the command line. After every step, each configuration that lists nodes has the declared ones, the volumes
 * keep their data, and the CNF has answered at the virtual IP. The steps build on each other.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bindClaim } from "../../support/claim";
import { changedClusterPackage } from "../../support/cluster-package";
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { haStorageVnf, webCnf } from "../../support/configs";
import { declaredEverywhere } from "../../support/declared";
import { nfsUrl, readNfs, writeNfs } from "../../support/nfs";
import { TestStack } from "../../support/stack";
import {
  exportedPaths,
  packageVolumes,
  persistentVolumes,
  STORAGE,
  storageServer,
} from "../../support/storage-server";
import { FROM, IMAGE_OF_FROM, IMAGE_OF_TO, kubelets, TO } from "../../support/versions";
import { spreadWeb, webTarget } from "../../support/web-cnf";
import { writeAndProbeDuring } from "../../support/writes";

jest.setTimeout(40 * 60 * 1000);

/** Limit of the outage of the API, and of the CNF at the virtual IP, in seconds. */
const MOST_OUTAGE = 20;

let stack: TestStack;
let cluster: Cluster;
const folder = mkdtempSync(join(tmpdir(), "vnfm-whole-life-"));

beforeAll(async () => {
  const web = webCnf("web") as { additionalParams: { "lcm-kubernetes-def-files": string[] } };
  web.additionalParams["lcm-kubernetes-def-files"].push("Files/kubernetes/disruption-budget.yaml");
  stack = await TestStack.create("whole-life", {
    "vnf-a": haStorageVnf(3, 2, { kubernetes_version: FROM }),
    "vnf-b": web,
  });
  await mustRun("lab/lab.sh", ["image", TO]);
});

afterAll(async () => {
  cluster?.close();
  rmSync(folder, { recursive: true, force: true });
  await stack?.pulumi("state", "unprotect", "--all", "--yes", "--stack", stack.name);
  await stack?.remove();
});

const vnfcs = async () => (await stack.vnf("vnf-a")).vnfcs;
const fileUrl = async () => nfsUrl((await storageServer(stack)).address, "/volume/nfs/pv1/file");
const set = (path: string, value: string) =>
  stack.must("config", "set", "--path", `vnfm:vnfs.${path}`, value, "--stack", stack.name);

async function connect(): Promise<void> {
  cluster?.close();
  cluster = await stack.cluster("vnf-a");
}

/** Expects the declared nodes in each place that lists them. */
async function expectDeclared(masters: number, workers: number, phase = "Bound"): Promise<void> {
  const nodes = Object.fromEntries(Object.entries(await vnfcs()).filter(([key]) => key !== STORAGE));
  const named = (vdu: string, count: number) =>
    Array.from({ length: count }, (_, i) => `vnf-a-${vdu}-${i + 1}`);
  const masterNames = named("masternode", masters);
  const names = [...masterNames, ...named("workernode", workers)];
  expect(await declaredEverywhere(cluster, nodes)).toEqual({
    nodes: names,
    etcd: masterNames,
    haproxy: masterNames,
  });
  const server = await storageServer(stack);
  expect(await persistentVolumes(cluster)).toEqual(packageVolumes(server, [phase, "Available", "Available"]));
  expect(exportedPaths(server)).toEqual([1, 2, 3].map((i) => `/volume/nfs/pv${i}`));
  expect(await readNfs(await fileUrl())).toBe("kept\n");
  expect((await stack.check()).found).toEqual([]);
  expect(await stack.changes()).toEqual([]);
}

/** Runs a command of `vnfm`, and expects that API and CNF answer during it. @returns the command's warnings */
async function operate(...args: string[]): Promise<readonly string[]> {
  const vnfm = () => stack.vnfm(...args, "--yes", "--json");
  const targets = { cnf: await webTarget(stack, "vnf-b") };
  const [[{ status, stdout, stderr }, { cnf }], { lostWrites, ...api }] = await writeAndProbeDuring(
    cluster,
    targets,
    vnfm,
  );
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  const { result, changes, warnings } = JSON.parse(stdout) as {
    readonly result: string;
    readonly warnings: readonly { readonly message: string }[];
    readonly changes: readonly { readonly requested: boolean }[];
  };
  expect([result, changes.filter(({ requested }) => !requested)]).toEqual(["done", []]);
  expect(lostWrites).toEqual([]);
  for (const [what, { failed, longestOutageSeconds }] of Object.entries({ API: api, CNF: cnf }))
    process.stderr.write(
      `${args.join(" ")}: ${what}: ${failed} requests failed, ${longestOutageSeconds.toFixed(1)} s between two answers\n`,
    );
  const most = { api: api.longestOutageSeconds, cnf: cnf.longestOutageSeconds };
  expect(Object.entries(most).filter(([, seconds]) => seconds > MOST_OUTAGE)).toEqual([]);
  return warnings.map(({ message }) => message);
}

async function serverIds(): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await vnfcs()).map(([key, { serverId }]) => [key, serverId]));
}

it("the cluster is instantiated, with a CNF, a claim and a file on its volume", async () => {
  await stack.mustUp();
  await connect();
  await bindClaim(cluster);
  await writeNfs(await fileUrl(), "kept\n");
  await expectDeclared(3, 2);
});

it.each([
  ["worker_instance=4", 3, 5],
  ["worker_instance=0", 3, 1],
  ["worker_instance=1", 3, 2],
  ["master_instance=1", 5, 2],
  ["master_instance=0", 3, 2],
] as const)("the cluster is scaled by %s", async (level, masters, workers) => {
  await operate("scale", "vnf-a", level);
  await expectDeclared(masters, workers);
});

it.each([
  ["alive", ["masterNode-2", "workerNode-2", STORAGE]],
  ["dead", ["masterNode-1", "workerNode-1", STORAGE]],
])("the cluster has each kind of node healed, %s", async (state, healed) => {
  await spreadWeb(cluster);
  const old = await serverIds();
  if (state === "dead") {
    await Promise.all(healed.map((key) => stack.cloud.delete("compute", `/servers/${old[key]}`)));
  }
  expect(await operate("heal", "vnf-a", ...healed)).toEqual([
    "vnf-a: PersistentVolume nfs-pv1 is in use by the PVC default/data",
  ]);
  const now = await serverIds();
  expect(Object.keys(now).filter((key) => now[key] !== old[key])).toEqual([...healed].sort());
  await expectDeclared(3, 2);
});

it("the cluster is upgraded to a package of the next minor version of Kubernetes, both workers at a time", async () => {
  const next = join(folder, "package");
  changedClusterPackage(next, "ha-storage", (definition) =>
    definition.replaceAll(IMAGE_OF_FROM, IMAGE_OF_TO),
  );
  await operate("upgrade", "vnf-a", "--to", TO, "--package", next, "--batch", "2", "--surge", "1");
  await expectDeclared(3, 2);
  expect(Object.values(await kubelets(cluster))).toEqual(Array(5).fill(TO));
});

it("the cluster is not made anew as a whole while a CNF and a claim are on it", async () => {
  const old = await serverIds();
  const { status, stderr } = await stack.vnfm("heal", "vnf-a", "all", "--yes");
  expect([status, stderr]).toEqual([1, expect.stringContaining("vnf-b")]);
  expect(await serverIds()).toEqual(old);
  await expectDeclared(3, 2);
});

it("the cluster is made anew as a whole once it may be evacuated, with its data and its CNF", async () => {
  const old = Object.values(await serverIds());
  await set("vnf-a.evacuate", "true");
  const { status, stderr } = await stack.vnfm("heal", "vnf-a", "all", "--yes", "--json");
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  expect(Object.values(await serverIds()).filter((id) => old.includes(id))).toEqual([]);
  await connect();
  expect(await (await webTarget(stack, "vnf-b")).request(1)).toBe(true);
  await expectDeclared(3, 2, "Available");
});

it("the cluster is terminated once its volumes may go, and leaves nothing in OpenStack", async () => {
  await set("vnf-a.protectVolumes", "false");
  await stack.mustUp();
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
