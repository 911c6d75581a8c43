/** Scripts that read a Kubernetes API which answers with other types than Kubernetes has. */
import fc from "fast-check";
import { declared } from "../../../automation/adopt/declared";
import { kindsOf } from "../../../automation/adopt/kinds";
import { jsonMap, OddAnswer } from "../../../components/base/net/answer";
import { growClaims } from "../../../components/kube/client/claims";
import { deletionOf } from "../../../components/kube/client/deletion";
import { gather } from "../../../components/kube/client/gather";
import { ApiError, type KubeApi } from "../../../components/kube/client/kube-api";
import { objectAt, objectsAt, resourcesOf, wholeObjectAt } from "../../../components/kube/client/read";
import { finalReasons, presentReasons } from "../../../components/kube/client/reasons";
import { isFinal, objectStatus } from "../../../components/kube/client/status";
import { claimOf, isReclaimed, isReleased, suits } from "../../../components/kube/client/volumes";
import { pathOf, UnknownKind } from "../../../components/kube/client/whereabouts";
import type { KubeObject } from "../../../components/kube/objects/object";
import { fuzzAsync } from "../../support/fuzz-async";

const CONDITION = { type: "Ready", status: "False", reason: "Why", message: "because" };
const CONTAINER = {
  name: "app",
  ready: false,
  state: { waiting: { reason: "CrashLoopBackOff", message: "back off" } },
  lastState: { terminated: { exitCode: 1, reason: "Error", message: "bad" } },
};
const STORAGE = { resources: { requests: { storage: "1Gi" } } };

/** An object with every field that is read of some kind. */
const OBJECT = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    namespace: "web",
    uid: "u",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
    deletionTimestamp: "2026-01-01T00:00:00Z",
    annotations: {
      "deployment.kubernetes.io/revision": "2",
      "kubectl.kubernetes.io/last-applied-configuration": '{"apiVersion": "apps/v1", "metadata": {}}',
    },
    labels: { app: "web" },
    finalizers: ["foregroundDeletion"],
    ownerReferences: [{ uid: "u" }],
    managedFields: [{ manager: "m", subresource: "status", fieldsV1: { "f:spec": { "k:null": {} } } }],
  },
  spec: {
    ...{ replicas: 2, paused: false, progressDeadlineSeconds: 600, parallelism: 1, completions: 1 },
    selector: { matchLabels: { app: "web" } },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
    ordinals: { start: 0 },
    volumeClaimTemplates: [{ metadata: { name: "data" }, spec: STORAGE }],
    nodeName: "node",
    volumes: [{ persistentVolumeClaim: { claimName: "data" } }],
    ...{ accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, ...STORAGE, storageClassName: "fast" },
    claimRef: { namespace: "web", name: "data", uid: "c", resourceVersion: "1" },
    csi: { driver: "cinder", volumeHandle: "v" },
    persistentVolumeReclaimPolicy: "Retain",
  },
  status: {
    ...{ phase: "Released", message: "m", reason: "r", observedGeneration: 1, replicas: 2, startTime: "t" },
    conditions: [CONDITION, ...["Progressing", "ReplicaFailure", "Available", "PodScheduled", "Failed"]].map(
      (one) => (typeof one === "string" ? { ...CONDITION, type: one } : one),
    ),
    initContainerStatuses: [CONTAINER],
    containerStatuses: [CONTAINER],
    v1beta2: { conditions: [CONDITION], replicas: 1 },
    deprecated: { v1beta1: { updatedReplicas: 1 } },
  },
  ...{ reason: "Why", message: "because", type: "Warning", lastTimestamp: "2026-01-01T00:00:00Z" },
};

const KINDS = [
  ...["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "Pod", "PersistentVolumeClaim"],
  ...["ReplicationController", "PersistentVolume", "Cluster"],
];

/** All places of a value. */
function placesOf(value: unknown, before: readonly string[] = []): string[][] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [[...before], ...inner.flatMap(([key, one]) => placesOf(one, [...before, key]))];
}

