/**
 * Reads objects of a Kubernetes API, with the types of Kubernetes' own API. A tenant of the cluster, or a proxy of its
 * API, may send fields of other types; these are left out.
 */
import { OddAnswer, shaped } from "../../base/net/answer";
import { ApiError, type KubeApi } from "./kube-api";

type Api = Pick<KubeApi, "get">;

type Resource = { name: string; kind: string; namespaced?: boolean };

const TEXTS = { "*": "text" } as const;
const REASON = { reason: "text", message: "text" } as const;
const CONDITIONS = [{ ...REASON, type: "text", status: "text" }] as const;

/** Metadata of objects of any kind. */
export const METADATA = {
  name: "text",
  namespace: "text",
  uid: "text",
  generation: "number",
  creationTimestamp: "text",
  deletionTimestamp: "text",
  annotations: TEXTS,
  labels: TEXTS,
  finalizers: ["text"],
  ownerReferences: [{ apiVersion: "text", kind: "text", name: "text", uid: "text" }],
  managedFields: [{ manager: "text", subresource: "text", fieldsV1: {} }],
} as const;

const TERMINATED = { ...REASON, exitCode: "number" } as const;
const CONTAINER = {
  name: "text",
  ready: "flag",
  state: { waiting: REASON, terminated: TERMINATED },
  lastState: { terminated: TERMINATED },
} as const;
const RESOURCES = { requests: TEXTS } as const;

/** Fields of specs that vnfm's programs read. A field has the same type in all kinds. */
const SPEC = {
  // of workloads
  replicas: "number",
  paused: "flag",
  progressDeadlineSeconds: "number",
  parallelism: "number",
  completions: "number",
  selector: { ...TEXTS, matchLabels: TEXTS },
  updateStrategy: { type: "text", rollingUpdate: { partition: "number" } },
  ordinals: { start: "number" },
  volumeClaimTemplates: [{ metadata: { name: "text" }, spec: { resources: RESOURCES } }],
  // of pods and Services
  nodeName: "text",
  volumes: [{ persistentVolumeClaim: { claimName: "text" } }],
  type: "text",
  // of volumes and claims
  accessModes: ["text"],
  capacity: TEXTS,
  claimRef: { uid: "text", name: "text", namespace: "text", resourceVersion: "text" },
  csi: { driver: "text", volumeHandle: "text" },
  persistentVolumeReclaimPolicy: "text",
  resources: RESOURCES,
  storageClassName: "text",
  volumeMode: "text",
  volumeName: "text",
  // of definitions
  group: "text",
  names: { plural: "text" },
  versions: [{ name: "text", served: "flag" }],
} as const;

const COUNTS = {
  replicas: "number",
  availableReplicas: "number",
  currentReplicas: "number",
  fullyLabeledReplicas: "number",
  readyReplicas: "number",
  updatedReplicas: "number",
  upToDateReplicas: "number",
} as const;

const STATUS = {
  ...REASON,
  ...COUNTS,
  conditions: CONDITIONS,
  observedGeneration: "number",
  phase: "text",
  startTime: "text",
  succeeded: "number",
  currentRevision: "text",
  updateRevision: "text",
  currentNumberScheduled: "number",
  desiredNumberScheduled: "number",
  numberAvailable: "number",
  numberReady: "number",
  updatedNumberScheduled: "number",
  initContainerStatuses: [CONTAINER],
  containerStatuses: [CONTAINER],
  // of Cluster API
  v1beta2: { ...COUNTS, conditions: CONDITIONS },
  deprecated: { v1beta1: COUNTS },
} as const;

const OBJECT = {
  apiVersion: "text",
  kind: "text",
  metadata: METADATA,
  spec: SPEC,
  status: STATUS,
  // of events
  ...REASON,
  type: "text",
  lastTimestamp: "text",
  eventTime: "text",
  series: { lastObservedTime: "text" },
} as const;

const RESOURCE_LIST = {
  resources: [{ name: "text", kind: "text", namespaced: "flag" }],
} as const;

/** Returns an object of any kind, with a spec; undefined for other values. */
function objectOf(object: any): any {
  const { metadata, spec = {}, ...others } = shaped(object, OBJECT) ?? {};
  return metadata === undefined ? undefined : { ...others, metadata, spec };
}

/** Reads an object, with the fields that vnfm's programs use. */
export async function objectAt(api: Api, path: string): Promise<any> {
  return objectOf(await api.get(path)) ?? odd(path);
}

/** Reads a whole object. Only the types of its metadata are checked. */
export async function wholeObjectAt(api: Api, path: string): Promise<any> {
  const object = shaped(await api.get(path), { apiVersion: "text", kind: "text", metadata: METADATA });
  const { apiVersion, kind, metadata } = object ?? {};
  return apiVersion && kind && metadata ? object : odd(path);
}

/** Reads the objects of a list, with the fields that vnfm's programs use. Invalid items are left out. */
export async function objectsAt(api: Api, path: string): Promise<any[]> {
  const list = shaped(await api.get(path), { items: [{}] });
  return (list?.items ?? odd(path)).flatMap((item: unknown) => objectOf(item) ?? []);
}

/**
 * Lists the kinds of an API version, and subresources such as the status, whose names contain a slash.
 * @returns none if the API does not have this version
 */
export async function resourcesOf(api: Api, apiVersion: string): Promise<Resource[]> {
  const list = await api.get(rootOf(apiVersion)).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return {};
    throw error;
  });
  const { resources = [] } = shaped(list, RESOURCE_LIST) ?? {};
  return resources
    .filter(({ name }: Partial<Resource>) => name)
    .map(({ kind = "", ...others }: Partial<Resource>) => ({ ...others, kind }));
}

/** Path of an API version. */
export function rootOf(apiVersion: string) {
  const names = apiVersion.split("/").map(encodeURIComponent);
  return `/${names.length > 1 ? "apis" : "api"}/${names.join("/")}`;
}

function odd(path: string): never {
  throw new OddAnswer(
    `the Kubernetes API responded to ${path} with something other than a Kubernetes object`,
  );
}
