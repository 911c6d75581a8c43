import { describeCheck } from "../../../../automation/checks/check-words";
import { findingsOf } from "../../../../automation/checks/checks";
import { StackState, type Script } from "../../../../automation/stack/stack-state";
import type { Properties, ResourceState } from "../../../../automation/stack/state";
import { COMMAND, scriptInputs, urn, vnf, vnfc } from "../steps";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});
const STDIN = '{"reach":{},"data":{}}';

/** A VNF instance of two nodes, and the inputs of some of its scripts by their name. */
function state(scripts: Record<string, Properties>, changes: Partial<ResourceState> = {}): StackState {
  const resources = [
    ...vnf(),
    ...vnfc("same", "masterNode-1", "master"),
    ...vnfc("same", "workerNode-1", "member"),
  ];
  return new StackState({
    deployment: {
      resources: resources.map(({ urn: its, type, parent, custom }) => {
        const inputs = scripts[its.split("::")[3] ?? ""];
        return {
          urn: its,
          type,
          parent,
          custom,
          ...(type === COMMAND && inputs !== undefined && { inputs, ...changes }),
        };
      }),
    },
  });
}

const prepare = scriptInputs("prepare", secret(STDIN));
const found = (kind: "prepare" | "member" | "pv"): Script => ({
  urn: "urn",
  vnf: "vnf-a",
  ...(kind !== "pv" && { vnfc: "workerNode-1" }),
  step: kind,
  isRepeatable: kind === "prepare",
  script: kind === "member" ? "membership.sh" : kind === "pv" ? "persistent-volume.sh" : "prepare-node.sh",
  stdin: STDIN,
});
const answer = (status: number | undefined, stdout = "", stderr = "") => ({ status, stdout, stderr });

describe("checks of a state", () => {
  it("are the scripts that have one, with what they need in plain text", () => {
    const checks = state({
      "vnf-a-masterNode-1-prepare": prepare,
      "vnf-a-workerNode-1-member": { ...scriptInputs("member", secret(STDIN)), delete: "delete" },
      "vnf-a-workerNode-1-join": scriptInputs("join", secret(STDIN)),
    }).scripts(undefined, "check");
    expect(checks).toEqual([
      {
        urn: urn(COMMAND, "vnf-a-masterNode-1-prepare"),
        vnf: "vnf-a",
        vnfc: "masterNode-1",
        step: "prepare",
        isRepeatable: true,
        script: "prepare-node.sh",
        stdin: STDIN,
      },
      expect.objectContaining({ vnfc: "workerNode-1", script: "membership.sh", isRepeatable: false }),
    ]);
  });

  it("are those of one instance where one is named", () => {
    const all = state({ "vnf-a-masterNode-1-prepare": prepare });
    expect(all.vnfs).toEqual(["vnf-a"]);
    expect(all.scripts("vnf-a", "check")).toHaveLength(1);
    expect(all.scripts("vnf-b", "check")).toEqual([]);
  });

  it("are not those of what is about to be deleted, but those of a script that failed as it ran again", () => {
    const scripts = { "vnf-a-masterNode-1-prepare": prepare };
    expect(state(scripts, { delete: true }).scripts()).toEqual([]);
    expect(state(scripts, { pendingReplacement: true }).scripts()).toHaveLength(1);
  });
});

describe("findings", () => {
  const texts = (...args: Parameters<typeof findingsOf>) =>
    findingsOf(...args).map(({ kind, wayOut, text }) => [kind, wayOut, text]);

  it("are the lines of a script that ended well, none where all is as declared", () => {
    expect(texts(found("prepare"), answer(0, "", "a note\n"))).toEqual([]);
    expect(texts(found("prepare"), answer(0, "a\n\nb\n"))).toEqual([
      ["differs", "mend", "a"],
      ["differs", "mend", "b"],
    ]);
  });

  it("are not mended by a script that would undo something first", () => {
    expect(texts(found("member"), answer(0, "a"))).toEqual([["differs", "heal", "a"]]);
    expect(texts(found("pv"), answer(0, "a"))).toEqual([["differs", "refresh", "a"]]);
  });

  it.each([
    [
      answer(255, "", "ssh: connect to host 10.0.0.5 port 22: No route to host\r\n"),
      "ssh: connect to host 10.0.0.5",
    ],
    [answer(255), "the SSH connection ended"],
    [answer(1, "", "first\nsudo: a password is required\n"), "sudo: a password is required"],
    [answer(3), "it ended with status 3"],
    [answer(124), "it does not answer"],
    [answer(137), "it does not answer"],
    [answer(undefined), "it does not answer"],
  ])("say why there is no answer: %j", (end, why) => {
    const text = expect.stringContaining(`step prepare cannot be checked: ${why}`) as string;
    expect(texts(found("prepare"), end)).toEqual([["unchecked", undefined, text]]);
  });

  it("are a finding for each line of a node's answer", () => {
    expect(texts(found("prepare"), answer(0, "a\r\n\n b \rc\n"))).toEqual([
      ["differs", "mend", "a"],
      ["differs", "mend", "b"],
      ["differs", "mend", "c"],
    ]);
  });
});

it("the check says what is to be done", () => {
  const [differs] = findingsOf(found("prepare"), answer(0, "keepalived does not run"));
  const [gone] = findingsOf(found("member"), answer(0, "Node w is missing"));
  const [volume] = findingsOf(found("pv"), answer(0, "PersistentVolume v is missing"));
  expect(describeCheck({ checks: 3, findings: [differs!, gone!, volume!], snapshots: [] })).toEqual([
    "vnf-a: workerNode-1: keepalived does not run",
    "vnf-a: workerNode-1: Node w is missing: run 'vnfm heal vnf-a workerNode-1'",
    "vnf-a: PersistentVolume v is missing: run 'pulumi up --refresh'",
    "'vnfm mend' runs the scripts that set it up again",
  ]);
  expect(describeCheck({ checks: 3, findings: [], snapshots: [] })).toEqual(["as declared (3 checks)"]);
  expect(describeCheck({ checks: 0, findings: [], snapshots: [] })).toEqual([
    "nothing to check: the stack has no servers and no objects that it waits for",
  ]);
});
