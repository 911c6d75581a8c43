/**
 * A renamed stack keeps all its resources: a Helm release and its PVC, objects of manifests, and the objects that
 * controllers created for them. The steps build on each other.
 */
import type { Cluster } from "../../support/cluster";
import { clusterVnf, webCnf } from "../../support/configs";
import { TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

let stack: TestStack;
let kubernetes: Cluster;
let before: readonly string[];

const RELEASE = "chart";
const MANIFESTS = "manifests";

const release = {
  package: "vnf-packages/web-cnf",
  vim: "vnf-a",
  additionalParams: {
    namespace: RELEASE,
    use_helm: true,
    using_helm_install_param: [
      {
        helmreleasename: "web",
        helmchartfile_path: "Files/charts/web",
        secret_values: { password: "of the chart" },
      },
    ],
    vdu_mapping: { web: { kind: "Deployment", name: "web" } },
    helm_replica_values: { web_aspect: "replicaCount" },
  },
};

const VNFS = { "vnf-a": clusterVnf(1), release, page: webCnf(MANIFESTS) };

beforeAll(async () => {
  stack = await TestStack.create("rename", VNFS);
  await stack.mustUp();
  kubernetes = await stack.cluster("vnf-a");
  before = await made();
});

afterAll(async () => {
  kubernetes?.close();
  await stack?.remove();
});

interface Made {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}

/** Lists all objects in the namespaces of the CNFs, also pods and Helm's records. */
async function made(): Promise<readonly string[]> {
  const kinds = "deployments,replicasets,pods,services,configmaps,secrets";
  const all = await Promise.all(
    [RELEASE, MANIFESTS].map((namespace) => kubernetes.list<Made>(kinds, "-n", namespace)),
  );
  return all
    .flat()
    .map(({ kind, metadata: { name, uid } }) => `${kind} ${name} ${uid}`)
    .sort();
}

it("the stack has nothing to do under its new name, and keeps every object, pod and release", async () => {
  await stack.rename("renamed");
  expect(await stack.changes()).toEqual([]);
  await stack.must("refresh", "--yes", "--run-program", "--stack", stack.name);
  await stack.mustUp();
  expect(await made()).toEqual(before);
});

it("the stack changes an object and a release in place, and knows both as its own", async () => {
  const scaled = { ...release, scale: { web_aspect: 1 } };
  stack.configure({ ...VNFS, release: scaled, page: webCnf(MANIFESTS, { scale: { web_aspect: 1 } }) });
  const changes = await stack.changes();
  expect(changes.filter((change) => !change.startsWith("update "))).toEqual([]);
  await stack.mustUp();
  expect(await made()).toEqual(expect.arrayContaining(before.filter((line) => !/^(Secret|Pod)/.test(line))));
});

it("vnfm says in the preview that an instance with another name is another one", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), release, another: webCnf(MANIFESTS) });
  const preview = await stack.must("preview", "--stack", stack.name);
  expect(preview.replace(/\s+/g, " ")).toContain(
    "page, of the last update, no longer exists in the stack config, and another is new",
  );
  stack.configure(VNFS);
  await stack.mustUp();
});
