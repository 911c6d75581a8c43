/**
 * Readiness of objects, by the rules of kstatus:
 * https://github.com/kubernetes-sigs/cli-utils/blob/v0.37.2/pkg/kstatus/status/core.go
 */

type Status = { status: "Current" | "InProgress" | "Failed"; message: string };

export type Until = "ready" | "complete" | "available" | "initialized";

const current = (message: string): Status => ({ status: "Current", message });
const inProgress = (message: string): Status => ({ status: "InProgress", message });
const failed = (message: string): Status => ({ status: "Failed", message });

/**
 * Returns the status of an object from the API. It differs from kstatus in some cases: a failed Pod is Failed, a paused
 * Deployment is Current, and a ReplicationController is treated like a ReplicaSet. With `OnDelete` updates all pods
 * must be ready, of any revision: in kstatus such a StatefulSet is always Current, and such a DaemonSet never before
 * its pods are deleted.
 * @param until `complete`: a Job is Current once it has succeeded, not when it has started; `available`: an object of
 * Cluster API is Current once all its parts exist; `initialized`: a Cluster is Current once its API answers
 * @param now milliseconds since the epoch
 */
export function objectStatus(object: any, until: Until = "ready", now: number = Date.now()): Status {
  const { metadata } = object;
  const status = object.status ?? {};
  if (metadata.deletionTimestamp) return inProgress("it is being deleted");
  if (isPaused(object)) return ofPaused(object, until);
  const { observedGeneration } = status;
  if (metadata.generation !== undefined && typeof observedGeneration === "number")
    if (observedGeneration !== metadata.generation)
      return inProgress(`generation ${metadata.generation} is not observed, but ${observedGeneration}`);
  if (isOfClusterApi(until)) return ofClusterApi(object, until);
  switch (readinessKind(object)) {
    case "Deployment":
      return ofDeployment(object);
    case "ReplicaSet":
    case "ReplicationController":
      return ofReplicaSet(object);
    case "StatefulSet":
      return ofStatefulSet(object);
    case "DaemonSet":
      return ofDaemonSet(object);
    case "Pod":
      return ofPod(object, now);
    case "Job":
      return ofJob(object, until);
    case "PersistentVolumeClaim":
      return status.phase === "Bound" ? current("bound") : inProgress(`phase: ${status.phase ?? "unknown"}`);
    default:
      return ofConditions(object);
  }
}

/** Returns true for an object of Cluster API, whose conditions contain the reason of its state. */
export function isOfClusterApi(until: Until): until is "available" | "initialized" {
  return until === "available" || until === "initialized";
}

/**
 * Returns true for an object that Cluster API does not change: a paused Cluster, an object with the annotation, or one
 * whose condition says that its Cluster is paused.
 */
