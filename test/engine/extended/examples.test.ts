/** Previews of the examples, each as a project by `vnfm new`. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { makeProject } from "../../../automation/new";
import { templates } from "../../../automation/new/template";
import { mustRun, REPOSITORY } from "../../support/command";
import { installProject, pack } from "../../support/foreign-project";
import { toolchainPath } from "../../support/management-cluster";
import { installPythonSdk } from "../../support/python-sdk";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

/** Servers, objects and Helm releases of each example. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  "cluster-and-cnf": [...simple("vnf-a"), ...web("web")],
  components: [...simple("vnf-a"), ...web("web")],
  "helm-chart": [...simple("vnf-a"), "mine-helm-mine/mine"],
  "high-availability": [
    ...["masterNode-1", "masterNode-2", "masterNode-3", "workerNode-1", "workerNode-2"],
    "storage_server-1",
  ].map((vnfc) => `vnf-a-${vnfc}-server`),
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

beforeAll(async () => {
  await mustRun("toolchain/build.sh", ["yaml-language-host", "python-language-host"]);
  folder = mkdtempSync(join(tmpdir(), "vnfm-examples-"));
  installed = join(folder, "installed");
  await installProject(installed, await pack(folder));
  const hosts = [await toolchainPath("yaml-language-host"), await toolchainPath("python-language-host")];
  const programs = join(installed, "node_modules/.bin");
  process.env["PATH"] = [...hosts, process.env["PATH"], programs].join(delimiter);
  first = await TestStack.create("examples", {});
});

afterAll(async () => {
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

it("are all in the table of this test", () => {
  expect(Object.keys(MADE).sort()).toEqual(templates());
});

it.each(templates())("%s would make its servers and objects, and nothing else", async (template) => {
  const stack = await stackOf(template);
  const example = join(REPOSITORY, "examples", template, "Pulumi.dev.yaml");
  if (existsSync(example)) {
    const { config } = parse(readFileSync(example, "utf8")) as { config: Record<string, object> };
    stack.configure(config["vnfm:vnfs"] ?? {});
  }
  if (template === "python") await installPythonSdk(stack.folder);
  const changes = await stack.changes();
  expect(changes.filter((change) => !change.startsWith("create "))).toEqual([]);
  expect(changes).toEqual(expect.arrayContaining((MADE[template] ?? []).map((name) => `create ${name}`)));
  await stack.remove();
});
