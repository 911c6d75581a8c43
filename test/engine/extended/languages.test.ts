/**
 * A Pulumi program in YAML, in a project with the npm package: a cluster, and a CNF on it with a secret. Then the same
 * program in Python, with the SDK from the plugin's schema. The steps build on each other.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { stringify } from "yaml";
import { Cluster } from "../../support/cluster";
import { mustRun, REPOSITORY, run } from "../../support/command";
import { clusterVnf, webCnf } from "../../support/configs";
import { installProject, pack } from "../../support/foreign-project";
import { toolchainPath } from "../../support/management-cluster";
import { installPythonSdk } from "../../support/python-sdk";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

const GREETING = "a greeting that nobody else may read";
/** Number that has no other use in the state. */
const HISTORY = 1_618_033;

let folder: string;
let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  await mustRun("toolchain/build.sh", ["yaml-language-host"]);
  folder = mkdtempSync(join(tmpdir(), "vnfm-languages-"));
  const tarball = await pack(folder);
  const hosts = [await toolchainPath("yaml-language-host"), await toolchainPath("python-language-host")];
  const install = async (project: string): Promise<void> => {
    await installProject(project, tarball);
    writeProgram(project);
    // as docs/ describe it
    process.env["PATH"] = [...hosts, process.env["PATH"], join(project, "node_modules/.bin")].join(delimiter);
  };
  stack = await TestStack.create("languages", {}, { install });
  await stack.pulumi("config", "set", "--secret", "history", String(HISTORY), "--stack", stack.name);
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a project with this program, and the package of a CNF whose page contains the greeting. */
function writeProgram(project: string): void {
  mkdirSync(join(project, "packages"));
  for (const name of ["web-cnf", "kubernetes-cluster"])
    cpSync(join(REPOSITORY, "vnf-packages", name), join(project, "packages", name), { recursive: true });
  const page = join(project, "packages/web-cnf/Files/kubernetes/configmap.yaml");
  writeFileSync(page, readFileSync(page, "utf8").replace("web-cnf</h1>", "${GREETING}</h1>"));
  const workload = join(project, "packages/web-cnf/Files/kubernetes/deployment.yaml");
  const spec = "spec:\n  revisionHistoryLimit: ${HISTORY}\n";
  writeFileSync(workload, readFileSync(workload, "utf8").replace(/^spec:\n/m, spec));
  declare(project, 1);
}

/** Writes Pulumi.yaml. @param changes changed settings of the CNF */
function declare(project: string, workers: number, changes: object = {}): void {
  const web = webCnf("web") as { additionalParams: object };
  const variables = { GREETING: { "fn::secret": GREETING }, HISTORY: "${history}" };
  const program = {
    name: "languages",
    runtime: "yaml",
    config: { history: { type: "integer", secret: true } },
    resources: {
      "vnf-a": {
        type: "vnfm:KubernetesCluster",
        properties: { ...clusterVnf(workers), package: "packages/kubernetes-cluster" },
      },
      web: {
        type: "vnfm:Cnf",
        properties: {
          ...{ ...web, package: "packages/web-cnf", vim: "${vnf-a}" },
          additionalParams: { ...web.additionalParams, variables },
          ...changes,
        },
      },
    },
    outputs: {
      kubeconfig: "${vnf-a.kubeconfig}",
      apiUrl: "${vnf-a.apiUrl}",
      endpoints: "${web.vnf.endpoints}",
    },
  };
  writeFileSync(join(project, "Pulumi.yaml"), stringify(program));
}

it("the failed run tells what is wrong in words of the program, before anything is made", async () => {
  declare(stack.folder, 1, { readyTimeout: "long" });
  const { status, stdout, stderr } = await stack.up();
  expect(status).not.toBe(0);
  const told = `${stdout}${stderr}`;
  expect(told).toContain('Cnf web.readyTimeout: "long" must match ^[1-9]\\d{0,4}[smh]$, as in 90s or 10m');
  expect(told).not.toMatch(/^\s+at /m);
  declare(stack.folder, 1);
});

it("the program makes a cluster and a CNF on it", async () => {
  await stack.mustUp();
  cluster = await Cluster.connect(await stack.output<string>("kubeconfig"));
  expect(await cluster.readyNodes()).toHaveLength(2);
  const page = await cluster.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"]);
  expect(page).toContain(`<h1>${GREETING}</h1>`);
  expect(await stack.output("apiUrl")).toMatch(/^https:\/\/198\.19\.0\.\d+:6443$/);
  expect(await stack.output("endpoints")).toEqual([
    expect.objectContaining({ name: "web", namespace: "web" }),
  ]);
});

it("the stack has secrets encrypted in the state, a number too, which the object has as one", async () => {
  const limit = ["-o", "jsonpath={.spec.revisionHistoryLimit}"];
  expect(await cluster.kubectl(["get", "-n", "web", "deployment/web", ...limit])).toBe(String(HISTORY));
  const state = await stack.state();
  expect(state).not.toContain(GREETING);
  expect(state).not.toContain(String(HISTORY));
});

it("the next run has nothing left to do afterwards", async () => {
  expect(await stack.changes()).toEqual([]);
});

it("the program adds a worker where an input says so, and changes nothing else", async () => {
  declare(stack.folder, 2);
  const others = (await stack.changes()).filter((change) => !/^create vnf-a-workerNode-2\b/.test(change));
  expect(others).toEqual([]);
  await stack.mustUp();
  expect(await cluster.readyNodes()).toHaveLength(3);
});

describe("in Python", () => {
  /** Runs a program in the project's virtual environment. */
  const inVenv = (program: string, ...args: string[]) =>
    run(join(stack.folder, "venv/bin", program), args, { cwd: stack.folder });

  beforeAll(async () => {
    const { folder: cwd } = stack;
    await installPythonSdk(cwd, "mypy==2.4.1");
    writeFileSync(join(cwd, "Pulumi.yaml"), stringify({ name: "languages", runtime: "python" }));
    cpSync(join(REPOSITORY, "test/support/languages.py"), join(cwd, "__main__.py"));
    Object.assign(process.env, { WORKERS: "2", GREETING });
  });

  it("the program is accepted by mypy, which refuses a parameter that a CNF has not", async () => {
    expect(await inVenv("mypy", "--strict", "__main__.py")).toMatchObject({ status: 0 });
    const text = readFileSync(join(stack.folder, "__main__.py"), "utf8");
    writeFileSync(join(stack.folder, "wrong.py"), text.replace("namespace=", "namspace="));
    const { status, stdout } = await inVenv("mypy", "wrong.py");
    expect(status).toBe(1);
    expect(stdout).toContain('Unexpected keyword argument "namspace" for "CnfAdditionalParamsArgs"');
  });

  it("the next run has nothing to do with the same arguments", async () => {
    expect(await stack.changes()).toEqual([]);
  });

  it("the failed run tells what is wrong by the names of the settings", async () => {
    process.env["READY_TIMEOUT"] = "long";
    const { status, stdout, stderr } = await stack.up();
    delete process.env["READY_TIMEOUT"];
    expect(status).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain('Cnf web.readyTimeout: "long" must match ^[1-9]\\d{0,4}[smh]$');
  });

  it("the program takes a worker out of the cluster where an argument says so, and encrypts the secrets in the state", async () => {
    process.env["WORKERS"] = "1";
    await stack.mustUp();
    expect(await cluster.readyNodes()).toHaveLength(2);
    expect(await stack.output("endpoints")).toEqual([expect.objectContaining({ name: "web" })]);
    const state = await stack.state();
    expect(state).not.toContain(GREETING);
    expect(state).not.toContain(String(HISTORY));
  });
});
