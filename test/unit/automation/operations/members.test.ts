import { membersOf } from "../../../../automation/operations/members";
import { StackState } from "../../../../automation/stack/stack-state";

const urnOf = (type: string, name: string) => `urn:pulumi:s::p::${type}::${name}`;

/** A component of a VNFC, or a VNF instance. */
const component = (type: string, name: string, parent = "") => ({
  ...{ urn: urnOf(type, name), type, parent },
  custom: false,
});

/** A step of a VNFC of instance `v` or `w`, with the component of the VNFC and the one that it is in. */
function step(vnf: string, key: string, suffix: string, rest: object = {}) {
  const name = `${vnf}-${key}`;
  const [type, owner] =
    suffix === "restore" ? ["vnfm:kubernetes:ControlPlane", name] : ["vnfm:kubernetes:KubeadmCluster", vnf];
  const root = urnOf("vnfm:index:Vnf", vnf);
  const command = {
    urn: urnOf("command:local:Command", `${name}-${suffix}`),
    type: "command:local:Command",
    parent: urnOf(type, owner),
    custom: true,
  };
  return [
    component("vnfm:openstack:Node", name, root),
    component(type, owner, root),
    { ...command, ...rest },
  ];
}

it("vnfm counts as members what is in the cluster now", () => {
  const ready = (vnf: string, key: string, rest?: object) => step(vnf, key, "ready", rest);
  const membership = (key: string, rest?: object) => step("v", key, "member", rest);
  const again = { pendingReplacement: true, inputs: { triggers: ["a"] } };
  const resources = [
    ...["v", "w"].map((vnf) => component("vnfm:index:Vnf", vnf)),
    ...ready("v", "workerNode-1"),
    ...ready("v", "workerNode-2", { pendingReplacement: true }),
    ...ready("v", "workerNode-3", { delete: true }),
    ...membership("workerNode-4"),
    ...step("v", "masterNode-2", "restore"),
    ...ready("w", "workerNode-7"),
    // left half way: still there; and one that a new server has not joined as yet
    ...[...ready("v", "workerNode-5", again), ...membership("workerNode-5", { inputs: { triggers: ["a"] } })],
    ...[...ready("v", "workerNode-6", again), ...membership("workerNode-6", { inputs: { triggers: ["b"] } })],
  ];
  expect(membersOf(new StackState({ deployment: { resources } }), "v")).toEqual(
    new Set(["workerNode-1", "masterNode-2", "workerNode-5"]),
  );
});
