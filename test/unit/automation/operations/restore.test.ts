/** Tests of the choice of a snapshot, and of the refusals, when a cluster without any master is restored. */
import { assertStopped, chosenOf } from "../../../../automation/operations/restore";
import type { IntendedVnf } from "../../../../automation/stack/intent";

const CA = "0".repeat(64);
const snapshot = (time: string, changes: object = {}) => ({
  ...{ time, revision: 12, keys: 3, version: "v1.33.0", ca: CA, node: "vnf-a-masternode-1" },
  ...changes,
});
const newest = snapshot("2026-11-23T03:10:00Z");
const older = snapshot("2026-11-23T03:05:00Z");
const foreign = snapshot("2026-11-23T03:15:00Z", { ca: "1".repeat(64) });

const chosen = (
  snapshots: readonly ReturnType<typeof snapshot>[],
  time?: string,
  version?: string,
  copy: string | null = null,
) => {
  const plan = { kind: "kubeadm", cluster: { kubernetesVersion: version } };
  const intended = { name: "vnf-a", plan } as unknown as IntendedVnf;
  const kept = { copy, snapshots, age: 9 };
  return chosenOf(intended, { place: "workerNode-1", kept, ca: CA }, time);
};

it("the chosen snapshot is the newest one of this cluster, or that of the time", () => {
  expect(chosen([newest, older])).toBe(newest);
  expect(chosen([foreign, newest, older])).toBe(newest);
  expect(chosen([newest, older], older.time)).toBe(older);
  expect(chosen([newest], undefined, "v1.33.5")).toBe(newest);
  expect(chosen([newest, older], undefined, undefined, newest.time)).toBe(newest);
  expect(chosen([newest, older], older.time, undefined, foreign.time)).toBe(older);
});

it.each<[string, Parameters<typeof chosen>, string]>([
  [
    "there is none",
    [[]],
    "workerNode-1 has no snapshot of the etcd of vnf-a: re-create the cluster: vnfm heal vnf-a all",
  ],
  ["all are of another cluster", [[foreign]], "workerNode-1 has no snapshot of the etcd of vnf-a"],
  [
    "none is of that time",
    [[newest, older], "2026-11-23"],
    'workerNode-1 has no snapshot "2026-11-23" of the etcd of vnf-a; it has 2026-11-23T03:10:00Z, 2026-11-23T03:05:00Z',
  ],
  ["it is of another cluster", [[foreign, newest], foreign.time], "is of another cluster, with another CA"],
  [
    "a sole master has left a whole copy since",
    [[newest], undefined, undefined, foreign.time],
    "workerNode-1 has a copy of the whole etcd of vnf-a, of 2026-11-23T03:15:00Z: 'vnfm heal' of the control-plane node uses it",
  ],
  [
    "it is of another minor version",
    [[newest], undefined, "v1.34.1"],
    "the snapshot 2026-11-23T03:10:00Z is of Kubernetes v1.33.0, and kubernetes_version is v1.34.1",
  ],
])("the chosen snapshot is refused where %s", (_, args, why) => {
  expect(() => chosen(...args)).toThrow(why);
});

describe("masters that do not answer", () => {
  const servers = [
    { id: "a", vnfc: "masterNode-1" },
    { id: "b", vnfc: "masterNode-2" },
  ];

  it.each(["SHUTOFF", "ERROR", "DELETED", "PAUSED"])(
    "are lost where Nova has none of them, or one that is %s",
    (status) => {
      expect(() => assertStopped(servers, new Map([["b", status]]))).not.toThrow();
    },
  );

  it.each(["ACTIVE", "UNKNOWN", "REBOOT", "MIGRATING"])("may run where Nova says %s", (status) => {
    expect(() => assertStopped(servers, new Map([["b", status]]))).toThrow(
      `masterNode-2 does not answer, but the server b is ${status} and may still run etcd, so nothing is restored. Stop it first: openstack server stop b; on a compute host that is down, delete it`,
    );
  });
});
