import { finalReasons, presentReasons } from "../../../components/kube/client/reasons";

const QUOTA =
  'pods "web-7d4b9-x2x4l" is forbidden: exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0';
const NO_ROOM = "0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: ...";

const replicaSet = (conditions: object[] = []) => ({
  kind: "ReplicaSet",
  metadata: { name: "web-7d4b9", uid: "rs" },
  status: { conditions },
});

function pod(name: string, status: object): object {
  return { kind: "Pod", metadata: { name, uid: `uid-${name}` }, spec: {}, status };
}

const container = (state: object, more: object = {}) => ({
  phase: "Pending",
  containerStatuses: [{ name: "web", ready: false, restartCount: 0, state, lastState: {}, ...more }],
});
const CREATING = container({ waiting: { reason: "ContainerCreating" } });
const CRASH = container(
  {
    waiting: {
      reason: "CrashLoopBackOff",
      message: "back-off 10s restarting failed container=web pod=web-1_web",
    },
  },
  { lastState: { terminated: { exitCode: 3, reason: "Error" } } },
);
const warning = (reason: string, message: string, lastTimestamp = "2026-01-01T00:00:00Z") => ({
  type: "Warning",
  reason,
  message,
  lastTimestamp,
});

/** What was read about a Deployment; a part that is not given is empty. */
function found(parts: object): Parameters<typeof finalReasons>[0] {
  const object = { kind: "Deployment", metadata: { name: "web", uid: "deployment" } };
  return { object, pods: [], claims: [], events: {}, logs: {}, ...parts };
}