export function isPaused(object: any) {
  const { apiVersion = "", metadata, spec, status } = object;
  if (!/^([a-z0-9-]+\.)*cluster\.x-k8s\.io\//.test(apiVersion)) return false;
  const about = { status: status?.v1beta2 ?? status };
  return (
    spec?.paused === true ||
    metadata.annotations?.["cluster.x-k8s.io/paused"] !== undefined ||
    condition(about, "Paused")?.status === "True"
  );
}

/**
 * Status of a paused object: Current, as nobody changes it, except for a first control plane, which would never be
 * created.
 */
function ofPaused(object: any, until: Until): Status {
  const way = "remove spec.paused of its Cluster, or the annotation cluster.x-k8s.io/paused";
  if (until !== "initialized") return current(`paused: Cluster API does not change it until you ${way}`);
  const { status } = ofClusterApi(object, until);
  return status === "Current" ? current(until) : failed(`it is paused, and therefore not created: ${way}`);
}

/**
 * Status by the conditions of Cluster API's contract v1beta2, which objects of v1beta1 have under `status.v1beta2`: the
 * API of a Cluster answers, or everything is available and no machine is being created, deleted or replaced.
 */
function ofClusterApi({ spec, status = {} }: any, until: "available" | "initialized"): Status {
  const contract = status.v1beta2 ?? status;
  const { conditions } = contract;
  const about = { status: { conditions } };
  const changes = until === "initialized" ? [] : ["RollingOut", "ScalingUp", "ScalingDown"];
  for (const type of changes) {
    const found = condition(about, type);
    if (found?.status === "True") return inProgress(words(type, found));
  }
  if (until === "available") {
    // a control plane is Available with most of its machines, and no machine is to come once the last one is made
    const short = machines(spec?.replicas, contract, status.deprecated?.v1beta1 ?? status);
    if (short !== undefined) return short;
  }
  const type = until === "initialized" ? "ControlPlaneInitialized" : "Available";
  const found = condition(about, type);
  if (found === undefined) return inProgress("its controller has not reported a status");
  return found.status === "True" ? current(until) : inProgress(words(type, found));
}

/**
 * Returns a status if some numbers of machines are too small or too large; undefined if all are right. After a
 * MachineDeployment has changed, its `upToDateReplicas` and its condition `RollingOut` are outdated until each machine
 * has been compared with the new template. Its `updatedReplicas` of the contract v1beta1 counts the machines of the new
 * template, and is right from the start.
 * @param desired number of machines
 */
function machines(
  desired: unknown,
  { replicas, upToDateReplicas, availableReplicas }: any,
  { updatedReplicas }: any,
): Status | undefined {
  if (typeof desired !== "number") return undefined;
  return (
    shortage([
      ["updated", updatedReplicas ?? desired, desired],
      ["up to date", upToDateReplicas ?? desired, desired],
      ["available", availableReplicas ?? desired, desired],
    ]) ?? surplus(replicas ?? desired, desired)
  );
}

/** Describes a condition: `Ready is False: reason: message`. */
function words(type: string, { status, reason, message }: any) {
  return [`${type} is ${status}`, reason, message].filter(Boolean).join(": ");
}

/**
 * Returns the kind of an object of Kubernetes itself; empty for a custom resource, whose kind is arbitrary. Items of a
 * list have no apiVersion.
 */
export function readinessKind({ apiVersion = "v1", kind }: any): string {
  return /^(v1$|apps\/|batch\/)/.test(apiVersion) ? kind : "";
}

/** Status by the conditions that a controller has set; Current if there are none yet. */
function ofConditions(object: any): Status {
  const conditionOf = (type: string) => {
    const found = condition(object, type) ?? {};
    return { status: found.status, text: words(type, found) };
  };
  const [reconciling, stalled, ready] = [
    conditionOf("Reconciling"),
    conditionOf("Stalled"),
    conditionOf("Ready"),
  ];
  if (reconciling.status === "True") return inProgress(reconciling.text);
  if (stalled.status === "True") return failed(stalled.text);
  return ["False", "Unknown"].includes(ready.status) ? inProgress(ready.text) : current("");
}

/**
 * Returns the first shortage in a list of counts.
 * @param counts name, actual number, desired number
 */
function shortage(counts: [string, number, number][]): Status | undefined {
  const short = counts.find(([, actual, desired]) => actual < desired);
  return short && inProgress(`${short[0]}: ${short[1]}/${short[2]}`);
}

function surplus(actual: number, desired: number): Status | undefined {
  return actual > desired ? inProgress(`pending termination: ${actual - desired}`) : undefined;
}

export function condition({ status }: any, type: string) {
  // those of a custom resource may be anything
  const conditions = Array.isArray(status?.conditions) ? status.conditions : [];
  return conditions.find((one: any) => one?.type === type);
}

function ofDeployment(object: any): Status {
  const { spec, status = {} } = object;
  if (spec.paused)
    return status.observedGeneration === undefined ? inProgress("not observed") : current("paused");
  const progressing = condition(object, "Progressing");
  if (progressing?.reason === "ProgressDeadlineExceeded") return failed("progress deadline exceeded");
  const { replicas: desired = 1, progressDeadlineSeconds: deadline = NO_DEADLINE } = spec;
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const isRolledOut = progressing?.status === "True" && progressing.reason === "NewReplicaSetAvailable";
  return (
    shortage([
      ["replicas", replicas, desired],
      ["updated", updatedReplicas, desired],
    ]) ??
    surplus(replicas, desired) ??
    shortage([
      ["available", availableReplicas, updatedReplicas],
      ["ready", readyReplicas, desired],
    ]) ??
    (isRolledOut || deadline === NO_DEADLINE
      ? undefined
      : inProgress("the new ReplicaSet is not available")) ??
    (condition(object, "Available")?.status === "True" ? current("available") : inProgress("not available"))
  );
}

/** Deadline of a Deployment without the condition Progressing: the largest 32-bit integer. */
const NO_DEADLINE = 2 ** 31 - 1;

function ofReplicaSet(object: any): Status {
  const { spec = {}, status = {} } = object;
  if (condition(object, "ReplicaFailure")?.status === "True") return inProgress("pods cannot be created");
  const { replicas: desired = 1 } = spec;
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0, fullyLabeledReplicas = 0 } = status;
  return (
    shortage([
      ["labelled", fullyLabeledReplicas, desired],
      ["available", availableReplicas, desired],
      ["ready", readyReplicas, desired],
    ]) ??
    surplus(replicas, desired) ??
    current("available")
  );
}

