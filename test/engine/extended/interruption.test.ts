/**
 * A kubeadm cluster and a CNF. Their `pulumi up` is killed at ten points, and each other operation once, followed by
 * `vnfm recover` and another run: the stack converges, and the cloud has no resource that is missing in the state. The
 * steps build on each other.
 */
import type { ResourceState, State } from "../../../automation/stack/state";
import { nameOfUrn } from "../../../automation/stack/steps";
import type { Cluster } from "../../support/cluster";
import { clusterVnf, webCnf } from "../../support/configs";
import {
  deploymentOnDisk,
  endedAt,
  isPending,
  orphans,
  reached,
  recover,
  upKilledWhen,
} from "../../support/cut-off";
import { TestStack } from "../../support/stack";

jest.setTimeout(10 * 60 * 1000);

const STACK = "interruption";
/** Name of the cluster, and prefix of every name in the cloud. */
const OURS = "cut-off";

/** Points at which the engine is killed: when it has started or finished the resource, or some milliseconds later. */
const POINTS: readonly (readonly [resource: string, later: number])[] = [
  [`${OURS}-key`, 0],
  [`${OURS}-masterNode-1-masterNode_CP1`, 0],
  [`${OURS}-masters-tcp-6443-members`, 0],
  [`${OURS}-masterNode-1-server`, 0],
  [`${OURS}-workerNode-1-server`, 2000],
  [`${OURS}-masterNode-1-prepare`, 0],
  [`${OURS}-masterNode-1-init`, 3000],
  [`${OURS}-masterNode-1-init`, 0],
  [`${OURS}-workerNode-1-join`, 0],
  ["web-deployment-web/web", 0],
];

/** Returns the config of a cluster with so many workers, and of the CNF. */
const vnfs = (workers: number, changes: object = {}, ofWeb: object = {}) => ({
  [OURS]: { ...clusterVnf(workers), ...changes },
  web: webCnf("web", { vim: OURS, ...ofWeb }),
});

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  stack = await TestStack.create(STACK, vnfs(1));
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

/** Returns true if the former resource is deleted, whether or not a new one replaces it. */
function gone(resource: string): boolean {
  const deployment = deploymentOnDisk(stack);
  if (deployment === undefined) return false;
  return !(deployment.resources ?? []).some(
    ({ urn, pendingReplacement }) => nameOfUrn(urn) === resource && pendingReplacement !== true,
  );
}

async function resources(): Promise<readonly ResourceState[]> {
  return (JSON.parse(await stack.state()) as State).deployment.resources ?? [];
}

it.each(POINTS)("the stack recovers from a kill at %s, %d ms later", async (resource, later) => {
  await upKilledWhen(stack, () => reached(stack, resource), later);
  await recover(stack);
  expect((JSON.parse(await stack.state()) as State).deployment.pending_operations ?? []).toEqual([]);
});

it("the stack has nothing more to recover, and converges", async () => {
  expect(await recover(stack)).toBe("nothing was interrupted\n");
  await stack.mustUp();
  // `recover` has read resources from the cloud, including the user data of servers
  expect(await stack.state()).not.toContain("PRIVATE KEY");
  expect(await stack.changes()).toEqual([]);
});

async function expectNoOrphan(): Promise<void> {
  const known = (await resources()).filter(({ type }) => type.startsWith("openstack:")).map(({ id }) => id);
  expect(new Set(known).size).toBe(known.length);
  expect((await stack.cloud.inventory()).length).toBeGreaterThan(0);
  expect(await orphans(stack)).toEqual([]);
}

it("the recovery leaves nothing in the cloud that the state does not know", expectNoOrphan);

it("the recovery leaves a cluster and a CNF as ever", async () => {
  cluster = await stack.cluster(OURS);
  expect(await cluster.readyNodes()).toEqual([`${OURS}-masternode-1`, `${OURS}-workernode-1`]);
  const kinds = ["deployments", "services", "configmaps"];
  const objects = await Promise.all(
    kinds.map((kind) => cluster.kubectl(["get", kind, "-n", "web", "-o", "name"])),
  );
  expect(objects.join("").trim().split("\n").sort()).toEqual([
    "configmap/kube-root-ca.crt",
    "configmap/web-page",
    "deployment.apps/web",
    "service/web",
  ]);
});

