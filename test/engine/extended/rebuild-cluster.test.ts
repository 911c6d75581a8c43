/**
 * A kubeadm cluster and a CNF whose state is lost: vnfm makes it again with the keys of an older state. The steps build
 * on each other.
 */
import type { State } from "../../../automation/stack/state";
import type { Cluster } from "../../support/cluster";
import { clusterVnf, webCnf } from "../../support/configs";
import { loseState, rebuilt } from "../../support/lost-state";
import { TestStack } from "../../support/stack";

jest.setTimeout(30 * 60 * 1000);

/** Export of the state, before it is lost. */
let former: string;
let stack: TestStack;
let cluster: Cluster;

const vnfs = (workers: number, changes: object = {}) => ({
  "vnf-a": { ...clusterVnf(workers), ...changes },
  web: webCnf("web"),
});

beforeAll(async () => {
  stack = await TestStack.create("rebuild-cluster", vnfs(1));
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

/** Returns the ids of what exists in the cloud and on the cluster, by URN. */
async function ids(): Promise<Record<string, string>> {
  const { resources = [] } = (JSON.parse(await stack.state()) as State).deployment;
  const outside = resources.filter(({ type }) => /^(openstack|kubernetes):/.test(type));
  return Object.fromEntries(outside.map(({ urn, id = "" }) => [urn, id]));
}

/** Returns the uids of the objects in the namespace of the CNF. */
const uids = () =>
  cluster.kubectl(["get", "all,configmaps", "-n", "web", "-o", "jsonpath={.items[*].metadata.uid}"]);

it("refuses a cluster without a former state, which alone has its keys", async () => {
  former = await stack.state();
  await loseState(stack);
  const { status, stderr } = await stack.vnfm("rebuild-state", "--yes");
  expect([status, stderr]).toEqual([1, expect.stringContaining("vnf-a has more than servers, and keys of")]);
});

it("makes the same state again, and changes nothing in the cloud or on the cluster", async () => {
  const { deployment } = JSON.parse(await stack.must("stack", "export", "--stack", stack.name)) as State;
  expect(deployment.resources ?? []).toEqual([]);
  const [inventory, objects] = [await stack.cloud.inventory(), await uids()];
  const { status, stdout, stderr } = await rebuilt(stack, former);
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("nothing changes")]);
  expect(await stack.cloud.inventory()).toEqual(inventory);
  expect(await uids()).toBe(objects);
  expect(await stack.changes()).toEqual([]);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
});

it("scales out with that state, and keeps each server and each object", async () => {
  const [before, objects] = [await ids(), await uids()];
  stack.configure(vnfs(2));
  await stack.mustUp();
  expect(await ids()).toMatchObject(before);
  expect(await uids()).toBe(objects);
  expect(await cluster.readyNodes()).toHaveLength(3);
});

it("finds a worker that is newer than the former state", async () => {
  const before = await ids();
  const { status, stdout, stderr } = await rebuilt(stack, former);
  expect([status, stdout + stderr]).toEqual([
    0,
    expect.stringMatching(/warning: vnf-a-workerNode-2-host-key: new keys[^]*nothing changes/),
  ]);
  expect(await ids()).toEqual(before);
  expect(await stack.changes()).toEqual([]);
});

it("heals that worker, which has a host key of the state then", async () => {
  const { status, stderr } = await stack.vnfm("heal", "vnf-a", "workerNode-2", "--yes");
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  expect(await cluster.readyNodes()).toHaveLength(3);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
});
