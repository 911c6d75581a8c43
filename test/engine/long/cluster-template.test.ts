/**
 * A workload cluster from a template, with Cluster API on a kubeadm cluster, an addon and a CNF. The steps build on
 * each other.
 */
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf, webCnf } from "../../support/configs";
import { orphans } from "../../support/cut-off";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { Receiver } from "../../support/receiver";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";

jest.setTimeout(40 * 60_000);

let stack: TestStack;
let management: object;
let template: object;
let tenant: Cluster;
let receiver: Receiver;

const vnfs = (cluster: object = {}) => ({
  "vnf-a": clusterVnf(1),
  ...management,
  tenant: templateCluster({ vim: "vnf-a", ...cluster }),
  web: webCnf("web", { vim: "tenant", readyTimeout: "20m" }),
});

const configure = (cluster: object = {}, changes: object = {}) =>
  stack.configure(vnfs(cluster), { "vnfm:clusterTemplates": { kube: { ...template, ...changes } } });

beforeAll(async () => {
  await labWithClusterApi();
  stack = await TestStack.create("cluster-template", {});
  receiver = await Receiver.start();
  template = {
    ...clusterTemplate(),
    addons: { flannel: await labAddon("flannel") },
    credentialsReceiver: {
      url: receiver.url,
      ca: receiver.ca,
      headers: { authorization: "Bearer of the receiver" },
    },
  };
  management = await managementCnfs(stack.folder);
});

afterAll(async () => {
  tenant?.close();
  await stack?.remove();
  await receiver?.stop();
});

const page = () => tenant.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"]);

/** Returns the flavors of the cluster's servers: those of the control plane and those of workers. */
async function flavors(): Promise<readonly [controlPlane: readonly string[], workers: readonly string[]]> {
  const servers = (await stack.cloud.flavorsOfServers()).filter(([name]) => name.startsWith("tenant-"));
  const of = (workers: boolean) =>
    servers.filter(([name]) => name.startsWith("tenant-default-") === workers).map(([, flavor]) => flavor);
  return [of(false), of(true)];
}

interface Node {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
}

it("vnfm makes VNF-A, Cluster API on it, a cluster by the template on that, with a flavor for each kind of machine, and a CNF on this, in one run", async () => {
  configure();
  const begin = Date.now();
  await stack.mustUp();
  process.stderr.write(`up: ${Math.round((Date.now() - begin) / 1000)} s\n`);
  tenant = await stack.cluster("tenant");
  expect(await tenant.readyNodes()).toHaveLength(2);
  expect(await flavors()).toEqual([["m1.medium"], ["m1.small"]]);
  expect(await page()).toContain("<h1>web-cnf</h1>");
});

it("vnfm sends the cluster's credentials to who shall have them, once", async () => {
  const kubeconfig = await stack.kubeconfig("tenant");
  expect(receiver.received).toMatchObject([
    {
      method: "POST",
      authorization: "Bearer of the receiver",
      body: {
        ...{ name: "tenant", vimName: "kubernetes_vim_tenant", kubeconfig },
        vimConnectionInfo: { vim_type: "kubernetes" },
      },
    },
  ]);
});

it("the stack has nothing left to do afterwards, and no credential in plain", async () => {
  expect(await stack.changes()).toEqual([]);
  const { deployment } = JSON.parse(await stack.state()) as {
    deployment: { resources: { type: string; outputs?: { secret?: object } }[] };
  };
  const credential = deployment.resources.find(({ type }) => type.includes("applicationCredential"));
  expect(Object.keys(credential?.outputs?.secret ?? {})).toContain("ciphertext");
  expect(await stack.state()).not.toContain("Bearer of the receiver");
});

it("the cluster is scaled by its node groups from the command line, which tells how it is", async () => {
  const { status, stdout, stderr } = await stack.vnfm("scale", "tenant", "default=2", "--yes");
  expect(stdout + stderr).toContain("tenant");
  expect(status).toBe(0);
  expect(await tenant.readyNodes()).toHaveLength(3);
  expect((await stack.vnfm("status", "tenant")).stdout).toMatch(
    /default.*MachineDeployment tenant\/tenant-default/,
  );
});

/** Lists the ids of the application credentials of the stack's user. */
const credentials = async () => {
  const { cloud } = stack;
  const path = `/users/${cloud.userId}/application_credentials`;
  return (
    await cloud.get<{ application_credentials: { id: string }[] }>("identity", path)
  ).application_credentials.map(({ id }) => id);
};

it("the cluster keeps its credential where the user loses a role and has it again", async () => {
  const before = await credentials();
  await stack.loseRole("load-balancer_member");
  expect(await credentials()).toEqual(before);
  expect(await stack.changes()).toEqual([]);
});

