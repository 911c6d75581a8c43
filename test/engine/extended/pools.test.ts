/**
 * A cluster with two pools of workers. The nodes of the second pool join with labels and a taint, which also change on
 * existing nodes; the pool is scaled separately. The steps build on each other.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { REPOSITORY } from "../../support/command";
import { GPU_POOL, POOLS_PACKAGE, poolsVnf } from "../../support/configs";
import { TestStack } from "../../support/stack";

jest.setTimeout(15 * 60 * 1000);

interface Node {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
}

const PLAIN = ["vnf-a-masternode-1", "vnf-a-workernode-1"];
const GPU = "vnf-a-gpunode-1";
const AS_DECLARED = { status: 0, found: [] };

let stack: TestStack;
let cluster: Cluster;

const vnfs = (gpus: number, pool: object = GPU_POOL) => ({
  "vnf-a": poolsVnf(POOLS_PACKAGE, 1, gpus, { worker_pools: [pool] }),
  hello: {
    package: "vnf-packages/smallest-cnf",
    vim: "vnf-a",
    additionalParams: { "lcm-kubernetes-def-files": ["Files/kubernetes/hello.yaml"] },
  },
  own: {
    package: "vnf-packages/helm-release",
    vim: "vnf-a",
    additionalParams: {
      using_helm_install_param: [{ helmreleasename: "own", helmchartfile_path: "charts/own" }],
    },
  },
});

beforeAll(async () => {
  stack = await TestStack.create("pools", {});
  cpSync(join(REPOSITORY, "vnf-packages/web-cnf/Files/charts/web"), join(stack.folder, "charts/own"), {
    recursive: true,
  });
  stack.configure(vnfs(1));
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

/**
 * Returns the taints, and the labels of `example.com` and of roles, of each node that has any. Taints of Kubernetes'
 * controllers are left out, because `not-ready` is removed only some time after the node is Ready.
 */
async function ofPools(): Promise<Readonly<Record<string, readonly string[]>>> {
  const nodes = await cluster.list<Node>("nodes");
  const found = nodes.map(({ metadata: { name, labels }, spec }): [string, string[]] => [
    name,
    [
      ...Object.entries(labels)
        .filter(([key]) => /^(example\.com|node-role\.kubernetes\.io)\//.test(key))
        .map(([key, value]) => `${key}=${value}`),
      ...(spec.taints ?? [])
        .filter(({ key }) => !key.startsWith("node.kubernetes.io/"))
        .map(({ key, effect }) => `${key}:${effect}`),
    ].sort(),
  ]);
  return Object.fromEntries(found.filter(([, all]) => all.length > 0));
}

const MASTER = ["node-role.kubernetes.io/control-plane:NoSchedule", "node-role.kubernetes.io/control-plane="];
const AS_GPU = ["example.com/gpu:NoSchedule", "example.com/gpu=a100", "node-role.kubernetes.io/gpu="];

async function servers(): Promise<string[]> {
  const { servers: all } = await stack.cloud.get<{ servers: { id: string; name: string }[] }>(
    "compute",
    "/servers",
  );
  return all.map(({ id, name }) => `${name} ${id}`).sort();
}

async function isAsDeclared(): Promise<void> {
  expect(await stack.check()).toMatchObject(AS_DECLARED);
  expect(await stack.changes()).toEqual([]);
}

it("the cluster comes up with a node in each, and the labels and the taint of the second one on its node alone", async () => {
  expect(await cluster.readyNodes()).toEqual([GPU, ...PLAIN]);
  expect(await ofPools()).toEqual({ [PLAIN[0] ?? ""]: MASTER, [GPU]: AS_GPU });
  await isAsDeclared();
});

it("the cluster has the smallest CNF on it, and a release of a chart that is beside Pulumi.yaml", async () => {
  const deployments = await cluster.list<{ metadata: { name: string }; status: { readyReplicas: number } }>(
    "deployments",
  );
  expect(deployments.map(({ metadata, status }) => [metadata.name, status.readyReplicas])).toEqual([
    ["hello", 1],
    ["own", 2],
  ]);
});

it("the cluster has pods on the second one where they tolerate its taint", async () => {
  const pod = (name: string, tolerations: object[]) => ({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name } },
    spec: {
      ...{ nodeSelector: { "node-role.kubernetes.io/gpu": "" }, tolerations },
      containers: [{ name: "web", image: "nginx:1.27" }],
    },
  });
  const items = [pod("plain", []), pod("gpu", [{ key: "example.com/gpu", operator: "Exists" }])];
  await cluster.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  await cluster.kubectl(["wait", "--for=condition=Ready", "pod/gpu", "--timeout=120s"]);
  await cluster.kubectl(["wait", "--for=condition=PodScheduled=false", "pod/plain", "--timeout=60s"]);
  await cluster.kubectl(["delete", "pods", "plain", "gpu", "--now"]);
});

it("the cluster is scaled out and in by the aspect of its VDU, and the other one stays", async () => {
  const before = await servers();
  const out = await stack.vnfm("scale", "vnf-a", "gpu_instance=+1", "--yes");
  expect([out.status, out.stderr]).toEqual([0, ""]);
  expect(await cluster.readyNodes()).toEqual([GPU, "vnf-a-gpunode-2", ...PLAIN]);
  expect(await ofPools()).toEqual({ [PLAIN[0] ?? ""]: MASTER, [GPU]: AS_GPU, "vnf-a-gpunode-2": AS_GPU });
  await isAsDeclared();
  const back = await stack.vnfm("scale", "vnf-a", "gpu_instance=-1", "--yes");
  expect([back.status, back.stderr]).toEqual([0, ""]);
  expect(await cluster.readyNodes()).toEqual([GPU, ...PLAIN]);
  expect(await servers()).toEqual(before);
  await isAsDeclared();
});

it("the cluster has labels and taints that somebody took away found and mended", async () => {
  await cluster.kubectl(["label", "node", GPU, "example.com/gpu-"]);
  await cluster.kubectl(["taint", "node", GPU, "example.com/gpu:NoSchedule-"]);
  expect(await stack.check()).toMatchObject({
    status: 5,
    found: [
      `gpuNode-1: Node ${GPU} has no label example.com/gpu=a100`,
      `gpuNode-1: Node ${GPU} has no taint example.com/gpu=a100:NoSchedule`,
    ],
  });
  expect(await stack.vnfm("mend", "--yes")).toMatchObject({ status: 0 });
  expect((await ofPools())[GPU]).toEqual(AS_GPU);
  await isAsDeclared();
});

it("the cluster gets other labels and taints in place, and loses those that it has no more, but not those of others", async () => {
  const before = await servers();
  await cluster.kubectl(["label", "node", GPU, "example.com/owner=somebody"]);
  await cluster.kubectl(["taint", "node", GPU, "example.com/repair:PreferNoSchedule"]);
  stack.configure(vnfs(1, { ...GPU_POOL, labels: { "example.com/gpu": "h100" }, taints: [] }));
  expect(
    (await stack.vnfm("preview")).stdout.split("\n").filter((line) => line.startsWith("vnf-a: gpu")),
  ).toEqual([
    "vnf-a: gpuNode-1: labels change: -example.com/gpu=a100, -node-role.kubernetes.io/gpu=, +example.com/gpu=h100; taints change: -example.com/gpu=a100:NoSchedule",
  ]);
  await stack.mustUp();
  expect((await ofPools())[GPU]).toEqual([
    "example.com/gpu=h100",
    "example.com/owner=somebody",
    "example.com/repair:PreferNoSchedule",
  ]);
  expect(await servers()).toEqual(before);
  await isAsDeclared();
});