/** The value with another one at a place; with none where that is undefined. */
function changed(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  if (typeof value !== "object" || value === null || !(key in value)) return value;
  const inner = changed((value as Record<string, unknown>)[key], rest, other);
  if (Array.isArray(value)) return value.map((item: unknown, i) => (String(i) === key ? inner : item));
  return { ...value, [key]: inner };
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    0,
    -1,
    1e15,
    "",
    "x",
    "\ud800",
    true,
    [],
    [null],
    {},
    { toString: 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const oddObject = fc
  .tuple(
    fc.constantFrom(...KINDS),
    fc.constantFrom("apps/v1", "v1", "batch/v1", "cluster.x-k8s.io/v1beta2"),
    fc.array(fc.tuple(fc.constantFrom(...placesOf(OBJECT).filter(({ length }) => length > 0)), odd), {
      maxLength: 4,
    }),
  )
  .map(([kind, apiVersion, changes]) =>
    changes.reduce<unknown>((object, [place, value]) => changed(object, place, value), {
      ...OBJECT,
      kind,
      apiVersion,
    }),
  );

/** An API that answers each question with the same. */
const apiOf = (answer: unknown) => {
  const get = () => Promise.resolve(JSON.parse(JSON.stringify(answer)) as Record<string, unknown>);
  return {
    access: {},
    get,
    text: () => Promise.resolve(""),
    patch: () => Promise.reject(new ApiError(403)),
  } as unknown as KubeApi;
};

/** Errors that may be thrown: those that tell the operator what the API does. */
async function readableOf(read: () => Promise<unknown>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (error instanceof OddAnswer || error instanceof UnknownKind || error instanceof ApiError) return;
    if ((error as Error).name === "Error" && /is no JSON/.test((error as Error).message)) return;
    throw error;
  }
}

async function readAll(answer: unknown): Promise<void> {
  const api = apiOf(answer);
  const object: unknown = await objectAt(api, "/x");
  for (const until of ["ready", "complete", "available", "initialized"] as const) {
    const status = objectStatus(object, until);
    isFinal(object, status);
  }
  for (const closely of [false, true]) {
    // the lists of such an API have nothing but what it answers with
    const lists = { ...api, get: (path: string) => api.get(path).then((one) => ({ ...one, items: [one] })) };
    const found = await gather(lists as unknown as KubeApi, object, closely);
    finalReasons(found);
    presentReasons(found);
    await growClaims(lists as unknown as KubeApi, object);
  }
  deletionOf(object as Parameters<typeof deletionOf>[0]);
  const volumes = await objectsAt(apiOf({ items: [answer] }), "/x");
  for (const volume of volumes) {
    isReleased(volume);
    isReclaimed(volume, { drivers: ["cinder"], claims: new Set() });
    claimOf(volume);
    suits(volume, volume);
  }
  declared((await wholeObjectAt(api, "/x")) as KubeObject);
}

it("the client has each reader end with what it tells, or an error that names the API", async () => {
  const property = fc.asyncProperty(oddObject, (answer) => readableOf(() => readAll(answer)));
  await fuzzAsync(property, 150);
});

it("the client has lists of kinds with other types read for what is right in them", async () => {
  const resource = { name: "webs", kind: "Web", namespaced: true };
  const answer = {
    groups: [null, 5, { name: "g" }, { name: "g", preferredVersion: { groupVersion: "g/v1" } }],
    resources: [null, "x", { name: 1 }, { ...resource, namespaced: null }, resource],
  };
  const api = apiOf(answer);
  expect(await resourcesOf(api, "v1")).toEqual([{ name: "webs", kind: "Web" }, resource]);
  expect((await kindsOf(api)).map(({ group, plural }) => [group, plural])).toEqual([
    ...[
      ["", "webs"],
      ["", "webs"],
    ],
    ...[
      ["g", "webs"],
      ["g", "webs"],
    ],
  ]);
  expect(await pathOf(api, { apiVersion: "g/v1", kind: "Web", name: "a" })).toBe("/apis/g/v1/webs/a");
});

it.each<[unknown, string]>([
  [{}, "the Kubernetes API responded to /x with something other than a Kubernetes object"],
  [{ metadata: [] }, "the Kubernetes API responded to /x with something other than a Kubernetes object"],
])("the client refuses %j in place of an object", async (answer, message) => {
  await expect(objectAt(apiOf(answer), "/x")).rejects.toEqual(new OddAnswer(message));
  await expect(wholeObjectAt(apiOf(answer), "/x")).rejects.toEqual(new OddAnswer(message));
  await expect(objectsAt(apiOf(answer), "/x")).rejects.toEqual(new OddAnswer(message));
});

it.each([
  ["null", "null", "null instead of a JSON object"],
  ["a list", "[1]", "a list instead of a JSON object"],
  ["a text", '"x"', "a string instead of a JSON object"],
  ["nothing", "", "nothing"],
  ["a page", "<html>secret</html>", "something other than JSON"],
  [
    "maps in maps",
    `${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`,
    "JSON with more than 200 nested maps and lists",
  ],
])("an answer of %s in place of a JSON object is told, without its content", (_, text, what) => {
  expect(() => jsonMap(text, "it")).toThrow(new OddAnswer(`it answers with ${what}`));
});
