// @ts-check
// Reads objects of a Kubernetes API, as data that has the types which Kubernetes gives it. A tenant of the cluster, or what
// stands before its API, may have it answer with others: what has another type is left out.
"use strict";
const { OddAnswer, shaped } = require("../../base/net/answer.cjs");
const { ApiError } = require("./kube-api.cjs");

/** @typedef {Pick<import("./kube-api.cjs").KubeApi, "get">} Api */
/** @typedef {import("../../base/net/answer.cjs").Shape} Shape */
/** @typedef {{ name: string, kind: string, namespaced?: boolean }} Resource */

const TEXTS = /** @type {const} */ ({ "*": "text" });
const REASON = /** @type {const} */ ({ reason: "text", message: "text" });
const CONDITIONS = /** @type {const} */ ([{ ...REASON, type: "text", status: "text" }]);

/** Metadata of any kind, also of a custom one. */
const METADATA = /** @type {const} */ ({
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
});

const TERMINATED = /** @type {const} */ ({ ...REASON, exitCode: "number" });
const CONTAINER = /** @type {const} */ ({
  name: "text",
  ready: "flag",
  state: { waiting: REASON, terminated: TERMINATED },
  lastState: { terminated: TERMINATED },
});
const RESOURCES = /** @type {const} */ ({ requests: TEXTS });

/** Fields that our scripts read of specs: no two kinds have a field of one name and two types. */
const SPEC = /** @type {const} */ ({
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
});

const COUNTS = /** @type {const} */ ({
  replicas: "number",
  availableReplicas: "number",
  currentReplicas: "number",
  fullyLabeledReplicas: "number",
  readyReplicas: "number",
  updatedReplicas: "number",
  upToDateReplicas: "number",
});

const STATUS = /** @type {const} */ ({
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
});

const OBJECT = /** @type {const} */ ({
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
});

const RESOURCE_LIST = /** @type {const} */ ({
  resources: [{ name: "text", kind: "text", namespaced: "flag" }],
});

/** @param {any} object @returns {any} with a spec, whatever the kind; undefined where it is none */
function objectOf(object) {
  const { metadata, spec = {}, ...others } = shaped(object, OBJECT) ?? {};
  return metadata === undefined ? undefined : { ...others, metadata, spec };
}

/**
 * An object, with what our scripts read of it.
 * @param {Api} api @param {string} path @returns {Promise<any>}
 */
async function objectAt(api, path) {
  return objectOf(await api.get(path)) ?? odd(path);
}

/**
 * An object with all that it has; of its metadata alone the types are known.
 * @param {Api} api @param {string} path @returns {Promise<any>}
 */
async function wholeObjectAt(api, path) {
  const object = shaped(await api.get(path), { apiVersion: "text", kind: "text", metadata: METADATA });
  const { apiVersion, kind, metadata } = object ?? {};
  return apiVersion && kind && metadata ? object : odd(path);
}

/**
 * The objects of a list, with what our scripts read of them; what is no object is left out.
 * @param {Api} api @param {string} path @returns {Promise<any[]>}
 */
async function objectsAt(api, path) {
  const list = shaped(await api.get(path), { items: [{}] });
  return (list?.items ?? odd(path)).flatMap((/** @type {unknown} */ item) => objectOf(item) ?? []);
}

/**
 * The kinds of an API version, and parts of objects such as their status, whose names have a slash.
 * @param {Api} api @param {string} apiVersion @returns {Promise<Resource[]>} none where the API has no such version
 */
async function resourcesOf(api, apiVersion) {
  const list = await api.get(rootOf(apiVersion)).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return {};
    throw error;
  });
  const { resources = [] } = shaped(list, RESOURCE_LIST) ?? {};
  return resources
    .filter((/** @type {Partial<Resource>} */ { name }) => name)
    .map((/** @type {Partial<Resource>} */ { kind = "", ...others }) => ({ ...others, kind }));
}

/** Path of an API version. @param {string} apiVersion */
function rootOf(apiVersion) {
  const names = apiVersion.split("/").map(encodeURIComponent);
  return `/${names.length > 1 ? "apis" : "api"}/${names.join("/")}`;
}

/** @param {string} path @returns {never} */
function odd(path) {
  throw new OddAnswer(`the Kubernetes API answers ${path} with something else than an object of Kubernetes`);
}

module.exports = { METADATA, objectAt, objectsAt, resourcesOf, rootOf, wholeObjectAt };
