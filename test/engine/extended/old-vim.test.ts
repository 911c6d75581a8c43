/** CNFs on a cluster that is older than any that vnfm creates. The steps build on each other. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { Cluster } from "../../support/cluster";
import { REPOSITORY } from "../../support/command";
import { oldCluster, type OldCluster } from "../../support/old-cluster";
import { TestStack } from "../../support/stack";
import { objectsCnf } from "../../support/workload-cluster";

// the programs of the old version are built first
jest.setTimeout(30 * 60_000);

const NAMESPACE = { apiVersion: "v1", kind: "Namespace", metadata: { name: "old" } };
const inNamespace = (apiVersion: string, kind: string, name: string, others: object) => ({
  ...{ apiVersion, kind, metadata: { name, namespace: "old" } },
  ...others,
});
const page = (text: string) => inNamespace("v1", "ConfigMap", "page", { data: { text } });

/** Objects of several API groups, without pods, because the cluster has no node. */
const OBJECTS = [
  NAMESPACE,
  inNamespace("v1", "Service", "web", { spec: { selector: { app: "web" }, ports: [{ port: 80 }] } }),
  inNamespace("apps/v1", "Deployment", "web", {
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "nginx:1.27" }] },
      },
    },
  }),
  inNamespace("batch/v1", "CronJob", "nightly", {
    spec: {
      schedule: "0 3 * * *",
      suspend: true,
      jobTemplate: {
        spec: {
          template: {
            spec: { restartPolicy: "Never", containers: [{ name: "nightly", image: "busybox:1.36" }] },
          },
        },
      },
    },
  }),
  inNamespace("policy/v1", "PodDisruptionBudget", "web", {
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: "web" } } },
  }),
  {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Thing", plural: "things" },
      scope: "Namespaced",
      versions: [
        {
          ...{ name: "v1", served: true, storage: true },
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  },
  inNamespace("example.com/v1", "Thing", "first", { spec: { size: 1 } }),
];

/** Object of an API version that exists since Kubernetes 1.29. */
const TOO_NEW = {
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  kind: "FlowSchema",
  metadata: { name: "too-new" },
  spec: { priorityLevelConfiguration: { name: "exempt" } },
};

let stack: TestStack;
let server: OldCluster | undefined;
let cluster: Cluster;

const vim = () => ({ kubeconfig: server?.kubeconfig });
const objects = (name: string, manifests: readonly object[]) =>
  objectsCnf(stack.folder, name, vim(), manifests);

beforeAll(async () => {
  server = await oldCluster();
  cluster = await Cluster.connect(server.kubeconfig);
  stack = await TestStack.create("old-vim", {});
});

afterAll(async () => {
  try {
    await stack?.remove();
  } finally {
    cluster?.close();
    await server?.stop();
  }
});

it("vnfm makes the objects of a CNF, and has nothing left to do", async () => {
  stack.configure({ "vnf-b": objects("vnf-b", [...OBJECTS, page("first")]) });
  await stack.mustUp();
  const made = await cluster.kubectl([
    ...["get", "service/web", "deployment/web", "cronjob/nightly", "poddisruptionbudget/web", "thing/first"],
    ...["configmap/page", "--namespace", "old", "--output", "name"],
  ]);
  expect(made.trim().split("\n").sort()).toEqual([
    "configmap/page",
    "cronjob.batch/nightly",
    "deployment.apps/web",
    "poddisruptionbudget.policy/web",
    "service/web",
    "thing.example.com/first",
  ]);
  expect(await stack.changes()).toEqual([]);
});

it("vnfm changes an object in place", async () => {
  stack.configure({ "vnf-b": objects("vnf-b", [...OBJECTS, page("second")]) });
  await stack.mustUp();
  expect(
    await cluster.kubectl(["get", "configmap", "page", "-n", "old", "-o", "jsonpath={.data.text}"]),
  ).toBe("second");
});

it("the preview refuses a kind of an API version that came later, before it makes any object of the CNF", async () => {
  const late = objects("late", [
    { ...page("never"), metadata: { name: "never", namespace: "old" } },
    TOO_NEW,
  ]);
  stack.configure({ "vnf-b": objects("vnf-b", [...OBJECTS, page("second")]), late });
  const { status, stdout } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout).toContain("flowcontrol.apiserver.k8s.io/v1");
  const { stderr } = await cluster.tryKubectl(["get", "configmap", "never", "-n", "old"]);
  expect(stderr).toContain("not found");
});

it("vnfm renders and installs a chart as one for its version", async () => {
  const location = join(stack.folder, "chart-package");
  cpSync(join(REPOSITORY, "vnf-packages/helm-release"), location, { recursive: true });
  const chart = join(location, "Files/charts/versions");
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(
    join(chart, "Chart.yaml"),
    stringify({ apiVersion: "v2", name: "versions", version: "1.0.0" }),
  );
  writeFileSync(
    join(chart, "templates/versions.yaml"),
    stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "versions" },
      data: {
        version: "{{ .Capabilities.KubeVersion.Version }}",
        budgets: '{{ .Capabilities.APIVersions.Has "policy/v1beta1" }}',
      },
    }),
  );
  const param = { helmreleasename: "versions", helmchartfile_path: "Files/charts/versions" };
  stack.configure({
    "vnf-b": objects("vnf-b", [...OBJECTS, page("second")]),
    release: {
      package: "chart-package",
      vim: vim(),
      additionalParams: { namespace: "release", using_helm_install_param: [param] },
    },
  });
  await stack.mustUp();
  const { data } = JSON.parse(
    await cluster.kubectl(["get", "configmap", "versions", "-n", "release", "-o", "json"]),
  ) as { data: unknown };
  expect(data).toEqual({ version: "v1.24.17", budgets: "true" });
  expect(await stack.changes()).toEqual([]);
});

it("vnfm terminates the CNFs, and leaves the namespace that a setting made", async () => {
  stack.configure({});
  await stack.mustUp();
  expect(
    (await cluster.list<{ metadata: { name: string } }>("namespaces")).map((it) => it.metadata.name),
  ).toEqual(["default", "kube-node-lease", "kube-public", "kube-system", "release"]);
  expect(await cluster.list("customresourcedefinitions")).toEqual([]);
});
