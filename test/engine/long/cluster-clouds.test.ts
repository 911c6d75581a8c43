/**
 * A workload cluster in another cloud than its management cluster. The second cloud is another project of the lab, in
 * which the first one sees no resource. The steps build on each other.
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { Project } from "../../support/project";
import { TestStack } from "../../support/stack";

jest.setTimeout(30 * 60_000);

let stack: TestStack;
let edge: Project;
let tenant: Cluster;
let management: object;
let template: object;
let before: string[];

const configure = (clusters: object) =>
  stack.configure({ ...management, ...clusters }, { "vnfm:clusterTemplates": { kube: template } });

beforeAll(async () => {
  await labWithClusterApi();
  stack = await TestStack.create("cluster-clouds", {});
  edge = await Project.create("cluster-clouds-edge", mkdtempSync(join(stack.folder, "edge-")));
  stack.addCloud("edge", edge);
  before = await edge.cloud.inventory();
  management = { "vnf-a": clusterVnf(1), ...(await managementCnfs(stack.folder)) };
  template = { ...clusterTemplate(), cloud: "edge", addons: { flannel: await labAddon("flannel") } };
  configure({ tenant: templateCluster({ vim: "vnf-a" }) });
});

afterAll(async () => {
  tenant?.close();
  await stack?.remove();
  await edge?.remove();
});

/** Names of the servers of a project, without the random endings of machines: the control plane has the cluster's name. */
async function serversOf(project: TestStack | Project): Promise<string[]> {
  const { servers } = await project.cloud.get<{ servers: { name: string }[] }>("compute", "/servers");
  return servers.map(({ name }) => name.replace(/-[a-z0-9]{5}(-[a-z0-9]{5})?$/, "")).sort();
}

it("the cluster is made in the cloud of its template, by the management cluster in another one", async () => {
  await stack.mustUp();
  tenant = await stack.cluster("tenant");
  expect(await tenant.readyNodes()).toHaveLength(2);
  expect(await serversOf(stack)).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  expect(await serversOf(edge)).toEqual(["tenant", "tenant-default"]);
  expect(await stack.changes()).toEqual([]);
});

it("the cluster scales there", async () => {
  configure({ tenant: templateCluster({ vim: "vnf-a", nodeGroups: { default: { replicas: 2 } } }) });
  await stack.mustUp();
  expect(await serversOf(edge)).toEqual(["tenant", "tenant-default", "tenant-default"]);
  expect(await tenant.readyNodes()).toHaveLength(3);
});

it("the cluster leaves nothing there once it is terminated", async () => {
  expect(await serversOf(edge)).not.toEqual([]);
  configure({});
  await stack.mustUp();
  expect(await edge.cloud.inventory()).toEqual(before);
});
