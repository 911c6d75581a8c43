/**
 * A pipeline with the npm package in one folder, and the stack in another: the program of docs/automation-api.md, one
 * that stops its run, and two runs at the same time. The steps build on each other.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StackStatus } from "../../../automation";
import { mustRun, REPOSITORY, run, type CommandResult } from "../../support/command";
import { installProject, pack } from "../../support/foreign-project";
import { TestStack } from "../../support/stack";

jest.setTimeout(30 * 60_000);

const [, PAGE = ""] =
  /^```ts\n(.*?)^```/ms.exec(readFileSync(join(REPOSITORY, "docs/automation-api.md"), "utf8")) ?? [];

/**
 * Program that stops the instantiation of a cluster at its first step, then completes it. Prints its events as JSON.
 */
const ENDED = `
import { ApplyFault, VnfmStack } from "vnfm/automation";

async function ended(folder: string, name: string): Promise<void> {
  const stack = await VnfmStack.open({ folder, stack: name });
  const network = { network: "public" };
  const cluster = {
    package: "vnf-packages/kubernetes-cluster",
    flavour: "simple",
    scale: { worker_instance: 0 },
    extVirtualLinks: { masterNode_CP1: network, workerNode_CP2: network },
    additionalParams: {
      k8s_cluster_installation_param: {
        master_node: { ssh_cp_name: "masterNode_CP1" },
        worker_node: { aspect_id: "worker_instance", ssh_cp_name: "workerNode_CP2" },
        management_cidrs: ["198.19.0.0/24"],
      },
    },
  };
  const stop = new AbortController();
  const signal = stop.signal;
  const fault = await stack
    .instantiate("vnf-a", cluster, { signal, onEvent: ({ kind }) => kind === "step" && stop.abort() })
    .then(() => undefined, (error: unknown) => error);
  if (!(fault instanceof ApplyFault)) throw fault;
  const { changes } = await stack.update("vnf-a", {});
  const { findings } = await stack.check("vnf-a");
  const { vnfs } = await stack.status("vnf-a");
  console.log(JSON.stringify({ faults: fault.faults, changes, findings, vnfcs: vnfs[0]?.vnfcs.map(({ vnfc, state }) => [vnfc, state]) }));
}

const [folder = "", name = ""] = process.argv.slice(2);
ended(folder, name).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
`;

const PAGE_TEXT = "a page that nobody else may read";

/** Program that instantiates a CNF with a secret, changes the secret, and terminates the CNF. */
const SECRETS = `
import { Secret, VnfmStack } from "vnfm/automation";

async function secrets(folder: string, name: string, step: string): Promise<void> {
  const stack = await VnfmStack.open({ folder, stack: name });
  if (step === "terminate") {
    await stack.terminate("web");
    return;
  }
  const values = { page: new Secret("${PAGE_TEXT}") };
  const chart = { helmreleasename: "web", helmchartfile_path: "Files/charts/web", values };
  const additionalParams = { namespace: "web", using_helm_install_param: [chart] };
  await stack.instantiate("web", { package: "vnf-packages/web-cnf", vim: "vnf-a", additionalParams });
}

const [folder = "", name = "", step = ""] = process.argv.slice(2);
secrets(folder, name, step).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
`;

let folder: string;
let pipeline: string;
let stack: TestStack;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-pipeline-"));
  pipeline = join(folder, "pipeline");
  const tarball = await pack(folder);
  await installProject(pipeline, tarball);
  stack = await TestStack.create("pipeline", {}, { install: (project) => installProject(project, tarball) });
});