describe("the reasons why an object is not ready", () => {
  it("are those of its newest ReplicaSet, where that cannot make pods", () => {
    const failure = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: QUOTA };
    const reasons = [`ReplicaSet web-7d4b9: FailedCreate: ${QUOTA}`];
    expect(finalReasons(found({ replicaSet: replicaSet([failure]) }))).toEqual(reasons);
    expect(presentReasons(found({ replicaSet: replicaSet([failure]) }))).toEqual(reasons);
  });

  it("are the newest event of a condition, which keeps its first message", () => {
    const failure = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "no account" };
    const events = { rs: [warning("FailedCreate", QUOTA)] };
    expect(finalReasons(found({ replicaSet: replicaSet([failure]), events }))).toEqual([
      `ReplicaSet web-7d4b9: FailedCreate: ${QUOTA}`,
    ]);
  });

  it.each([
    'error looking up service account web/app: serviceaccount "app" not found',
    'pods "db-0" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
    'Pod "db-0" is invalid: maximum cpu usage per Container is 1, but limit is 2',
  ])("are the events of a controller that has no condition for it: %s", (message) => {
    const events = { db: [warning("FailedCreate", message)] };
    const object = { kind: "StatefulSet", metadata: { name: "db", uid: "db" } };
    expect(finalReasons(found({ object, events }))).toEqual([`StatefulSet db: FailedCreate: ${message}`]);
  });

  it("are told once for all pods that have the same", () => {
    const scheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: NO_ROOM };
    const pods = ["web-1", "web-2", "web-3"].map((name) =>
      pod(name, { phase: "Pending", conditions: [scheduled] }),
    );
    expect(finalReasons(found({ replicaSet: replicaSet(), pods }))).toEqual([
      `Pod web-1 (and 2 more): Unschedulable: ${NO_ROOM}`,
    ]);
  });

  it("are told once where they differ in numbers only, and exit codes are none of these", () => {
    const dial = (port: number) => `dial tcp 10.0.0.1:${port}->192.0.2.1:443: i/o timeout`;
    const refused = [40001, 40002].map((port, i) =>
      pod(`web-${i}`, container({ waiting: { reason: "ErrImagePull", message: dial(port) } })),
    );
    expect(presentReasons(found({ pods: refused }))).toEqual([
      `Pod web-0 (and 1 more), container web: ErrImagePull: ${dial(40001)}`,
    ]);
    const crashes = [1, 2].map((exitCode) => pod(`web-${exitCode}`, container({ terminated: { exitCode } })));
    expect(presentReasons(found({ pods: crashes }))).toHaveLength(2);
  });

  it.each([
    ["ImagePullBackOff", 'Back-off pulling image "nginx:absent": ErrImagePull: nginx:absent: not found'],
    ["CreateContainerConfigError", 'secret "db-password" not found'],
    ["InvalidImageName", 'couldn\'t parse image name "Nginx"'],
  ])("are what a container waits for: %s", (reason, message) => {
    const pods = [pod("web-1", container({ waiting: { reason, message } }))];
    expect(presentReasons(found({ pods }))).toEqual([`Pod web-1, container web: ${reason}: ${message}`]);
  });

  it("are the exit code of a container that crashes, and at the end its last words", () => {
    const parts = found({
      pods: [pod("web-1", CRASH)],
      logs: { "web-1/web": "no route to db\ngiving up\n" },
    });
    const line = "Pod web-1, container web: CrashLoopBackOff: it ended with exit code 3";
    expect(presentReasons(parts)).toEqual([line]);
    expect(finalReasons(parts)).toEqual([`${line}\n  | no route to db\n  | giving up`]);
  });

  it("are that a container used too much memory", () => {
    const terminated = { exitCode: 137, reason: "OOMKilled" };
    const pods = [pod("web-1", container({ terminated }))];
    expect(finalReasons(found({ pods }))).toEqual([
      "Pod web-1, container web: crash: it ended with exit code 137 (OOMKilled)",
    ]);
  });

  it("are the newest events, where nothing else says why", () => {
    const events = {
      "uid-web-1": [
        warning("FailedMount", "old", "2026-01-01T00:00:00Z"),
        warning(
          "FailedMount",
          'MountVolume.SetUp failed: configmap "page" not found',
          "2026-01-01T00:05:00Z",
        ),
      ],
    };
    const parts = found({ pods: [pod("web-1", CREATING)], events });
    expect(presentReasons(parts)).toEqual([]);
    expect(finalReasons(parts)).toEqual([
      'Pod web-1: FailedMount: MountVolume.SetUp failed: configmap "page" not found',
    ]);
  });

  it("are the claims without a volume", () => {
    const claim = {
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", uid: "data" },
      status: { phase: "Pending" },
    };
    const message = "no persistent volumes available for this claim and no storage class is set";
    const events = { data: [{ ...warning("FailedBinding", message), type: "Normal" }] };
    expect(finalReasons(found({ claims: [claim], events }))).toEqual([
      `PersistentVolumeClaim data: is Pending: FailedBinding: ${message}`,
    ]);
  });

  describe("of a claim that could have a volume which is Released", () => {
    const claim = (spec: object) => ({
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", uid: "data" },
      spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "10Gi" } }, ...spec },
      status: { phase: "Pending" },
    });
    const volume = (changes: object = {}, phase = "Released") => ({
      metadata: { name: "pv1", labels: { tier: "db" } },
      spec: {
        accessModes: ["ReadWriteOnce", "ReadWriteMany"],
        capacity: { storage: "11e9" },
        storageClassName: "nfs",
        claimRef: { namespace: "old", name: "data" },
        persistentVolumeReclaimPolicy: "Retain",
        ...changes,
      },
      status: { phase },
    });
    const none = [warning("FailedBinding", "no persistent volumes available for this claim")];
    const told = (spec: object, changes: object = {}, phase?: string) => {
      const volumes = [volume(changes, phase)];
      return found({ claims: [claim(spec)], volumes, events: { data: none } });
    };
    const kept =
      "PersistentVolumeClaim data: PersistentVolume pv1 would fit it, but is Released: its PVC old/data was deleted, and its reclaim policy is Retain; 'vnfm release' makes it available again, with its data";

    it.each([
      { storageClassName: "nfs" },
      { storageClassName: "nfs", selector: { matchLabels: { tier: "db" } } },
      { storageClassName: "other", volumeName: "pv1" },
    ])("are that volume, already while it is waited for, and not what the events say: %j", (spec) => {
      expect(presentReasons(told(spec))).toEqual([kept]);
      expect(finalReasons(told(spec))).toEqual([kept]);
    });

    it.each([
      [{ storageClassName: "other" }],
      [{}],
      [{ storageClassName: "nfs", volumeName: "pv2" }],
      [{ storageClassName: "nfs", selector: { matchLabels: { tier: "web" } } }],
      [{ storageClassName: "nfs", selector: { matchLabels: { toString: "db" } } }],
      [{ storageClassName: "nfs", volumeMode: "Block" }],
      [{ storageClassName: "nfs" }, { accessModes: ["ReadWriteOnce"] }],
      [{ storageClassName: "nfs" }, { capacity: { storage: "10G" } }],
      [{ storageClassName: "nfs" }, { persistentVolumeReclaimPolicy: "Delete" }],
      [{ storageClassName: "nfs" }, {}, "Available"],
    ])("are the events where it could not: %j %j %s", (spec, changes: object = {}, phase?: string) => {
      expect(presentReasons(told(spec, changes, phase))).toEqual([]);
      expect(finalReasons(told(spec, changes, phase))).toEqual([
        "PersistentVolumeClaim data: is Pending: FailedBinding: no persistent volumes available for this claim",
      ]);
    });
  });

  describe("of what is being deleted", () => {
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const going = (finalizers: string[]) => {
      const object = {
        kind: "StatefulSet",
        metadata: { name: "db", uid: "db", deletionTimestamp, finalizers },
      };
      return presentReasons(found({ object }));
    };

    it.each([
      ["kubernetes.io/pvc-protection", "the pods that mount it to be deleted"],
      ["foregroundDeletion", "the objects that it owns to be deleted"],
      ["databases.example.com/cleanup", "the controller of databases.example.com: is it running?"],
      ["constructor", "the controller of constructor: is it running?"],
    ])("are its finalizers, and whose they are: %s", (finalizer, whom) => {
      expect(going([finalizer])).toEqual([
        `StatefulSet db: is being deleted and waits, by its finalizer ${finalizer}, for ${whom}`,
      ]);
    });

    it("are those of a claim and of a pod in its way, too", () => {
      const metadata = { deletionTimestamp, finalizers: ["kubernetes.io/pvc-protection"] };
      const claims = [{ kind: "PersistentVolumeClaim", metadata: { ...metadata, name: "data" }, spec: {} }];
      const lost = { ...pod("db-0", { phase: "Running" }), metadata: { name: "db-0", deletionTimestamp } };
      expect(presentReasons(found({ claims, pods: [{ ...lost, spec: { nodeName: "worker-1" } }] }))).toEqual([
        "PersistentVolumeClaim data: is being deleted and waits, by its finalizer kubernetes.io/pvc-protection, for the pods that mount it to be deleted",
        "Pod db-0: is being deleted, and the kubelet of node worker-1 does not end it",
      ]);
    });

    it("are none of a pod that has its grace period", () => {
      const metadata = { name: "db-0", deletionTimestamp: new Date().toISOString() };
      expect(presentReasons(found({ pods: [{ kind: "Pod", metadata, spec: { nodeName: "n" } }] }))).toEqual(
        [],
      );
    });
  });

  it("are not those of pods that are ready, have ended well or go", () => {
    const going = {
      ...pod("web-3", CRASH),
      metadata: { name: "web-3", deletionTimestamp: "2026-01-01T00:00:00Z" },
    };
    const pods = [
      pod("web-1", { ...CRASH, conditions: [{ type: "Ready", status: "True" }] }),
      pod("web-2", { phase: "Succeeded" }),
      going,
    ];
    expect(finalReasons(found({ pods }))).toEqual([]);
  });
});
