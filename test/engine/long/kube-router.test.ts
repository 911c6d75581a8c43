/** A cluster with kube-router as its CNI, which uses routes in Neutron and enforces network policies. */
import type { Cluster } from "../../support/cluster";
import { clusterVnf, onOwnNetwork } from "../../support/configs";
import { expectPoliciesEnforced } from "../../support/network-policy";
import { expectPodsToReachEachOther } from "../../support/pod-network";
import { labWithNetworks } from "../../support/pod-networks";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

let stack: TestStack;
let cluster: Cluster;

const [MASTER, ONE, OTHER] = ["vnf-a-masternode-1", "vnf-a-workernode-1", "vnf-a-workernode-2"] as const;

const vnf = (workers: number) => ({
  ...clusterVnf(workers, {
    cni_manifest_path: "Files/kubernetes/kube-router.yaml",
    pod_network: "neutron",
    jump_host: { vnfc: "masterNode-1" },
  }),
  ...onOwnNetwork("10.30.0.0/24"),
});

beforeAll(async () => {
  await labWithNetworks();
  stack = await TestStack.create("kube-router", { "vnf-a": vnf(1) });
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

it("the cluster has pods that reach those of other nodes", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  await expectPodsToReachEachOther(cluster, [MASTER, ONE]);
  expect(await stack.changes()).toEqual([]);
});

it("the cluster has a policy that blocks and lets through, between nodes", () =>
  expectPoliciesEnforced(cluster, [ONE, MASTER]));

it("the cluster has pods on a worker that comes later, with their own addresses, which policies let through", async () => {
  stack.configure({ "vnf-a": vnf(2) });
  await stack.mustUp();
  await expectPodsToReachEachOther(cluster, [ONE, OTHER]);
  await expectPoliciesEnforced(cluster, [OTHER, ONE]);
  expect((await stack.check()).found).toEqual([]);
});
