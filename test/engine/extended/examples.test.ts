/** Previews of the examples, each as a project by `vnfm new`. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { makeProject } from "../../../automation/new";
import { templates } from "../../../automation/new/template";
import { mustRun, REPOSITORY, run } from "../../support/command";
import { installProject, pack } from "../../support/foreign-project";
import { pinned, toolchainPath } from "../../support/management-cluster";
import { installPythonSdk } from "../../support/python-sdk";
import { freePort, startServer, type Server } from "../../support/server";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

/** Servers, objects and Helm releases of each example. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  "cluster-and-cnf": [...simple("vnf-a"), ...web("web")],
  "clusters-as-a-service": [
    ...simple("vnf-a"),
    "cert-manager-helm-cert-manager/cert-manager",
    "management-deployment-capi-system/capi-controller-manager",
    "tenant-a-cluster.cluster.x-k8s.io-tenant-a/tenant-a",
    "tenant-a-machinedeployment.cluster.x-k8s.io-tenant-a/tenant-a-default",
  ],
  components: [...simple("vnf-a"), ...web("web")],
  "helm-chart": [...simple("vnf-a"), "mine-helm-mine/mine"],
  "high-availability": [
    ...["masterNode-1", "masterNode-2", "masterNode-3", "workerNode-1", "workerNode-2"],
    "storage_server-1",
  ].map((vnfc) => `vnf-a-${vnfc}-server`),
  pipeline: [...simple("vnf-a"), ...web("web")],
  python: [...simple("vnf-a"), ...web("web")],
  "tenant-network": [...simple("vnf-a"), "vnf-a-workerNode-2-server"],
  "two-clusters": [...simple("east"), ...simple("west"), ...web("web-east"), ...web("web-west")],
  yaml: [...simple("vnf-a"), ...web("web")],
};

function simple(vnf: string): string[] {
  return [`${vnf}-masterNode-1-server`, `${vnf}-workerNode-1-server`];
}

function web(vnf: string): string[] {
  return ["configmap-web/web-page", "deployment-web/web", "service-web/web"].map(
    (object) => `${vnf}-${object}`,
  );
}

let folder: string;
/** Folder with the npm packages that all examples need. */
let installed: string;
let first: TestStack;
/** Serves the charts that the toolchain builds. */
let repository: Server;
let repositoryUrl: string;

beforeAll(async () => {
  const components = ["yaml-language-host", "python-language-host", "charts", "cluster-api-mirror"];
  await mustRun("toolchain/build.sh", components);
  folder = mkdtempSync(join(tmpdir(), "vnfm-examples-"));
  installed = join(folder, "installed");
  await installProject(installed, await pack(folder));
  const hosts = [await toolchainPath("yaml-language-host"), await toolchainPath("python-language-host")];
  const programs = join(installed, "node_modules/.bin");
  process.env["PATH"] = [...hosts, process.env["PATH"], programs].join(delimiter);
  first = await TestStack.create("examples", {});
  const port = await freePort();
  const charts = ["--bind", "127.0.0.1", "--directory", await toolchainPath("charts")];
  repository = await startServer("python3", ["-m", "http.server", String(port), ...charts], port);
  repositoryUrl = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  await repository?.stop();
  await first?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a stack in a project from an example. */
function stackOf(template: string): Promise<TestStack> {
  const install = (project: string): void => {
    makeProject(project, { template });
    symlinkSync(join(installed, "node_modules"), join(project, "node_modules"));
  };
  return TestStack.create("dev", {}, { beside: first, install });
}

/** Settings with the charts of this machine in place of those of the internet. @param name key of the settings */
async function withOwnCharts(settings: unknown, name = ""): Promise<unknown> {
  if (Array.isArray(settings)) return Promise.all(settings.map((item) => withOwnCharts(item)));
  if (typeof settings !== "object" || settings === null) return settings;
  const entries = Object.entries(settings).map(async ([key, value]) => [
    key,
    await withOwnCharts(value, key),
  ]);
  const copy = Object.fromEntries((await Promise.all(entries)) as [string, unknown][]);
  if (typeof copy["digest"] !== "string") return copy;
  const url = "repository" in copy ? { repository: repositoryUrl } : { exthelmrepo_url: repositoryUrl };
  return { ...copy, ...url, ...(await pinned((copy["helmchartname"] as string | undefined) ?? name)) };
}

it("the examples are all in the table of this test", () => {
  expect(Object.keys(MADE).sort()).toEqual(templates());
});

it.each(templates())("%s would make its servers and objects, and nothing else", async (template) => {
  const stack = await stackOf(template);
  const example = join(REPOSITORY, "examples", template, "Pulumi.dev.yaml");
  if (existsSync(example)) {
    // an image that the lab has
    const text = readFileSync(example, "utf8").replace("ubuntu-24.04-kube-v1.33.0", "debian-12-kube-v1.33.0");
    const { config } = parse(text) as { config: Record<string, object> };
    const { "vnfm:vnfs": vnfs = {}, ...others } = (await withOwnCharts(config)) as Record<string, object>;
    stack.configure(vnfs, others);
  }
  if (template === "clusters-as-a-service") {
    const args = ["package", "cluster-api", "--from", await toolchainPath("cluster-api-mirror")];
    await mustRun("node_modules/.bin/vnfm", args, { cwd: stack.folder });
  }
  if (template === "python") await installPythonSdk(stack.folder);
  const changes = await stack.changes();
  expect(changes.filter((change) => !change.startsWith("create "))).toEqual([]);
  expect(changes).toEqual(expect.arrayContaining((MADE[template] ?? []).map((name) => `create ${name}`)));
  await stack.remove();
});

it("pipeline.js of the example pipeline prints the preview, checks a stack, and says how it is used", async () => {
  const stack = await stackOf("pipeline");
  const { config } = parse(readFileSync(join(REPOSITORY, "examples/pipeline/Pulumi.dev.yaml"), "utf8")) as {
    config: Record<string, object>;
  };
  stack.configure(config["vnfm:vnfs"] ?? {});
  const program = join(REPOSITORY, "toolchain/with-engine.sh");
  const pipeline = (step: string) =>
    run(program, ["node", "pipeline.js", step, "dev"], { cwd: stack.folder, env: stack.env });
  const preview = await pipeline("preview");
  expect(preview).toMatchObject({ status: 0 });
  expect(preview.stdout).toContain("vnf-a: masterNode-1 is added");
  expect(preview.stdout).toMatch(/^\d+ changes$/m);
  // nothing was created that could differ
  expect(await pipeline("check")).toMatchObject({ status: 0 });
  const usage = await pipeline("apply");
  expect(usage).toMatchObject({ status: 1 });
  expect(usage.stderr).toContain("usage: node pipeline.js preview|up|check STACK");
  await stack.remove();
});