it.each<readonly [how: string, signal: (pid: number) => void]>([
  ["SIGTERM to it alone, as of systemd or a cancelled job", (pid) => process.kill(pid, "SIGTERM")],
  ["SIGINT to it alone", (pid) => process.kill(pid, "SIGINT")],
  ["SIGINT to its process group, as of a terminal", (pid) => process.kill(-pid, "SIGINT")],
  ["SIGTERM to its process group, as of timeout", (pid) => process.kill(-pid, "SIGTERM")],
])("a run of vnfm ends in order after %s", async (_, signal) => {
  const command = stack.vnfmCommand("scale", OURS, "worker_instance=+1", "--yes");
  const booting = () => isPending(stack, "creating", `${OURS}-workerNode-2-server`);
  const { status, stdout, stderr } = await endedAt(stack, command, booting, 0, signal);
  expect([status, stdout + stderr]).toEqual([1, expect.stringContaining("stopping after the current steps")]);
  // the server was created, and the resources after it were not started
  expect(reached(stack, `${OURS}-workerNode-2-server`)).toBe(true);
  expect(reached(stack, `${OURS}-workerNode-2-join`)).toBe(false);
  expect(deploymentOnDisk(stack)?.pending_operations ?? []).toEqual([]);
  await expectNoOrphan();
  // the stack is unlocked
  stack.configure(vnfs(1));
  await stack.mustUp();
  await expectNoOrphan();
});

it("the cluster can be scaled afterwards", async () => {
  stack.configure(vnfs(1, {}, { scale: { web_aspect: 2 } }));
  await stack.mustUp();
  const replicas = ["get", "deployment", "web", "-n", "web", "-o", "jsonpath={.status.readyReplicas}"];
  expect(await cluster.kubectl(replicas)).toBe("4");
});

it.each<readonly [what: string, workers: number, changes: object, moment: () => boolean]>([
  ["a scale-out as a server boots", 2, {}, () => reached(stack, `${OURS}-workerNode-2-server`)],
  [
    "a heal as the node has left",
    2,
    { heal: { "workerNode-2": "1" } },
    () => gone(`${OURS}-workerNode-2-member`),
  ],
  ["a scale-in as the node has left", 1, {}, () => gone(`${OURS}-workerNode-2-member`)],
])("vnfm goes on after a kill of %s", async (_, workers, changes, moment) => {
  stack.configure(vnfs(workers, changes));
  await upKilledWhen(stack, moment);
  await recover(stack);
  await stack.mustUp();
  expect(await stack.changes()).toEqual([]);
  const names = Array.from({ length: workers }, (_, i) => `${OURS}-workernode-${i + 1}`);
  expect(await cluster.readyNodes()).toEqual([`${OURS}-masternode-1`, ...names]);
  await expectNoOrphan();
});

it("the next run lets a node leave that had joined when its run was killed, and is not asked for any more", async () => {
  stack.configure(vnfs(2));
  await upKilledWhen(stack, () => reached(stack, `${OURS}-workerNode-2-ready`));
  await recover(stack);
  const nodes = () => cluster.kubectl(["get", "nodes", "-o", "jsonpath={.items[*].metadata.name}"]);
  expect(await nodes()).toBe(`${OURS}-masternode-1 ${OURS}-workernode-1 ${OURS}-workernode-2`);
  stack.configure(vnfs(1));
  await stack.mustUp();
  expect(await nodes()).toBe(`${OURS}-masternode-1 ${OURS}-workernode-1`);
  await expectNoOrphan();
});

it.each([
  ["with its server still there, or not", 0],
  ["with its server deleted, which the state does not know", 1000],
])("the next run takes a scale-in back that was killed as the node had left, %s", async (_, later) => {
  stack.configure(vnfs(2));
  await stack.mustUp();
  stack.configure(vnfs(1));
  const server = `${OURS}-workerNode-2-server`;
  await upKilledWhen(stack, () => isPending(stack, "deleting", server), later);
  expect(await recover(stack)).toMatch(new RegExp(`^${server}: (is deleted|was not deleted)`, "m"));
  stack.configure(vnfs(2));
  await stack.mustUp();
  expect(await stack.changes()).toEqual([]);
  const names = ["masternode-1", "workernode-1", "workernode-2"].map((name) => `${OURS}-${name}`);
  expect(await cluster.readyNodes()).toEqual(names);
  await expectNoOrphan();
});

it("destroys everything, after a kill as the cluster has ended", async () => {
  stack.configure({});
  await upKilledWhen(stack, () => gone(`${OURS}-masterNode-1-init`));
  await recover(stack);
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
