/**
 * Pods that must not be evicted keep their node: the run fails before it deletes the server. The next run continues
 * when they may be evicted, or makes the node schedulable again. The steps build on each other.
 */
import { stringify } from "yaml";
import type { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import { TestStack } from "../../support/stack";

jest.setTimeout(15 * 60 * 1000);

const NODE = "vnf-a-workernode-2";
const OTHERS = ["vnf-a-masternode-1", "vnf-a-workernode-1"];

interface Servers {
  readonly servers: readonly { readonly id: string; readonly name: string; readonly status: string }[];
}

let stack: TestStack;
let cluster: Cluster;

const vnfs = (workers: number) => ({
  "vnf-a": clusterVnf(workers, { drain: { timeout_seconds: 10, delete_emptydir_data: false } }),
});

beforeAll(async () => {
  stack = await TestStack.create("drain", vnfs(2));
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

/** Lists the servers in Nova. */
async function servers(): Promise<string[]> {
  const { servers: all } = await stack.cloud.get<Servers>("compute", "/servers/detail");
  return all.map(({ name, id, status }) => `${name} ${id} ${status}`).sort();
}

const unschedulable = () => cluster.kubectl(["get", "node", NODE, "-o", "jsonpath={.spec.unschedulable}"]);

const labels = { app: "held" };
const pod = (changes: object = {}) => ({
  metadata: { name: "held", labels },
  // the step before may have cordoned the node
  spec: { nodeName: NODE, containers: [{ name: "web", image: "nginx:1.27" }], ...changes },
});
const deployment = (changes: object = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "held" },
  spec: { selector: { matchLabels: labels }, template: pod(changes) },
});
const budget = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "held" },
  spec: { minAvailable: 1, selector: { matchLabels: labels } },
};

it.each([
  ["without a controller", [{ apiVersion: "v1", kind: "Pod", ...pod() }], "declare no controller"],
  ["with data of its own", [deployment({ volumes: [{ name: "data", emptyDir: {} }] })], "local storage"],
  ["that a disruption budget holds", [deployment(), budget], "violate the pod's disruption budget"],
])("a pod %s keeps its node, with its server, and is named", async (_, objects, reason) => {
  const before = await servers();
  const manifests = objects.map((object) => stringify(object)).join("---\n");
  await cluster.kubectl(["apply", "-f", "-"], manifests);
  await cluster.kubectl(["wait", "--for=create", "pod", "-l", "app=held", "--timeout=60s"]);
  await cluster.kubectl(["wait", "--for=condition=Ready", "pod", "-l", "app=held", "--timeout=120s"]);
  stack.configure(vnfs(1));
  const { status, stdout } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout).toContain(reason);
  expect(stdout).toMatch(new RegExp(`node ${NODE} cannot be drained .* name the pods`));
  const held = await cluster.kubectl([
    "get",
    "pod",
    "-l",
    "app=held",
    "-o",
    "jsonpath={.items[*].status.phase}",
  ]);
  expect([await unschedulable(), held]).toEqual(["true", "Running"]);
  expect(await servers()).toEqual(before);
  await cluster.kubectl(["delete", "--cascade=foreground", "-f", "-"], manifests);
});

it("the node takes pods again where it is to stay after all", async () => {
  expect(await unschedulable()).toBe("true");
  const before = await servers();
  stack.configure(vnfs(2));
  await stack.mustUp();
  expect([await cluster.readyNodes(), await unschedulable()]).toEqual([[...OTHERS, NODE], ""]);
  expect(await servers()).toEqual(before);
  expect(await stack.changes()).toEqual([]);
});

it("the node joins again where it had left, and its server could not go", async () => {
  const before = await servers();
  const server = before.find((one) => one.startsWith(`${NODE} `))?.split(" ")[1] ?? "";
  await stack.cloud.act(server, { lock: null });
  stack.configure(vnfs(1));
  const { status, stdout } = await stack.up();
  expect([status === 0, stdout]).toEqual([false, expect.stringMatching(/locked/i)]);
  expect([await cluster.readyNodes(), await servers()]).toEqual([OTHERS, before]);
  await stack.cloud.act(server, { unlock: null });
  stack.configure(vnfs(2));
  await stack.mustUp();
  expect([await cluster.readyNodes(), await servers()]).toEqual([[...OTHERS, NODE], before]);
  // the new Node has another pod CIDR
  const manifest = stringify({ apiVersion: "v1", kind: "Pod", ...pod() });
  await cluster.kubectl(["apply", "-f", "-"], manifest);
  await cluster.kubectl(["wait", "--for=condition=Ready", "pod/held", "--timeout=60s"]);
  await cluster.kubectl(["delete", "--grace-period=1", "-f", "-"], manifest);
  expect((await stack.check()).found).toEqual([]);
  expect(await stack.changes()).toEqual([]);
});

it("the node goes with its server once nothing holds it", async () => {
  stack.configure(vnfs(1));
  await stack.mustUp();
  expect(await cluster.readyNodes()).toEqual(OTHERS);
  const names = (await servers()).map((server) => server.split(" ")[0]);
  expect(names).toEqual(OTHERS);
});