it("the cluster gets another credential where somebody has deleted its own", async () => {
  const { cloud } = stack;
  const before = await credentials();
  for (const id of before)
    await cloud.delete("identity", `/users/${cloud.userId}/application_credentials/${id}`);
  configure({ nodeGroups: { default: { replicas: 2 } } });
  await stack.mustUp("--refresh");
  const after = await credentials();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  expect(await stack.changes()).toEqual([]);
});

it("the cluster has one more group, with its labels and taints, beside the first", async () => {
  const batch = {
    replicas: 1,
    labels: { pool: "batch", "node-role.kubernetes.io/batch": "" },
    taints: [{ key: "batch", effect: "NoSchedule" }],
  };
  configure({ nodeGroups: { default: { replicas: 1 }, batch } });
  await stack.mustUp();
  const nodes = await tenant.list<Node>("nodes", "-l", "pool=batch,node-role.kubernetes.io/batch");
  expect(nodes).toHaveLength(1);
  expect(nodes[0]?.spec.taints?.map(({ key }) => key)).toContain("batch");
  expect(await stack.changes()).toEqual([]);
});

it("vnfm takes the group out, and replaces the machine of the other one for another template", async () => {
  const before = await tenant.readyNodes();
  configure({ nodeGroups: { default: { replicas: 1, labels: { generation: "second" } } } });
  const changes = await stack.changes();
  expect(changes).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^create tenant-kubeadmconfigtemplate\..*-tenant\/tenant-default-[0-9a-f]{8}$/),
      expect.stringMatching(/^delete tenant-kubeadmconfigtemplate\..*-tenant\/tenant-default-[0-9a-f]{8}$/),
      "update tenant-machinedeployment.cluster.x-k8s.io-tenant/tenant-default",
      "delete tenant-machinedeployment.cluster.x-k8s.io-tenant/tenant-batch",
    ]),
  );
  await stack.mustUp();
  // the replaced machines are drained, and deleted after the run
  await until(120, "the drained machine to go", async () => (await tenant.readyNodes()).length === 2);
  const nodes = await tenant.readyNodes();
  expect(nodes.filter((name) => before.includes(name))).toHaveLength(1);
  expect(await tenant.list("nodes", "-l", "generation=second")).toHaveLength(1);
  expect(await page()).toContain("<h1>web-cnf</h1>");
  expect(await stack.changes()).toEqual([]);
});

it("vnfm changes by patches what is made, and replaces the machine whose template they change", async () => {
  const before = await tenant.readyNodes();
  const patches = [
    {
      target: { kind: "MachineDeployment" },
      mergePatch: { metadata: { annotations: { "example.org/owner": "team-a" } } },
    },
    {
      target: { kind: "OpenStackMachineTemplate", machines: "default" },
      jsonPatch: [
        { op: "test", path: "/spec/template/spec/flavor", value: "m1.small" },
        { op: "add", path: "/spec/template/spec/serverMetadata", value: [{ key: "owner", value: "team-a" }] },
      ],
    },
  ];
  configure({ nodeGroups: { default: { replicas: 1, labels: { generation: "second" } } }, patches });
  const template = "tenant-openstackmachinetemplate.infrastructure.cluster.x-k8s.io-tenant/tenant-default";
  expect(await stack.changes()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(new RegExp(`^create ${template}-[0-9a-f]{8}$`)),
      expect.stringMatching(new RegExp(`^delete ${template}-[0-9a-f]{8}$`)),
      "update tenant-machinedeployment.cluster.x-k8s.io-tenant/tenant-default",
    ]),
  );
  await stack.mustUp();
  await until(120, "the drained machine to go", async () => (await tenant.readyNodes()).length === 2);
  expect((await tenant.readyNodes()).filter((name) => before.includes(name))).toHaveLength(1);
  const onVnfA = await stack.cluster("vnf-a");
  try {
    expect(await onVnfA.list("machinedeployments", "-n", "tenant")).toMatchObject([
      { metadata: { name: "tenant-default", annotations: { "example.org/owner": "team-a" } } },
    ]);
    const workers = "cluster.x-k8s.io/deployment-name=tenant-default";
    expect(await onVnfA.list("openstackmachines", "-n", "tenant", "-l", workers)).toMatchObject([
      { spec: { serverMetadata: [{ key: "owner", value: "team-a" }] } },
    ]);
  } finally {
    onVnfA.close();
  }
  expect(await stack.changes()).toEqual([]);
});

it("the deletion leaves nothing in OpenStack once the cluster is taken out, and no credential in Keystone", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), ...management });
  await stack.mustUp();
  expect(receiver.received.at(-1)).toMatchObject({ method: "DELETE", path: "/clusters/tenant" });
  expect(await orphans(stack)).toEqual([]);
  expect(await credentials()).toEqual([]);
});
