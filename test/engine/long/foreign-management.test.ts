/**
 * Clusters from a template whose management cluster belongs to another stack, or is a kubeconfig in the settings. The
 * steps build on each other.
 */
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf, webCnf } from "../../support/configs";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";

jest.setTimeout(40 * 60_000);

let management: TestStack;
let tenants: TestStack;
let template: object;
let kubeconfig: string;
let tenant: Cluster | undefined;

const vim = { stack: "foreign-management", vim_name: "kubernetes_vim_vnf-a" };

const configure = (others: object = {}) =>
  tenants.configure(
    {
      tenant: templateCluster({ vim }),
      web: webCnf("web", { vim: "tenant", readyTimeout: "20m" }),
      ...others,
    },
    { "vnfm:clusterTemplates": { kube: template } },
  );

beforeAll(async () => {
  await labWithClusterApi();
  template = { ...clusterTemplate(), addons: { flannel: await labAddon("flannel") } };
  management = await TestStack.create(vim.stack, {});
  management.configure({ "vnf-a": clusterVnf(1), ...(await managementCnfs(management.folder)) });
  await management.mustUp();
  kubeconfig = await management.kubeconfig("vnf-a");
  tenants = await TestStack.create("tenants", {}, { beside: management });
});

afterAll(async () => {
  tenant?.close();
  await tenants?.remove();
  await management?.remove();
});

it("vnfm makes a cluster on the management cluster of another stack, and a CNF on it, in one run", async () => {
  configure();
  await tenants.mustUp();
  tenant = await tenants.cluster("tenant");
  expect(await tenant.readyNodes()).toHaveLength(2);
  const page = await tenant.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"]);
  expect(page).toContain("<h1>web-cnf</h1>");
  const onVnfA = await management.cluster("vnf-a");
  try {
    expect(await onVnfA.list("clusters.cluster.x-k8s.io", "-A")).toMatchObject([
      { metadata: { namespace: "tenant", name: "tenant" } },
    ]);
  } finally {
    onVnfA.close();
  }
});

it("the next run has nothing left to do afterwards, in neither stack", async () => {
  expect(await tenants.changes()).toEqual([]);
  expect(await management.changes()).toEqual([]);
});

it("the cluster is scaled from the command line, which tells how it is", async () => {
  const { status } = await tenants.vnfm("scale", "tenant", "default=2", "--yes");
  expect(status).toBe(0);
  expect(await tenant?.readyNodes()).toHaveLength(3);
  expect((await tenants.vnfm("status", "tenant")).stdout).toMatch(
    /default.*MachineDeployment tenant\/tenant-default/,
  );
});

it("the cluster stays where the same management cluster is given by its kubeconfig", async () => {
  const nodeGroups = { default: { replicas: 2 } };
  configure({ tenant: templateCluster({ vim: { kubeconfig }, nodeGroups }) });
  const { status, stdout, stderr } = await tenants.pulumi("preview", "--stack", tenants.name);
  expect(stdout + stderr).not.toContain("CustomResourceDefinition");
  expect(status).toBe(0);
  const changes = await tenants.changes();
  expect(changes.filter((change) => /^(create|delete|replace)/.test(change))).toEqual([]);
});

it("would make another one there, in a preview", async () => {
  configure({ second: templateCluster({ vim: { kubeconfig } }) });
  expect(await tenants.changes()).toContain("create second-cluster.cluster.x-k8s.io-second/second");
});

it("the cluster goes with its stack, and the management cluster stays, with nothing of it in OpenStack", async () => {
  configure({ tenant: templateCluster({ vim, nodeGroups: { default: { replicas: 2 } } }) });
  await tenants.must("destroy", "--yes", "--stack", tenants.name);
  const { servers } = await management.cloud.get<{ servers: { name: string }[] }>("compute", "/servers");
  expect(servers.map(({ name }) => name).sort()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  const left = async (key: string) =>
    (await management.cloud.get<Record<string, object[]>>("network", management.cloud.ofProject(key)))[key];
  expect(await left("routers")).toEqual([]);
  expect(await left("networks")).toEqual([]);
  expect(await left("floatingips")).toEqual([]);
  expect(await management.changes()).toEqual([]);
});
