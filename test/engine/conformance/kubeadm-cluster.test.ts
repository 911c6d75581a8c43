/**
 * Kubernetes' conformance tests on a kubeadm cluster with two workers. To run one part only:
 * `npm run test:engine -- conformance -t "part 3 of"`.
 */
import type { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import { labWithConformance, testParts } from "../../support/conformance";
import { TestStack } from "../../support/stack";

jest.setTimeout(2 * 60 * 60_000);

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  await labWithConformance();
  stack = await TestStack.create("conformance", { "vnf-a": clusterVnf(2) });
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

testParts(() => cluster);
