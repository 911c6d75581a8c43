/**
 * A workload cluster by vnfm's package, with network policies: its control plane is scaled to three machines, and
 * another flavor and Kubernetes version replace its machine templates. The steps build on each other.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { orphans } from "../../support/cut-off";
import { labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { expectPoliciesEnforced } from "../../support/network-policy";
import { labWithNetworks, policiesCnf } from "../../support/pod-networks";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { IMAGE_OF_TO, kubelets, TO } from "../../support/versions";
import { flannelCnf, workloadCnf } from "../../support/workload-cluster";

jest.setTimeout(45 * 60_000);

let stack: TestStack;
let management: object;
let flannel: object;
let clouds: string;
let externalNetwork: string;
let tenant: Cluster;

const configure = (scale: object, variables: object = {}) =>
  stack.configure({
    ...management,
    flannel,
    policies: { ...policiesCnf("tenant"), readyTimeout: "20m" },
    tenant: { ...workloadCnf({ workers: 1, clouds, externalNetwork }, variables), scale },
  });

beforeAll(async () => {
  await labWithClusterApi();
  await labWithNetworks();
  await mustRun("lab/lab.sh", ["image", TO]);
  stack = await TestStack.create("workload-cluster-update", {});
  clouds = readFileSync(join(stack.folder, "clouds.yaml"), "utf8");
  externalNetwork = await stack.cloud.networkId("public");
  management = { "vnf-a": clusterVnf(1), ...(await managementCnfs(stack.folder)) };
  flannel = await flannelCnf("tenant");
});

afterAll(async () => {
  tenant?.close();
  await stack?.remove();
});

/** Returns the flavors of the cluster's servers, by the part of the name that contains their role. */
async function flavors(): Promise<Record<string, string[]>> {
  const servers = await stack.cloud.flavorsOfServers();
  const of = (part: string) =>
    servers.filter(([name]) => name.startsWith(`tenant-${part}-`)).map(([, flavor]) => flavor);
  return { "control-plane": of("control-plane"), workers: of("workers") };
}

it("the workload cluster has three machines of the control plane at level 1 of its aspect", async () => {
  configure({ master_instance: 1, worker_instance: 1 });
  await stack.mustUp();
  tenant = await stack.cluster("tenant");
  expect(await tenant.readyNodes()).toHaveLength(4);
  expect(await stack.changes()).toEqual([]);
});

it("the workload cluster has a policy that blocks and lets through, between nodes", async () => {
  const nodes = await tenant.readyNodes();
  const [worker = "", controlPlane = ""] = ["workers", "control-plane"].map((part) =>
    nodes.find((name) => name.startsWith(`tenant-${part}-`)),
  );
  await expectPoliciesEnforced(tenant, [worker, controlPlane]);
});

it("vnfm replaces the workers for another flavor, and no machine of the control plane", async () => {
  const before = await tenant.readyNodes();
  const variables = { OPENSTACK_NODE_MACHINE_FLAVOR: "m1.medium" };
  configure({ master_instance: 1, worker_instance: 1 }, variables);
  expect(await stack.changes()).toEqual(
    expect.arrayContaining([
      "create tenant-openstackmachinetemplate.infrastructure.cluster.x-k8s.io-tenant/tenant-workers-m1.medium-v1.33.0",
      "delete tenant-openstackmachinetemplate.infrastructure.cluster.x-k8s.io-tenant/tenant-workers-m1.small-v1.33.0",
      "update tenant-machinedeployment.cluster.x-k8s.io-tenant/tenant-workers",
    ]),
  );
  await stack.mustUp();
  await until(300, "the former worker to go", async () => (await tenant.readyNodes()).length === 4);
  expect((await tenant.readyNodes()).filter((name) => before.includes(name))).toHaveLength(3);
  expect(await flavors()).toEqual({
    "control-plane": ["m1.small", "m1.small", "m1.small"],
    workers: ["m1.medium"],
  });
});

it("the workload cluster has all machines of another version of Kubernetes", async () => {
  const variables = { KUBERNETES_VERSION: TO, OPENSTACK_IMAGE_NAME: IMAGE_OF_TO };
  configure({ master_instance: 1, worker_instance: 1 }, variables);
  await stack.mustUp();
  await until(300, "the Nodes of the former machines to go", async () =>
    Object.values(await kubelets(tenant)).every((version) => version === TO),
  );
  expect(await tenant.readyNodes()).toHaveLength(4);
  expect(await stack.changes()).toEqual([]);
});

it("the deletion leaves nothing in OpenStack once the cluster is taken out", async () => {
  stack.configure(management);
  await stack.mustUp();
  expect(await orphans(stack)).toEqual([]);
});