function ofStatefulSet({ spec, status = {} }: any): Status {
  const { replicas: desired = 1 } = spec;
  const { replicas = 0, readyReplicas = 0, currentReplicas = 0, updatedReplicas = 0 } = status;
  const early =
    shortage([
      ["replicas", replicas, desired],
      ["ready", readyReplicas, desired],
    ]) ?? surplus(replicas, desired);
  if (early) return early;
  if (isByHand(spec)) return current("its pods are updated when they are deleted");
  const partition = spec.updateStrategy?.rollingUpdate?.partition;
  if (partition !== undefined)
    return (
      shortage([["updated", updatedReplicas, desired - partition]]) ?? current("updated to its partition")
    );
  if (currentReplicas < desired) return inProgress(`current: ${currentReplicas}/${desired}`);
  if (status.currentRevision !== status.updateRevision) return inProgress("its pods are not all updated");
  return current("rolled out");
}

/** Returns true if pods are updated only when they are deleted (`OnDelete`). */
function isByHand(spec: any) {
  return spec.updateStrategy?.type === "OnDelete";
}

function ofDaemonSet({ metadata, spec, status = {} }: any): Status {
  if (metadata.generation === undefined || status.observedGeneration === undefined)
    return inProgress("not observed");
  const { desiredNumberScheduled: desired, currentNumberScheduled = 0, updatedNumberScheduled = 0 } = status;
  if (desired === undefined) return inProgress("the number of its nodes is not known");
  return (
    shortage([
      ["current", currentNumberScheduled, desired],
      ["updated", isByHand(spec) ? desired : updatedNumberScheduled, desired],
      ["available", status.numberAvailable ?? 0, desired],
      ["ready", status.numberReady ?? 0, desired],
    ]) ?? current("rolled out")
  );
}

/** Time after which an unschedulable pod counts as failed, in milliseconds. */
const SCHEDULE_WINDOW = 15_000;

function ofPod(object: any, now: number): Status {
  const { metadata, status = {} } = object;
  switch (status.phase) {
    case "Succeeded":
      return current("succeeded");
    case "Failed":
      return failed("it has failed");
    case "Running": {
      if (condition(object, "Ready")?.status === "True") return current("ready");
      const containers: any[] = status.containerStatuses ?? [];
      const isCrashing = containers.some(({ state }) => state?.waiting?.reason === "CrashLoopBackOff");
      return isCrashing ? failed("its containers crash") : inProgress("running, not ready");
    }
    default: {
      const scheduled = condition(object, "PodScheduled");
      if (scheduled?.status !== "False" || scheduled.reason !== "Unschedulable")
        return inProgress(`phase: ${status.phase ?? "unknown"}`);
      const age = now - Date.parse(metadata.creationTimestamp);
      return age < SCHEDULE_WINDOW ? inProgress("not scheduled") : failed("it cannot be scheduled");
    }
  }
}

function ofJob(object: any, until: Until): Status {
  const { spec = {}, status = {} } = object;
  const { parallelism = 1, completions = parallelism } = spec;
  if (condition(object, "Complete")?.status === "True") return current("complete");
  if (condition(object, "Failed")?.status === "True") return failed("the Job has failed");
  if (status.startTime === undefined) return inProgress("not started");
  return until === "ready"
    ? current("started")
    : inProgress(`succeeded: ${status.succeeded ?? 0}/${completions}`);
}

/**
 * Returns true if a failure is final. A Deployment beyond its deadline, and a Pod that crashes or cannot be scheduled,
 * may recover once the cause is fixed; the controller of a stalled custom resource may continue.
 */
export function isFinal(object: any, { status: is }: Status) {
  const kind = readinessKind(object);
  const { status = {} } = object;
  const isLasting = kind === "Job" || (kind === "Pod" && status.phase === "Failed") || isPaused(object);
  return is === "Failed" && isLasting;
}
