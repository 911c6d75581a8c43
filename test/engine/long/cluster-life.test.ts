/**
 * The life of a cluster from a template: rejected changes, a control plane that is scaled out, machines that are lost
 * or healed, and an upgrade by another template during which the API answers. The steps build on each other.
 */
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { mustRun } from "../../support/command";
import { clusterVnf, webCnf } from "../../support/configs";
import { orphans } from "../../support/cut-off";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { FROM, IMAGE_OF_FROM, IMAGE_OF_TO, kubelets, TO } from "../../support/versions";
import { writeDuring } from "../../support/writes";

jest.setTimeout(45 * 60_000);

/** Availability zones of the control plane, each with one compute host. */
const ZONES = ["nova", "zone-cpu2", "zone-cpu3"];
const WORKER_ZONE = "zone-cpu3";

let stack: TestStack;
let management: object;
let templates: object;
let tenant: Cluster;

const configure = (cluster: object = {}) =>
  stack.configure(
    {
      "vnf-a": clusterVnf(1),
      ...management,
      tenant: templateCluster({ vim: "vnf-a", ...cluster }),
      web: webCnf("web", { vim: "tenant", readyTimeout: "20m" }),
    },
    { "vnfm:clusterTemplates": templates },
  );

beforeAll(async () => {
  await labWithClusterApi();
  await mustRun("lab/lab.sh", ["image", TO]);
  stack = await TestStack.create("cluster-life", {});
  const kube = {
    ...clusterTemplate(),
    controlPlane: { flavor: "m1.medium", serverGroup: "soft-anti-affinity", availabilityZones: ZONES },
    nodeGroup: {
      flavor: "m1.small",
      availabilityZone: WORKER_ZONE,
      metadata: { owner: "tenant" },
      healthCheck: { unhealthyTimeout: "2m" },
    },
    apiServer: {
      loadBalancerProvider: "ovn",
      auditPolicy: { rules: [{ level: "Metadata" }] },
      encryptionKeys: [Buffer.from("k".repeat(32)).toString("base64")],
    },
    addons: { flannel: await labAddon("flannel") },
  };
  templates = { kube, next: { ...kube, kubernetesVersion: TO, image: IMAGE_OF_TO } };
  management = await managementCnfs(stack.folder);
});

afterAll(async () => {
  tenant?.close();
  await stack?.remove();
});

const page = () => tenant.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"]);

interface Server {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly "OS-EXT-AZ:availability_zone": string;
}

const servers = async () =>
  (await stack.cloud.get<{ servers: Server[] }>("compute", "/servers/detail")).servers.filter(({ name }) =>
    name.startsWith("tenant-"),
  );
const isWorker = ({ name }: Server) => name.startsWith("tenant-default-");
const zonesOf = (some: readonly Server[]) => some.map((server) => server["OS-EXT-AZ:availability_zone"]);

it("the preview refuses what the cloud has not, all at once, before anything is made", async () => {
  configure({
    image: "debian-13",
    controlPlane: { flavor: "m1.smal" },
    network: { externalNetwork: "outside" },
  });
  const { status, stdout, stderr } = await stack.pulumi("preview", "--stack", "cluster-life");
  expect(status).not.toBe(0);
  for (const fault of [
    'vnfm:vnfs.tenant.image: the cloud has no image "debian-13"',
    'vnfm:vnfs.tenant.controlPlane.flavor: the cloud has no flavor "m1.smal"; did you mean "m1.small"?',
    'vnfm:vnfs.tenant.network.externalNetwork: the cloud has no network "outside"',
  ])
    expect(stdout + stderr).toContain(fault);
});

it("the preview refuses an image of another version of Kubernetes", async () => {
  const image = { name: "old", disk_format: "raw", container_format: "bare", kube_version: "v1.32.0" };
  const { id } = await stack.cloud.post<{ id: string }>("image", "/v2/images", image);
  await stack.cloud.upload("image", `/v2/images/${id}/file`, Buffer.from(`guest: ${IMAGE_OF_FROM}\n`));
  configure({ image: "old" });
  const { status, stdout, stderr } = await stack.pulumi("preview", "--stack", "cluster-life");
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain(
    'vnfm:vnfs.tenant.image: the image "old" has Kubernetes v1.32.0 by its property kube_version, but v1.33.0 is required',
  );
  await stack.cloud.delete("image", `/v2/images/${id}`);
});

it("vnfm makes the cluster: a server group, metadata, and Secrets that are encrypted in etcd", async () => {
  configure();
  await stack.mustUp();
  tenant = await stack.cluster("tenant");
  expect(await tenant.readyNodes()).toHaveLength(2);
  expect(await page()).toContain("<h1>web-cnf</h1>");
  const [worker] = (await servers()).filter(isWorker);
  expect(worker?.metadata).toMatchObject({ owner: "tenant" });
  expect(worker?.["OS-EXT-AZ:availability_zone"]).toBe(WORKER_ZONE);
  const { server_groups: groups } = await stack.cloud.get<{
    server_groups: { name: string; policies: string[]; members: string[] }[];
  }>("compute", "/os-server-groups");
  expect(groups).toMatchObject([{ name: "tenant-control-plane", policies: ["soft-anti-affinity"] }]);
  expect(groups[0]?.members).toHaveLength(1);
  const [etcd] = await tenant.list<{ metadata: { name: string } }>(
    "pods",
    "-n",
    "kube-system",
    "-l",
    "component=etcd",
  );
  const pki = "/etc/kubernetes/pki/etcd";
  const stored = await tenant.kubectl([
    ...["exec", "-n", "kube-system", etcd?.metadata.name ?? "", "--", "etcdctl"],
    ...[`--cacert=${pki}/ca.crt`, `--cert=${pki}/server.crt`, `--key=${pki}/server.key`],
    ...["get", "/registry/secrets/kube-system/vnfm-token"],
  ]);
  expect(stored).toContain("k8s:enc:secretbox:v1:");
  expect(await stack.changes()).toEqual([]);
});

