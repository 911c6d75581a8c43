import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outOfSnapshot, describeLoss, type Lost } from "../../../../automation/operations/lost-master";
import type { IntendedVnf } from "../../../../automation/stack/intent";
import type { PulumiStack } from "../../../../automation/stack/pulumi";
import type { Run } from "../../../../automation/run";
import { StackState } from "../../../../automation/stack/stack-state";
import type { State } from "../../../../automation/stack/state";
import { dropReceipt, receiptOf } from "../../../../components/remote/receipt";
import { AnsweringHosts } from "../answering-hosts";
import { COMMAND, scriptInputs, scriptStep, step, urn, vnf, vnfc } from "../steps";

const CA = "0".repeat(64);
const snapshotOf = (time: string) => ({
  ...{ time, revision: 12, keys: 3, version: "v1.33.0", ca: CA, node: "vnf-a-masternode-1" },
});
const headerOf = (time: string) => `${time} 12 3 v1.33.0 ${CA} vnf-a-masternode-1`;

const lost: Lost = {
  vnf: "vnf-a",
  master: "masterNode-1",
  worker: "workerNode-1",
  isReached: "No route to host",
  kept: { copy: null, snapshots: [snapshotOf("2026-11-23T03:05:00Z")] },
  isHealed: false,
  hasBucket: false,
};
const away = "masterNode-1 does not answer (No route to host)";

describe("a sole master that cannot make a copy of its etcd", () => {
  it("comes back as its last snapshot has it, which is said before anything changes", () => {
    expect(describeLoss(lost)).toEqual([
      `vnf-a: ${away}: its etcd is restored as of 2026-11-23T03:05:00Z, and later writes are lost`,
    ]);
    expect(describeLoss({ ...lost, isReached: false })).toEqual([
      "vnf-a: masterNode-1 has no control plane: its etcd is restored as of 2026-11-23T03:05:00Z, and later writes are lost",
    ]);
  });

  it("comes back as its copy has it where it has left one, and the operator sees of when that is", () => {
    const kept = { copy: "2026-11-23T03:07:12Z", snapshots: [snapshotOf("2026-11-23T03:05:00Z")] };
    expect(describeLoss({ ...lost, kept })).toEqual([
      `vnf-a: ${away}: its etcd is restored as of 2026-11-23T03:07:12Z, from the copy on workerNode-1`,
    ]);
  });

  it.each<[string, Partial<Lost>, string]>([
    [
      "no snapshot was taken",
      { kept: { copy: null, snapshots: [] } },
      `${away}, and workerNode-1 has no snapshot of its etcd. Start masterNode-1 again, or re-create the cluster: vnfm heal vnf-a all`,
    ],
    [
      "its worker does not answer either",
      { kept: { unknown: "Connection timed out" } },
      `${away}, and vnfm cannot query whether workerNode-1 has a snapshot of its etcd: Connection timed out`,
    ],
    [
      "its worker does not answer either, and a bucket has the snapshots",
      { kept: { unknown: "Connection timed out" }, hasBucket: true },
      "Connection timed out. If workerNode-1 is lost too: vnfm restore vnf-a",
    ],
    [
      "its worker is to be healed with it",
      { isHealed: true },
      `${away}, and workerNode-1 has its etcd. First: vnfm heal vnf-a masterNode-1`,
    ],
    [
      "it is back after a heal that failed",
      { isReached: true },
      "masterNode-1 is running again after its heal failed: set vnfm:vnfs.vnf-a.heal.masterNode-1 back to the trigger value before that one",
    ],
  ])("is left as it is where %s", (_, state, why) => {
    expect(() => describeLoss({ ...lost, ...state })).toThrow(why);
  });
});

describe("a heal of a sole master from a snapshot", () => {
  const hosts = new AnsweringHosts();
  // in the folder of this user's temporary files
  const receipt = randomUUID();
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "vnfm-lost-master-"))));
  afterEach(() => {
    dropReceipt(receipt);
    rmSync(folder, { recursive: true });
  });

  const server = (role: string, key: string) => ({ role, servers: [{ key, role, vdu: { id: key } }] });
  const cluster = {
    api: { kind: "master" },
    pools: [server("master", "masterNode-1"), server("worker", "workerNode-1")],
  };
  const intended = { name: "vnf-a", plan: { kind: "kubeadm", cluster } } as unknown as IntendedVnf;

  /** @param kept what the worker says that it has */
  const heal = (kept: object) => {
    const master = hosts.answer("10.0.0.5", `echo '{"begun": false}'`);
    const worker = hosts.answer("10.0.0.6", `[ "$1" != kept ] || echo '${JSON.stringify(kept)}'`);
    const inputs: Record<string, object> = {
      "vnf-a-masterNode-1-restore": scriptInputs(
        "restore",
        JSON.stringify({ ...(JSON.parse(master) as object), receipt }),
      ),
      "vnf-a-workerNode-1-store": {
        ...scriptInputs("prepare", worker),
        environment: { VNFM_SCRIPT: "control-plane-store.sh 0123456789ab" },
      },
    };
    const steps = [
      ...vnf(),
      ...vnfc("same", "masterNode-1", "master"),
      ...vnfc("same", "workerNode-1", "member"),
      scriptStep(
        "same",
        "vnf-a-masterNode-1",
        "restore",
        urn("vnfm:kubernetes:ControlPlane", "vnf-a-masterNode-1"),
      ),
      step("same", COMMAND, "vnf-a-workerNode-1-store", {
        parent: urn("vnfm:kubernetes:KubeadmCluster", "vnf-a"),
      }),
    ];
    const resources = steps.map(({ urn: its, type, parent, custom }) => ({
      ...{ urn: its, type, parent, custom },
      ...(inputs[its.split("::")[3] ?? ""] && { inputs: inputs[its.split("::")[3] ?? ""] }),
    }));
    const state = { deployment: { resources } } as State;
    const stack = {
      ...{ folder, backend: `file://${folder}`, name: "lost", qualifiedName: "organization/vnfm/lost" },
      state: () => Promise.resolve(state),
    } as unknown as PulumiStack;
    const now = { state: () => Promise.resolve(new StackState(state)) };
    return outOfSnapshot(stack, now, intended, ["masterNode-1"]);
  };

  it("has the next server refuse what is older than the time that the operator agreed to", async () => {
    const { warnings, prepare } = await heal({
      copy: null,
      snapshots: [headerOf("2026-11-23T03:05:00Z")],
      age: 9,
      open: 9,
    });
    expect(warnings).toEqual([
      "vnf-a: masterNode-1 has no control plane: its etcd is restored as of 2026-11-23T03:05:00Z, and later writes are lost",
    ]);
    expect(receiptOf(receipt)).toBe("");
    await prepare?.({} as Run);
    expect(receiptOf(receipt)).toBe("2026-11-23T03:05:00Z");
  });

  it.each(["", "9", "2026-11-23", "2026-11-23T03:05:00Z\n", "\u001b[2J"])(
    "is refused where the worker says no time: %j",
    async (time) => {
      await expect(heal({ copy: null, snapshots: [headerOf(time)], age: 9, open: 9 })).rejects.toThrow(
        "vnfm cannot query whether workerNode-1 has a snapshot of its etcd: it reports no time",
      );
    },
  );
});
