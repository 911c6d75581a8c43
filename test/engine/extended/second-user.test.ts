/** A stack that one user of a project has made, and that another user goes on with. The steps build on each other. */
import { clusterVnf, webCnf } from "../../support/configs";
import type { Cluster } from "../../support/cluster";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

let stack: TestStack;
let kubernetes: Cluster;

const vnfs = (workers: number) => ({ "vnf-a": clusterVnf(workers), web: webCnf("web") });

beforeAll(async () => {
  stack = await TestStack.create("second-user", vnfs(1));
  await stack.mustUp();
  kubernetes = await stack.cluster("vnf-a");
  await stack.changeUser();
});

afterAll(async () => {
  kubernetes?.close();
  await stack?.remove();
});

/** Names and ids of the servers. */
async function servers(): Promise<string[]> {
  const { servers: all } = await stack.cloud.get<{ servers: { name: string; id: string }[] }>(
    "compute",
    "/servers/detail",
  );
  return all.map(({ name, id }) => `${name} ${id}`).sort();
}

it("the stack shows another user no changes, after a refresh too", async () => {
  expect(await stack.changes()).toEqual([]);
  await stack.must("preview", "--refresh", "--expect-no-changes", "--stack", stack.name);
});

it("the cluster gets one more worker by another user", async () => {
  const before = await servers();
  stack.configure(vnfs(2));
  await stack.mustUp();
  expect(await servers()).toEqual(expect.arrayContaining(before));
  expect(await kubernetes.readyNodes()).toHaveLength(3);
  expect(await stack.cloud.get("compute", "/os-keypairs")).toEqual({ keypairs: [] });
});

it("the cluster has a worker healed by that user once the first one has left the cloud", async () => {
  await stack.deleteFormerUsers();
  const { status, stderr } = await stack.vnfm("heal", "vnf-a", "workerNode-1", "--yes");
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  expect(await kubernetes.readyNodes()).toHaveLength(3);
});

it("the cluster gets other secrets by that user, on the servers that are there", async () => {
  const before = await servers();
  const { status, stderr } = await stack.vnfm("rotate", "vnf-a", "ssh_key", "service_account", "--yes");
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  expect(await servers()).toEqual(before);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
  expect(await stack.changes()).toEqual([]);
});

it("the cluster is deleted by that user, with nothing left over", async () => {
  await stack.must("destroy", "--yes", "--stack", stack.name);
  expect(await stack.cloud.inventory()).toEqual([]);
});
