/**
 * The cloud controller manager and Cinder CSI as addons of a cluster by a template: a Service with a balancer of Octavia
 * and a floating IP, and a claim with a volume of Cinder. The steps build on each other.
 */
import { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";
import { objectsCnf } from "../../support/workload-cluster";

jest.setTimeout(40 * 60_000);

let stack: TestStack;
let management: object;
let template: object;
let tenant: Cluster;

const labels = { app: "web" };
const container = { name: "web", image: "nginx:1.27", imagePullPolicy: "IfNotPresent" };

/** Web servers behind a balancer, and one that has its page on a volume. */
const objects = () => [
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "page" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "csi-cinder-sc-delete",
      resources: { requests: { storage: "1Gi" } },
    },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { ...container, volumeMounts: [{ name: "page", mountPath: "/usr/share/nginx/html" }] },
          ],
          volumes: [{ name: "page", persistentVolumeClaim: { claimName: "page" } }],
        },
      },
    },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { type: "LoadBalancer", selector: labels, ports: [{ port: 80 }] },
  },
];

beforeAll(async () => {
  await labWithClusterApi();
  await mustRun("lab/lab.sh", ["addons"]);
  stack = await TestStack.create("cluster-addons", {});
  template = {
    ...clusterTemplate(),
    addons: {
      flannel: await labAddon("flannel"),
      "openstack-cloud-controller-manager": await labAddon("openstack-cloud-controller-manager"),
      "openstack-cinder-csi": await labAddon("openstack-cinder-csi"),
    },
  };
  management = await managementCnfs(stack.folder);
});

afterAll(async () => {
  tenant?.close();
  await stack?.remove();
});

interface Named {
  readonly name: string;
}

const left = async (service: string, path: string, key: string) =>
  (await stack.cloud.get<Record<string, object[]>>(service, path))[key];

it("makes a cluster whose addons use the cloud with its credential, and a CNF with a balancer and a volume", async () => {
  const web = { ...objectsCnf(stack.folder, "web-package", "tenant", objects()), readyTimeout: "20m" };
  stack.configure(
    { "vnf-a": clusterVnf(1), ...management, tenant: templateCluster({ vim: "vnf-a" }), web },
    { "vnfm:clusterTemplates": { kube: template } },
  );
  await stack.mustUp();
  tenant = await Cluster.connect((await stack.output<Record<string, string>>("kubeconfigs"))["tenant"] ?? "");
  expect(await tenant.readyNodes()).toHaveLength(2);
  expect(await left("block-storage", "/volumes", "volumes")).toHaveLength(1);
});

it("answers at the balancer's address, with what was written to the volume", async () => {
  await tenant.kubectl([
    "exec",
    "deployment/web",
    "--",
    "sh",
    "-c",
    "echo of a volume >/usr/share/nginx/html/index.html",
  ]);
  const [service] = await tenant.list<{
    status: { loadBalancer: { ingress?: { ip: string }[] } };
  }>("services", "--field-selector=metadata.name=web");
  const ip = service?.status.loadBalancer.ingress?.[0]?.ip ?? "";
  expect(await mustRun("curl", ["--silent", "--show-error", "--max-time", "20", `http://${ip}/`])).toContain(
    "of a volume",
  );
  expect(await stack.changes()).toEqual([]);
});

it("leaves neither balancer nor volume once the cluster is taken out", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), ...management });
  await stack.mustUp();
  expect(await left("block-storage", "/volumes", "volumes")).toEqual([]);
  expect(await left("load-balancer", "/v2/lbaas/loadbalancers", "loadbalancers")).toEqual([]);
  expect(await left("network", stack.cloud.ofProject("floatingips"), "floatingips")).toEqual([]);
  expect(await left("network", stack.cloud.ofProject("routers"), "routers")).toEqual([]);
  const groups = (await left(
    "network",
    stack.cloud.ofProject("security-groups"),
    "security_groups",
  )) as Named[];
  expect(groups.map(({ name }) => name).filter((name) => /^(lb-sg|k8s)-/.test(name))).toEqual([]);
});
