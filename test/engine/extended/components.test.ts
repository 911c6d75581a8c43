/**
 * A user's Pulumi program that creates its instances from components, with explicit OpenStack providers. The steps
 * build on each other.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cluster } from "../../support/cluster";
import { Project } from "../../support/project";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

let stack: TestStack;
let cluster: Cluster;
let folder: string;
/** A project that represents a second cloud. */
let second: Project;

interface ProgramChanges {
  readonly level?: number;
  readonly clusterArgs?: string;
  readonly webArgs?: string;
  /** Further lines of the program. */
  readonly more?: string;
}

/** Returns the arguments of a cluster. @param more further arguments */
const clusterArguments = (level: number, more = "") => `{
  package: "vnf-packages/kubernetes-cluster",
  flavour: "simple",
  scale: { worker_instance: ${level} },
  extVirtualLinks: { masterNode_CP1: { network: "public" }, workerNode_CP2: { network: "public" } },
  additionalParams: {
    k8s_cluster_installation_param: {
      master_node: { ssh_cp_name: "masterNode_CP1" },
      worker_node: { aspect_id: "worker_instance", ssh_cp_name: "workerNode_CP2" },
      management_cidrs: ["198.19.0.0/24"],
    },
  },
  ${more}
}`;

/** Returns the program: a cluster, a CNF on it, and one whose VIM is a kubeconfig, unknown in the first preview. */
const program = ({ level = 0, clusterArgs = "", webArgs = "", more = "" }: ProgramChanges = {}): string => `
import { local } from "@pulumi/command";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap";
import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import * as vnfm from "./components";

const greeting = new local.Command("greeting", { create: "printf 'hello from the run'" });
const cloud = new openstack.Provider("cloud", { cloud: "lab" }, { version: vnfm.OPENSTACK_PROVIDER_VERSION });
const cluster = new vnfm.KubernetesCluster("vnf-a", ${clusterArguments(level, clusterArgs)}, { provider: cloud });
const manifests = ["configmap", "deployment", "service"].map((name) => \`Files/kubernetes/\${name}.yaml\`);
const web = new vnfm.Cnf("web", {
  package: "vnf-packages/web-cnf",
  vim: cluster,
  additionalParams: { namespace: "web", "lcm-kubernetes-def-files": manifests },
  ${webArgs}
});
const other = new vnfm.Cnf("other", {
  package: "vnf-packages/web-cnf",
  vim: { kubeconfig: cluster.kubeconfig },
  additionalParams: { namespace: "other", "lcm-kubernetes-def-files": manifests },
});
new ConfigMap("own", { data: { greeting: greeting.stdout } }, { provider: cluster.provider });
export const kubeconfig = cluster.kubeconfig;
export const apiUrl = cluster.apiUrl;
export const endpoints = pulumi.all([web.vnf, other.vnf]).apply((vnfs) => vnfs.map((vnf) => vnf.endpoints));
${more}
`;

/** Replaces the program of the stack. */
function write(changes: ProgramChanges = {}): void {
  const file = join(stack.folder, "index.ts");
  rmSync(file, { force: true });
  writeFileSync(file, program(changes));
}

beforeAll(async () => {
  stack = await TestStack.create("components", {});
  folder = mkdtempSync(join(tmpdir(), "vnfm-second-"));
  second = await Project.create("components-second", folder);
  write();
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
  await second?.remove();
  rmSync(folder, { recursive: true, force: true });
});

it("the program makes a cluster, CNFs on it and an object of the program's own, in one run", async () => {
  await stack.mustUp();
  cluster = await Cluster.connect(await stack.output<string>("kubeconfig"));
  expect(await cluster.readyNodes()).toHaveLength(2);
  for (const namespace of ["web", "other"])
    expect(
      await cluster.kubectl(["get", "--raw", `/api/v1/namespaces/${namespace}/services/web:80/proxy/`]),
    ).toContain("<h1>web-cnf</h1>");
  expect(await cluster.kubectl(["get", "configmaps", "-o", "jsonpath={.items[*].data.greeting}"])).toContain(
    "hello from the run",
  );
});

it("the stack has nothing left to do afterwards, and keeps no argument in the state", async () => {
  expect(await stack.changes()).toEqual([]);
  const { deployment } = JSON.parse(await stack.state()) as {
    deployment: { resources: { type: string; inputs?: object; provider?: string }[] };
  };
  const ofType = (type: string) => deployment.resources.filter((resource) => resource.type === type);
  expect(ofType("vnfm:index:KubernetesCluster").map(({ inputs = {} }) => inputs)).toEqual([{}]);
  for (const { provider } of ofType("openstack:compute/instance:Instance"))
    expect(provider).toContain("pulumi:providers:openstack::cloud::");
});

it("the program scales by another argument", async () => {
  write({ level: 1 });
  await stack.mustUp();
  expect(await cluster.readyNodes()).toHaveLength(3);
  expect(await stack.changes()).toEqual([]);
});

it("the program tells all faults of its components in one message, and changes nothing", async () => {
  write({ level: 1, clusterArgs: "scal: {},", webArgs: 'readyTimeout: "long",' });
  const { status, stdout, stderr } = await stack.up();
  expect(status).not.toBe(0);
  const told = stdout + stderr;
  expect(told).toContain("arguments of components are not valid:");
  expect(told).toContain('KubernetesCluster vnf-a.scal: unknown setting; did you mean "scale"?');
  expect(told).toContain('Cnf web.readyTimeout: "long" must match');
  write({ level: 1 });
  expect(await stack.changes()).toEqual([]);
});

it("the program makes a cluster in a second cloud beside it, by a provider of that", async () => {
  stack.addCloud("second", second);
  const more = `
const second = new openstack.Provider("second", { cloud: "second" }, { version: vnfm.OPENSTACK_PROVIDER_VERSION });
export const apiUrlOfSecond = new vnfm.KubernetesCluster("vnf-b", ${clusterArguments(0)}, { provider: second }).apiUrl;
`;
  write({ level: 1, more });
  await stack.mustUp();
  expect(await stack.output("apiUrlOfSecond")).toMatch(/^https:\/\//);
  const serversIn = async (project: Project | TestStack) =>
    (await project.cloud.inventory()).filter((item) => item.startsWith("servers ")).length;
  expect([await serversIn(stack), await serversIn(second)]).toEqual([3, 2]);
  expect(await stack.changes()).toEqual([]);
});
