import { membersOf } from "../../../../automation/operations/members";

it("counts as members what is in the cluster now", () => {
  const resource = (name: string, rest: object = {}) => ({
    urn: `urn:pulumi:s::p::command:remote:Command::${name}`,
    type: "command:remote:Command",
    custom: true,
    ...rest,
  });
  const resources = [
    resource("v-masterNode-1-ready"),
    resource("v-workerNode-1-ready", { custom: false }),
    resource("v-workerNode-2-ready", { pendingReplacement: true }),
    resource("v-workerNode-3-ready", { delete: true }),
    resource("v-workerNode-4-member"),
    resource("v-masterNode-2-restore"),
    resource("w-workerNode-1-ready"),
    // left half way: still there; and one that a new server has not joined as yet
    resource("v-workerNode-5-ready", { pendingReplacement: true, inputs: { triggers: ["a"] } }),
    resource("v-workerNode-5-member", { inputs: { triggers: ["a"] } }),
    resource("v-workerNode-6-ready", { pendingReplacement: true, inputs: { triggers: ["a"] } }),
    resource("v-workerNode-6-member", { inputs: { triggers: ["b"] } }),
  ];
  expect(membersOf({ deployment: { resources } }, "v")).toEqual(
    new Set(["masterNode-1", "masterNode-2", "workerNode-5"]),
  );
});
