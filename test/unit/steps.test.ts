import { phaseOf, wordsOf } from "../../components/deploy/phases";
import {
  CNF,
  CONTROL_PLANE,
  KUBEADM_CLUSTER,
  NODE,
  ownerOfStep,
  stepKindOf,
  stepName,
} from "../../components/deploy/steps";

test.each([
  [KUBEADM_CLUSTER, "nodeReady", "a-workerNode-1-ready"],
  [NODE, "portExchange", "a-workerNode-1-ports"],
  [CNF, "objectReady", "a-workerNode-1-ready"],
  [CNF, "definitions", "a-workerNode-1-definitions"],
  [CNF, "definitionsEnd", "a-workerNode-1-definitions-end"],
  [CNF, "foreignObjects", "a-workerNode-1-foreign-objects"],
] as const)("a step is known by its component and the end of its name: %s, %s", (component, kind, name) => {
  expect(stepName("a-workerNode-1", kind)).toBe(name);
  expect(stepKindOf(name, component)).toBe(kind);
  expect(ownerOfStep(name, kind)).toBe("a-workerNode-1");
});

test("a step of another component is of no kind", () => {
  expect(stepKindOf("a-workerNode-1-member", CONTROL_PLANE)).toBeUndefined();
  expect(stepKindOf("a-workerNode-1-member", undefined)).toBeUndefined();
});

test.each([
  ["vnf-a-masterNode-1-copy", "control-plane-copy.sh", "copy"],
  ["vnf-a-masterNode-1-restore", "control-plane-copy.sh", "restore"],
  ["vnf-a-masterNode-1-api-server-use", "api-server.sh", "api-server-use"],
  ["vnf-a-storage_server-1-exports-in-use", "exports-in-use.sh", "exports-in-use"],
  ["vnf-a-member-1-join", "join-node.sh", "join"],
  // of an instance, and of no server
  ["vnf-a-pv-nfs-pv1-unused", "persistent-volume.sh", undefined],
  ["vnf-a-ready", "prepare-node.sh", undefined],
] as const)("a phase is known by its script and the end of its step's name: %s", (name, script, phase) => {
  expect(phaseOf(name, script)).toBe(phase);
});

test("a phase that runs for the same server again has words of its own where it does less then", () => {
  expect([wordsOf("prepare", false), wordsOf("prepare", true)]).toEqual(["is prepared", "is prepared again"]);
  expect([wordsOf("join", false), wordsOf("join", true)]).toEqual([
    "joins the cluster",
    "is checked, and joins if it left",
  ]);
});
