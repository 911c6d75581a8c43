import { isFinal, objectStatus } from "../../../components/kube/client/status";

const AVAILABLE = { type: "Available", status: "True" };
const ROLLED_OUT = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };
const STUCK = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" };

/** An object of two replicas, its first generation observed. */
function object(kind: string, status: object, spec: object = {}, apiVersion?: string): object {
  return {
    ...(apiVersion && { apiVersion }),
    kind,
    metadata: { name: "w", generation: 1, creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { replicas: 2, progressDeadlineSeconds: 600, ...spec },
    status: { observedGeneration: 1, ...status },
  };
}

/** A custom resource of a kind that Kubernetes has too, and a condition of it. */
const custom = (status: object) => object("Job", status, {}, "batch.example.com/v1");
const said = (type: string, status: string) => ({
  conditions: [{ type, status, reason: "Why", message: "for this" }],
});

const counts = (value: number) => ({
  replicas: value,
  updatedReplicas: value,
  readyReplicas: value,
  availableReplicas: value,
  currentReplicas: value,
  fullyLabeledReplicas: value,
});
const two = counts(2);
const nodes = (value: number) => ({
  desiredNumberScheduled: 2,
  currentNumberScheduled: value,
  updatedNumberScheduled: value,
  numberAvailable: value,
  numberReady: value,
});
const byHand = { updateStrategy: { type: "OnDelete" } };
const waiting = (reason: string) => ({ containerStatuses: [{ name: "c", state: { waiting: { reason } } }] });
const unschedulable = { type: "PodScheduled", status: "False", reason: "Unschedulable" };

test.each<[string, object, string, string]>([
  ["that is ignored", object("Deployment", { observedGeneration: 0 }), "InProgress", "generation 1"],
  [
    "rolled out",
    object("Deployment", { ...two, conditions: [AVAILABLE, ROLLED_OUT] }),
    "Current",
    "available",
  ],
  ["without pods", object("Deployment", { conditions: [AVAILABLE] }), "InProgress", "replicas: 0/2"],
  ["partly updated", object("Deployment", { ...two, updatedReplicas: 1 }), "InProgress", "updated: 1/2"],
  ["with old pods", object("Deployment", { ...two, replicas: 3 }), "InProgress", "pending termination: 1"],
  [
    "partly available",
    object("Deployment", { ...two, availableReplicas: 1 }),
    "InProgress",
    "available: 1/2",
  ],
  ["not progressing", object("Deployment", { ...two, conditions: [AVAILABLE] }), "InProgress", "the new"],
  [
    "without a deadline",
    object("Deployment", { ...two, conditions: [AVAILABLE] }, { progressDeadlineSeconds: 2147483647 }),
    "Current",
    "available",
  ],
  ["that is stuck", object("Deployment", { ...two, conditions: [STUCK] }), "Failed", "progress deadline"],
  ["of 0", object("Deployment", { conditions: [AVAILABLE, ROLLED_OUT] }, { replicas: 0 }), "Current", ""],
  ["that is paused", object("Deployment", {}, { paused: true }), "Current", "paused"],
  ["with all pods", object("ReplicaSet", two), "Current", "available"],
  ["with a pod less", object("ReplicaSet", { ...two, availableReplicas: 1 }), "InProgress", "available: 1/2"],
  [
    "that cannot make pods",
    object("ReplicaSet", { ...two, conditions: [{ type: "ReplicaFailure", status: "True" }] }),
    "InProgress",
    "pods cannot be created",
  ],
  ["with no pod", object("ReplicationController", {}), "InProgress", "labelled: 0/2"],
  ["rolled out", object("StatefulSet", two), "Current", "rolled out"],
  ["with a pod less", object("StatefulSet", { ...two, readyReplicas: 1 }), "InProgress", "ready: 1/2"],
  [
    "of two revisions",
    object("StatefulSet", { ...two, currentRevision: "a", updateRevision: "b" }),
    "InProgress",
    "not all updated",
  ],
  [
    "updated to its partition",
    object(
      "StatefulSet",
      { ...two, updatedReplicas: 1 },
      { updateStrategy: { rollingUpdate: { partition: 1 } } },
    ),
    "Current",
    "partition",
  ],
  [
    "not updated to its partition",
    object(
      "StatefulSet",
      { ...two, updatedReplicas: 1 },
      { updateStrategy: { rollingUpdate: { partition: 0 } } },
    ),
    "InProgress",
    "updated: 1/2",
  ],
  ["updated by hand, with no status", object("StatefulSet", {}, byHand), "InProgress", "replicas: 0/2"],
  ["not ready", object("StatefulSet", { ...two, readyReplicas: 1 }, byHand), "InProgress", "ready: 1/2"],
  [
    "updated by hand",
    object("StatefulSet", { ...two, currentRevision: "a", updateRevision: "b" }, byHand),
    "Current",
    "when they are deleted",
  ],
  [
    "not updated",
    object("DaemonSet", { ...nodes(2), updatedNumberScheduled: 0 }),
    "InProgress",
    "updated: 0/2",
  ],
  [
    "updated by hand",
    object("DaemonSet", { ...nodes(2), updatedNumberScheduled: 0 }, byHand),
    "Current",
    "rolled out",
  ],
  ["not ready", object("DaemonSet", { ...nodes(2), numberReady: 1 }, byHand), "InProgress", "ready: 1/2"],
  ["on all nodes", object("DaemonSet", nodes(2)), "Current", "rolled out"],
  ["without a node", object("DaemonSet", { desiredNumberScheduled: 0 }), "Current", "rolled out"],
  ["on one of two", object("DaemonSet", nodes(1)), "InProgress", "current: 1/2"],
  [
    "that nobody has seen",
    object("DaemonSet", { observedGeneration: undefined }),
    "InProgress",
    "not observed",
  ],
  [
    "that is ready",
    object("Pod", { phase: "Running", conditions: [{ type: "Ready", status: "True" }] }),
    "Current",
    "",
  ],
  ["that runs", object("Pod", { phase: "Running" }), "InProgress", "running, not ready"],
  ["that crashes", object("Pod", { phase: "Running", ...waiting("CrashLoopBackOff") }), "Failed", "crash"],
  ["that has ended", object("Pod", { phase: "Succeeded" }), "Current", "succeeded"],
  ["without room", object("Pod", { phase: "Pending", conditions: [unschedulable] }), "Failed", "scheduled"],
  ["started", object("Job", { startTime: "2026-01-01T00:00:00Z" }), "Current", "started"],
  ["not started", object("Job", {}), "InProgress", "not started"],
  ["bound", object("PersistentVolumeClaim", { phase: "Bound" }), "Current", "bound"],
  ["of which nothing is said", object("Deployment", {}, {}, "example.com/v1"), "Current", ""],
  ["without a status", { ...object("Site", {}, {}, "example.com/v1"), status: null }, "Current", ""],
  [
    "with a status of its own",
    custom({ conditions: { Ready: "False" }, observedGeneration: "7" }),
    "Current",
    "",
  ],
  ["not observed", custom({ observedGeneration: 0 }), "InProgress", "generation 1"],
  ["not ready", custom(said("Ready", "False")), "InProgress", "Ready is False: Why: for this"],
  ["perhaps ready", custom(said("Ready", "Unknown")), "InProgress", "Ready is Unknown"],
  ["that says so", custom(said("Ready", "True")), "Current", ""],
  ["reconciling", custom(said("Reconciling", "True")), "InProgress", "Reconciling is True: Why: for this"],
  ["stalled", custom(said("Stalled", "True")), "Failed", "Stalled is True: Why: for this"],
  ["pending", object("PersistentVolumeClaim", { phase: "Pending" }), "InProgress", "phase: Pending"],
])("an object %s: %j is %s", (_what, it, status, message) => {
  expect(objectStatus(it)).toEqual({ status, message: expect.stringContaining(message) as string });
});

it("the wait gives a Pod 15 s to find a node", () => {
  const pod = object("Pod", { phase: "Pending", conditions: [unschedulable] });
  expect(objectStatus(pod, "ready", Date.parse("2026-01-01T00:00:14Z")).status).toBe("InProgress");
});

it("the wait waits for the end of a Job that must have ended", () => {
  const job = (conditions: object[]) => object("Job", { startTime: "2026-01-01T00:00:00Z", conditions });
  expect(objectStatus(job([]), "complete")).toEqual({ status: "InProgress", message: "succeeded: 0/1" });
  expect(objectStatus(job([{ type: "Complete", status: "True" }]), "complete").status).toBe("Current");
});

it("the wait takes for final what cannot mend itself", () => {
  const lasts = (it: object) => isFinal(it, objectStatus(it));
  expect(lasts(object("Job", { conditions: [{ type: "Failed", status: "True" }] }))).toBe(true);
  expect(lasts(object("Pod", { phase: "Failed" }))).toBe(true);
  expect(lasts(custom(said("Stalled", "True")))).toBe(false);
  expect(lasts(object("Pod", { phase: "Pending", conditions: [unschedulable] }))).toBe(false);
  expect(lasts(object("Deployment", { conditions: [STUCK] }))).toBe(false);
});

describe("an object of Cluster API that is paused", () => {
  const CAPI = "cluster.x-k8s.io/v1beta2";
  const cluster = (spec: object, conditions: object[] = [], annotations = {}) => ({
    ...{ apiVersion: CAPI, kind: "Cluster", spec, status: { conditions } },
    metadata: { name: "c", generation: 2, annotations },
  });
  const way = "remove spec.paused of its Cluster, or the annotation cluster.x-k8s.io/paused";
  const paused = { type: "Paused", status: "True" };

  it.each([
    ["by its spec", cluster({ paused: true })],
    ["by the annotation, whatever its value", cluster({}, [], { "cluster.x-k8s.io/paused": "" })],
    ["with its Cluster", { ...cluster({}, [paused]), kind: "MachineDeployment" }],
    [
      "by a condition of the contract before",
      {
        ...cluster({}),
        apiVersion: "controlplane.cluster.x-k8s.io/v1beta1",
        status: { v1beta2: { conditions: [paused] } },
      },
    ],
  ])("is not waited for: %s", (_, object) => {
    const message = `paused: Cluster API does not change it until you ${way}`;
    expect(objectStatus(object, "available")).toEqual({ status: "Current", message });
  });

  it("fails at once where its first control plane is wanted, and is none", () => {
    const status = objectStatus(cluster({ paused: true }), "initialized");
    expect(status).toEqual({ status: "Failed", message: `it is paused, and therefore not created: ${way}` });
    expect(isFinal(cluster({ paused: true }), status)).toBe(true);
    const made = cluster({ paused: true }, [{ type: "ControlPlaneInitialized", status: "True" }]);
    expect(objectStatus(made, "initialized")).toEqual({ status: "Current", message: "initialized" });
  });

  it.each([
    ["not paused", cluster({ paused: false }, [{ type: "Paused", status: "False" }])],
    ["of another API", { ...cluster({ paused: true }), apiVersion: "example.com/v1" }],
  ])("is waited for: %s", (_, object) => {
    expect(objectStatus(object, "available").status).toBe("InProgress");
  });
});