it("the preview refuses a version over a minor one", async () => {
  configure({ kubernetesVersion: "v1.35.0" });
  const { stdout, stderr } = await stack.pulumi("preview", "--stack", "cluster-life");
  expect(stdout + stderr).toContain(
    `vnfm:vnfs.tenant: Kubernetes v1.35.0 is more than one minor version after ${FROM}, the version of the cluster; upgrade to v1.34 first`,
  );
});

it("the cluster has three machines of the control plane instead of one, each in a zone of its own", async () => {
  configure({ controlPlane: { replicas: 3 } });
  const [, written] = await writeDuring(tenant, () => stack.mustUp());
  expect(written.lostWrites).toEqual([]);
  expect(await tenant.readyNodes()).toHaveLength(4);
  const controlPlane = (await servers()).filter((server) => !isWorker(server));
  expect(zonesOf(controlPlane).sort()).toEqual(ZONES);
});

it("the cluster replaces a worker whose server is lost, by its health check", async () => {
  const [lost] = (await servers()).filter(isWorker);
  if (lost === undefined) throw new Error("there is no worker");
  await stack.cloud.delete("compute", `/servers/${lost.id}`);
  await until(600, "another worker", async () => {
    const nodes = await tenant.readyNodes();
    return nodes.length === 4 && !nodes.includes(lost.name);
  });
  expect(await stack.changes()).toEqual([]);
  expect(await page()).toContain("<h1>web-cnf</h1>");
});

it("vnfm leaves the number of an autoscaled group to who scales it, and takes it over and gives it back with the machines there are", async () => {
  const onVnfA = await stack.cluster("vnf-a");
  const withBatch = (batch: object) =>
    configure({ controlPlane: { replicas: 3 }, nodeGroups: { default: { replicas: 1 }, batch } });
  const batchNodes = async () =>
    (await tenant.readyNodes()).filter((name) => name.startsWith("tenant-batch-"));
  const autoscaled = { autoscaling: { min: 0, max: 2 } };
  withBatch(autoscaled);
  await stack.mustUp();
  expect(await batchNodes()).toEqual([]);
  // cluster-autoscaler changes a MachineDeployment in the same way
  await onVnfA.kubectl(["scale", "machinedeployments", "-n", "tenant", "tenant-batch", "--replicas=1"]);
  await until(600, "a machine of the group", async () => (await batchNodes()).length === 1);
  expect(await stack.changes()).toEqual([]);
  const before = await batchNodes();
  for (const batch of [{ replicas: 1 }, autoscaled]) {
    withBatch(batch);
    const changes = await stack.changes();
    expect(changes).toContain("update tenant-machinedeployment.cluster.x-k8s.io-tenant/tenant-batch");
    expect(changes.filter((change) => !change.startsWith("update tenant-"))).toEqual([]);
    await stack.mustUp();
    expect(await batchNodes()).toEqual(before);
    expect(await stack.changes()).toEqual([]);
  }
  await onVnfA.kubectl(["scale", "machinedeployments", "-n", "tenant", "tenant-batch", "--replicas=0"]);
  await until(300, "the machine of the group to go", async () => (await batchNodes()).length === 0);
  expect(await stack.changes()).toEqual([]);
  configure({ controlPlane: { replicas: 3 } });
  await stack.mustUp();
  onVnfA.close();
});

it("the stack makes the workers anew by vnfm heal", async () => {
  const before = await tenant.readyNodes();
  const { status, stdout, stderr } = await stack.vnfm("heal", "tenant", "default", "--yes");
  expect(status === 0 ? "" : stdout + stderr).toBe("");
  const after = await tenant.readyNodes();
  expect(after.filter((name) => before.includes(name))).toHaveLength(3);
});

it("the cluster is upgraded by another template, the control plane first, while its API answers", async () => {
  const upgrade = () => stack.vnfm("upgrade", "tenant", "--template", "next", "--yes");
  const [{ status, stdout, stderr }, written] = await writeDuring(tenant, upgrade);
  expect(status === 0 ? "" : stdout + stderr).toBe("");
  process.stderr.write(`upgrade: ${JSON.stringify({ ...written, lostWrites: written.lostWrites.length })}\n`);
  expect(written.lostWrites).toEqual([]);
  await until(300, "the Nodes of the former machines to go", async () =>
    Object.values(await kubelets(tenant)).every((version) => version === TO),
  );
  expect(await tenant.readyNodes()).toHaveLength(4);
  expect(await page()).toContain("<h1>web-cnf</h1>");
  expect(await stack.changes()).toEqual([]);
});

it("the deletion leaves nothing in OpenStack once the cluster is taken out", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), ...management });
  await stack.mustUp();
  expect(await orphans(stack)).toEqual([]);
  expect(await stack.cloud.get("compute", "/os-server-groups")).toEqual({ server_groups: [] });
});
