/** Kubernetes' conformance tests on a kubeadm cluster with `hardening: cis`. Parts can run one by one. */
import type { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import { labWithConformance, testParts } from "../../support/conformance";
import { TestStack } from "../../support/stack";

jest.setTimeout(2 * 60 * 60_000);

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  await labWithConformance();
  stack = await TestStack.create("conformance-cis", {
    "vnf-a": clusterVnf(2, { hardening: "cis", kubernetes_version: "v1.33.0" }),
  });
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

testParts(() => cluster);
