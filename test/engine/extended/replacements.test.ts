/**
 * Immutable fields, and fields that others set or have changed: the run does what the preview announces. The steps
 * build on each other.
 */
import { AUTOSCALER, changingCnf, OBJECTS } from "../../support/changing-cnf";
import type { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { describeForeignObjects } from "./foreign-objects";

jest.setTimeout(15 * 60 * 1000);

type Objects = Record<string, object>;

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  stack = await TestStack.create("replacements", {});
  configure(OBJECTS);
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  // the PVC outlives its StatefulSet, and protects the PersistentVolume from deletion
  await cluster?.tryKubectl(["delete", "pvc", "data-changing-0", "-n", "changing", "--wait=false"]);
  cluster?.close();
  await stack?.remove();
});

let objects: Objects;

function configure(all: Objects): void {
  objects = all;
  stack.configure({ "vnf-a": clusterVnf(1), "vnf-b": changingCnf(stack.folder, Object.values(all)) });
}

/** Returns the objects with another value at a path of keys in one of them. */
function changed(name: string, path: readonly string[], value: unknown): Objects {
  const copy = structuredClone(objects) as Record<string, Record<string, unknown>>;
  const [last = "", ...way] = [...path].reverse();
  let place = copy[name] ?? {};
  for (const key of way.reverse()) place = place[key] as Record<string, unknown>;
  place[last] = value;
  return copy;
}

const get = (name: string, path: string) =>
  cluster.kubectl(["get", name, "-n", "changing", "-o", `jsonpath=${path}`]);
const uids = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(OBJECTS).map(async (name) => [name, await get(name, "{.metadata.uid}")] as const),
    ),
  );
const resource = (name: string) => {
  const [kind = "", its] = name.split("/");
  const isOfCluster = ["persistentvolume", "storageclass", "priorityclass"].includes(kind);
  return `vnf-b-${kind}-${isOfCluster ? "" : "changing/"}${its}`;
};

it.each([
  ["persistentvolume/changing-nfs", ["spec", "nfs", "path"], "/second", "{.spec.nfs.path}"],
  ["storageclass/changing", ["volumeBindingMode"], "WaitForFirstConsumer", "{.volumeBindingMode}"],
  ["priorityclass/changing", ["value"], 2000, "{.value}"],
  ["rolebinding/changing", ["roleRef", "name"], "second", "{.roleRef.name}"],
  ["pod/changing", ["spec", "hostname"], "second", "{.spec.hostname}"],
  ["statefulset/changing", ["spec", "podManagementPolicy"], "Parallel", "{.spec.podManagementPolicy}"],
])(
  "%s is replaced for its %j, as the preview says, and nothing else is",
  async (name, path, value, jsonpath) => {
    const before = await uids();
    configure(changed(name, path, value));
    expect(await stack.changes()).toContain(`replace ${resource(name)}`);
    await stack.mustUp();
    expect(await get(name, jsonpath)).toBe(String(value));
    const after = await uids();
    expect(Object.keys(after).filter((one) => after[one] !== before[one])).toEqual([name]);
    expect(await stack.changes()).toEqual([]);
  },
);

it("a StatefulSet changes the revisions that it keeps in place", async () => {
  const before = await uids();
  configure(changed("statefulset/changing", ["spec", "revisionHistoryLimit"], 3));
  expect(await stack.changes()).toEqual([`update ${resource("statefulset/changing")}-revision-history`]);
  await stack.mustUp();
  expect(await get("statefulset/changing", "{.spec.revisionHistoryLimit}")).toBe("3");
  expect(await uids()).toEqual(before);
  expect(await stack.changes()).toEqual([]);
});

it("a StatefulSet of larger claims is made anew, and the claim that is there grows", async () => {
  const claim = { accessModes: ["ReadWriteOnce"], storageClassName: "changing" };
  const larger = [
    { metadata: { name: "data" }, spec: { ...claim, resources: { requests: { storage: "2Gi" } } } },
  ];
  const before = await get("persistentvolumeclaim/data-changing-0", "{.metadata.uid}");
  configure(changed("statefulset/changing", ["spec", "volumeClaimTemplates"], larger));
  expect(await stack.changes()).toContain(`replace ${resource("statefulset/changing")}`);
  expect(await stack.mustUp()).toContain(
    "PersistentVolumeClaim changing/data-changing-0 grows from 1Gi to 2Gi",
  );
  expect(
    await get("persistentvolumeclaim/data-changing-0", "{.metadata.uid} {.spec.resources.requests.storage}"),
  ).toBe(`${before} 2Gi`);
});

it("what the API refuses to change is told in the preview, in its words", async () => {
  const before = objects;
  configure(changed("customresourcedefinition/things.example.com", ["spec", "scope"], "Cluster"));
  const { status, stdout, stderr } = await stack.pulumi("preview", "--stack", stack.name);
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
  configure(before);
});

it("replicas that somebody has set by hand are told, and are no conflict: what is declared wins", async () => {
  await cluster.kubectl(["scale", "deployment/web", "-n", "changing", "--replicas=8"]);
  configure(changed("deployment/web", ["metadata", "labels"], { changed: "once" }));
  const config = await stack.vnfm("scale", "vnf-a", "worker_instance=0", "--yes");
  expect(config.stdout + config.stderr).toContain(
    "vnf-b: Deployment changing/web has 8 replicas, which were not set by this stack; it gets 6",
  );
  expect(await get("deployment/web", "{.spec.replicas} {.metadata.labels.changed}")).toBe("6 once");
});

it("a Deployment that gets an autoscaler keeps its replicas until that wants others", async () => {
  const pods = async () =>
    (await cluster.list<{ metadata: { uid: string } }>("pods", "-n", "changing", "-l", "app=web"))
      .map(({ metadata }) => metadata.uid)
      .sort();
  await until(60, "six pods", async () => (await pods()).length === 6);
  const before = await pods();
  configure({ ...objects, autoscaler: AUTOSCALER });
  await stack.mustUp();
  await until(60, "the autoscaler's look at the Deployment", async () => {
    return (await get("horizontalpodautoscaler/web", "{.status.currentReplicas}")) === "6";
  });
  expect(await pods()).toEqual(before);
  // a later change of the Deployment does not set the replicas, which the autoscaler controls
  await cluster.kubectl(["scale", "deployment/web", "-n", "changing", "--replicas=5"]);
  configure(changed("deployment/web", ["metadata", "labels"], { changed: "twice" }));
  await stack.mustUp();
  expect(await get("deployment/web", "{.spec.replicas} {.metadata.labels.changed}")).toBe("5 twice");
});

describeForeignObjects(() => ({ stack, cluster }));

it("a custom resource of others does not keep a stack from going with its whole cluster", async () => {
  const metadata = { name: "theirs", namespace: "default" };
  await cluster.kubectl(
    ["create", "-f", "-"],
    JSON.stringify({ apiVersion: "example.com/v1", kind: "Thing", metadata }),
  );
  // a StatefulSet leaves its PVCs, and a PersistentVolume stays while a PVC is bound to it
  await cluster.kubectl(["delete", "pvc", "--all", "--all-namespaces", "--wait=false"]);
  await stack.must("destroy", "--yes", "--stack", stack.name);
});
