/**
 * The cloud's metadata service, which shows a server's user data: it is closed to pods of a kubeadm cluster, and open
 * to the server itself, and so to pods with hostNetwork. The steps build on each other.
 */
import type { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import { onServer } from "../../support/guest";
import { OPEN_METADATA_SERVICE, userDataReaders } from "../../support/metadata-service";
import { reboot } from "../../support/reboot";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";

jest.setTimeout(20 * 60_000);

const [MASTER, WORKER] = ["vnf-a-masternode-1", "vnf-a-workernode-1"];
const CLOSED = { pod: false, hostNetwork: true };

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  stack = await TestStack.create("metadata-service", { "vnf-a": clusterVnf(1) });
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

it("the metadata service answers the server and its pods with hostNetwork, and no other pod", async () => {
  expect(await userDataReaders(cluster, MASTER)).toEqual(CLOSED);
  expect(await userDataReaders(cluster, WORKER)).toEqual(CLOSED);
  expect((await stack.check()).found).toEqual([]);
});

it("the metadata service answers pods where the rule is gone, which `vnfm check` finds and `vnfm mend` closes", async () => {
  await onServer(stack, "workerNode-1", OPEN_METADATA_SERVICE);
  expect(await userDataReaders(cluster, WORKER)).toEqual({ pod: true, hostNetwork: true });
  expect((await stack.check()).found).toEqual([
    "workerNode-1: pods reach the cloud's metadata service, which shows the user data of the server",
  ]);
  const { status, stdout } = await stack.vnfm("mend", "--yes");
  expect([status, stdout]).toEqual([0, expect.stringContaining("vnf-a: workerNode-1: is prepared again")]);
  expect(await userDataReaders(cluster, WORKER)).toEqual(CLOSED);
  expect(await stack.changes()).toEqual([]);
});

it("the metadata service is closed to pods after a reboot, and cloud-init has found it", async () => {
  await reboot(stack, "masterNode-1", "workerNode-1");
  await until(180, "both nodes to be Ready", async () => {
    const nodes = await cluster.readyNodes().catch(() => []);
    return nodes.length === 2;
  });
  expect(await userDataReaders(cluster, WORKER)).toEqual(CLOSED);
  expect((await stack.check()).found).toEqual([]);
});