afterAll(async () => {
  await stack?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const configFile = () => readFileSync(join(stack.folder, `Pulumi.${stack.name}.yaml`), "utf8");

/** Compiles a program and runs it in the pipeline's folder, with the stack's folder and name as arguments. */
async function program(code: string, ...args: string[]): Promise<CommandResult> {
  writeFileSync(join(pipeline, "index.ts"), code);
  await mustRun("npx", ["tsc"], { cwd: pipeline });
  const command = ["node", "bin/index.js", stack.folder, stack.name, ...args];
  return run(join(REPOSITORY, "toolchain/with-engine.sh"), command, { cwd: pipeline, env: stack.env });
}

it("lives a whole life by the program of the page, and leaves the stack as it was", async () => {
  const before = configFile();
  const { status, stdout, stderr } = await program(PAGE);
  expect([stderr, status]).toEqual(["", 0]);
  const told = stdout.split("\n");
  const places = [
    "vnf-a: masterNode-1 is added and bootstraps the cluster",
    "vnf-a: workerNode-1 is added and joins the cluster",
    "web: Deployment web/web is created",
    "vnf-a: workerNode-2 is added and joins the cluster",
    "vnf-a: workerNode-1 is replaced: it is drained, leaves the cluster, its server is deleted, a new one is created and joins",
    "web: Deployment web/web is deleted",
    "vnf-a: workerNode-2: its server is deleted",
  ].map((line) => [line, told.indexOf(line)] as const);
  expect(places.filter(([, place]) => place < 0)).toEqual([]);
  expect(places.map(([, place]) => place)).toEqual(places.map(([, place]) => place).sort((a, b) => a - b));
  // finished steps are reported too, each with its seconds
  for (const done of [
    "vnf-a: workerNode-2: Ready in the cluster",
    "vnf-a: workerNode-1: drained, out of the cluster",
  ])
    expect(told).toContainEqual(expect.stringMatching(new RegExp(`^${done} \\(\\d+ s\\)$`)));
  expect(configFile()).toBe(before);
  expect(await stack.changes()).toEqual([]);
  expect(await stack.cloud.inventory()).toEqual([]);
});

it("a signal ends a run after the steps that are under way, and the next one goes on", async () => {
  const { status, stdout, stderr } = await program(ENDED);
  expect([stderr, status]).toEqual(["", 0]);
  const told = JSON.parse(stdout) as Record<"faults" | "changes" | "findings" | "vnfcs", unknown[]>;
  expect(told.faults).not.toEqual([]);
  expect(told.changes).not.toEqual([]);
  expect(told.findings).toEqual([]);
  expect(told.vnfcs).toEqual([
    ["masterNode-1", "there"],
    ["workerNode-1", "there"],
  ]);
});

it("the operation has the engine encrypt the secrets of an instance, in the stack config and in the state", async () => {
  const before = configFile();
  const { status, stderr } = await program(SECRETS);
  expect([stderr, status]).toEqual(["", 0]);
  expect(configFile()).toMatch(/page:\s+\{?\s*secure: "?v1:/);
  expect(configFile()).not.toContain(PAGE_TEXT);
  expect(await stack.state()).not.toContain(PAGE_TEXT);
  const { stdout } = await stack.pulumi("config", "--show-secrets", "--json", "--stack", stack.name);
  expect(stdout).toContain(PAGE_TEXT);
  const cluster = await stack.cluster("vnf-a");
  try {
    expect(await cluster.kubectl(["get", "-n", "web", "configmap", "-o", "yaml"])).toContain(PAGE_TEXT);
  } finally {
    cluster.close();
  }
  expect(await program(SECRETS, "terminate")).toMatchObject({ stderr: "", status: 0 });
  expect(configFile()).toBe(before);
});

it("the operation waits for another run as long as it is told, and does its own after it", async () => {
  const grow = () => stack.vnfm("scale", "vnf-a", "worker_instance=+1", "--yes", "--wait", "10m");
  const [one, other] = await Promise.all([grow(), grow()]);
  expect([one.status, other.status, one.stderr, other.stderr]).toEqual([0, 0, "", ""]);
  const waiting = /^waiting: locked by process \d+ of \S+ on \S+ since \S+ \(vnfm scale vnf-a\)$/m;
  expect([one, other].filter(({ stdout }) => waiting.test(stdout))).toHaveLength(1);
  const { vnfs } = JSON.parse((await stack.vnfm("status", "--json")).stdout) as StackStatus;
  expect(vnfs.map(({ vnf, scale }) => [vnf, scale])).toEqual([["vnf-a", { worker_instance: 2 }]]);
});

it("vnfm terminates from the command line", async () => {
  const { status, stdout } = await stack.vnfm("terminate", "vnf-a", "--yes");
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^vnf-a: workerNode-3: its server is deleted$/m),
  ]);
  expect(await stack.cloud.inventory()).toEqual([]);
});
