/** Network policies on a cluster whose CNI does not support them, enforced by a CNF with kube-router. */
import type { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import { labWithNetworks, policiesCnf } from "../../support/pod-networks";
import { expectPoliciesEnforced } from "../../support/network-policy";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  await labWithNetworks();
  stack = await TestStack.create("network-policies", {
    "vnf-a": clusterVnf(1),
    policies: policiesCnf("vnf-a"),
  });
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

it("the CNI is made in one run with the cluster", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  expect(await stack.changes()).toEqual([]);
});

it("the cluster has a policy that blocks and lets through, between nodes", () =>
  expectPoliciesEnforced(cluster, ["vnf-a-workernode-1", "vnf-a-masternode-1"]));
