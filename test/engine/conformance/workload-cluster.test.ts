/** Kubernetes' conformance tests on a workload cluster from a template, with two workers. */
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";
import { labWithConformance, testParts } from "../../support/conformance";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";

jest.setTimeout(2 * 60 * 60_000);

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  await labWithClusterApi();
  await labWithConformance();
  stack = await TestStack.create("conformance-tenant", {});
  const kube = { ...clusterTemplate(), addons: { flannel: await labAddon("flannel") } };
  stack.configure(
    {
      "vnf-a": clusterVnf(1),
      ...(await managementCnfs(stack.folder)),
      tenant: templateCluster({ vim: "vnf-a", nodeGroups: { default: { replicas: 2 } } }),
    },
    { "vnfm:clusterTemplates": { kube } },
  );
  await stack.mustUp();
  cluster = await stack.cluster("tenant");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

testParts(() => cluster);
