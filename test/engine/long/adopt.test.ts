/**
 * Adoption of existing objects as CNFs of the stack: objects that kubectl created, and a workload cluster with its
 * machines. Neither servers nor pods are replaced, and the next preview is empty. The steps build on each other.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import { labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { clusterObjects, flannelObjects } from "../../support/workload-cluster";

jest.setTimeout(40 * 60_000);

const NAMESPACE = "theirs";

let stack: TestStack;
let management: Cluster;

beforeAll(async () => {
  await labWithClusterApi();
  stack = await TestStack.create("adopt", {});
  stack.configure({ "vnf-a": clusterVnf(1), ...(await managementCnfs(stack.folder)) });
  await stack.mustUp();
  management = await stack.cluster("vnf-a");
  await management.kubectl(["create", "namespace", NAMESPACE]);
});

afterAll(async () => {
  // a cluster that was not adopted still has servers, which prevent the deletion of the project
  if (management !== undefined && !configText().includes("adopted-tenant"))
    await management.tryKubectl([
      "delete",
      "cluster",
      "tenant",
      "-n",
      NAMESPACE,
      "--ignore-not-found",
      "--timeout=15m",
    ]);
  management?.close();
  await stack?.remove();
});

interface Read {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly generation?: number };
}

/**
 * Returns uid and generation of each object: another uid means another object, another generation a changed spec. For a
 * Deployment only the uid, because an annotation changes its generation too.
 */
const identities = async (kinds: string) =>
  (await management.list<Read>(kinds, "-n", NAMESPACE)).map(({ kind, metadata }) => [
    ...[metadata.name, metadata.uid, ...(kind === "Deployment" ? [] : [metadata.generation])],
  ]);

const servers = async () =>
  (await stack.cloud.get<{ servers: { id: string }[] }>("compute", "/servers")).servers
    .map(({ id }) => id)
    .sort();

const configText = () => readFileSync(join(stack.folder, "Pulumi.adopt.yaml"), "utf8");

/** Applies objects with kubectl, as without vnfm. */
const apply = (objects: readonly object[]) =>
  management.kubectl(["apply", "-n", NAMESPACE, "-f", "-"], objects.map((it) => stringify(it)).join("---\n"));

it("vnfm adopts what kubectl has applied and created, with the replicas that it has by now", async () => {
  const folder = "vnf-packages/web-cnf/Files/kubernetes";
  const web = ["configmap", "service", "deployment"].map((file) => ["-f", `${folder}/${file}.yaml`]).flat();
  await management.kubectl(["apply", "-n", NAMESPACE, ...web]);
  await management.kubectl(["scale", "-n", NAMESPACE, "deployment/web", "--replicas=1"]);
  await management.kubectl(["create", "-n", NAMESPACE, "configmap", "more", "--from-literal=a=yes"]);
  await management.kubectl(["rollout", "status", "-n", NAMESPACE, "deployment/web", "--timeout=5m"]);
  // the removed pod takes some time to end
  await until(120, "one pod to be left", async () => {
    const pods = await management.list("pods", "-n", NAMESPACE);
    return pods.length === 1;
  });
  const before = await identities("deployment,replicaset,pod,configmap,service");
  const objects = ["ConfigMap/web-page", "Service/web", "Deployment/web", "ConfigMap/more"];
  const where = ["--vim", "vnf-a", "--namespace", NAMESPACE];
  const { status, stdout, stderr } = await stack.vnfm(
    ...["adopt", "web", ...objects, ...where, "--into", "adopted-web", "--yes"],
  );
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("the objects shown as created exist on the cluster and stay");
  expect(await identities("deployment,replicaset,pod,configmap,service")).toEqual(before);
  expect(await stack.changes()).toEqual([]);
});

it("vnfm adopts a workload cluster, whose servers and objects stay the same", async () => {
  const clouds = readFileSync(join(stack.folder, "clouds.yaml"), "utf8");
  await apply(clusterObjects({ workers: 1, clouds }));
  // the nodes become Ready only with a CNI, which vnfm installs after the adoption; the API answers before
  await until(1200, "both machines of the cluster to be there", async () => {
    const machines = await management.list<{ status?: { nodeRef?: object } }>("machines", "-n", NAMESPACE);
    return machines.length === 2 && machines.every(({ status }) => status?.nodeRef !== undefined);
  });
  const kubeconfig = await management.kubectl([
    ...["get", "secret", "tenant-kubeconfig", "-n", NAMESPACE, "-o", "jsonpath={.data.value}"],
  ]);
  const tenant = await Cluster.connect(Buffer.from(kubeconfig, "base64").toString());
  await tenant.kubectl(
    ["apply", "-f", "-"],
    flannelObjects()
      .map((it) => stringify(it))
      .join("---\n"),
  );
  await until(600, "both nodes to be Ready", async () => (await tenant.readyNodes()).length === 2);
  const kinds =
    "cluster,openstackcluster,kubeadmcontrolplane,machinedeployment,machine,openstackmachinetemplate";
  const [before, machines] = [await identities(kinds), await servers()];
  const { status, stdout, stderr } = await stack.vnfm(
    ...["adopt", "tenant", "Cluster/tenant", "--vim", "vnf-a", "--namespace", NAMESPACE],
    ...["--into", "adopted-tenant", "--yes"],
  );
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Secret clouds is used, but not adopted");
  expect(await identities(kinds)).toEqual(before);
  expect(await servers()).toEqual(machines);
  expect(await stack.changes()).toEqual([]);
  expect(await tenant.readyNodes()).toHaveLength(2);
  tenant.close();
});

it("the adoption has no Secret in the package, and the Cluster as a VIM", async () => {
  const manifests = readFileSync(join(stack.folder, "adopted-tenant/Files/kubernetes/objects.yaml"), "utf8");
  expect(manifests).not.toMatch(/^kind: Secret$/m);
  expect(manifests).not.toMatch(/uid:|resourceVersion:|managedFields:|controlPlaneEndpoint:/);
  expect(Object.keys(await stack.output<Record<string, string>>("kubeconfigs")).sort()).toEqual([
    "tenant",
    "vnf-a",
  ]);
  expect(configText()).toContain("      package: adopted-tenant\n");
});

it("vnfm refuses what is adopted already, and leaves the stack config as it is", async () => {
  const before = configText();
  const { status, stderr } = await stack.vnfm(
    ...["adopt", "again", "Deployment/web", "--vim", "vnf-a", "--namespace", NAMESPACE],
    ...["--into", "adopted-again", "--yes"],
  );
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/Deployment theirs\/web belongs to the CNF adopt-[0-9a-f]{8}\/web$/m),
  ]);
  expect(configText()).toBe(before);
});
