import type { EngineEvent } from "@pulumi/pulumi/automation";
import { Places } from "../../../../automation/stack/places";
import { Progress } from "../../../../automation/changes/progress";
import type { Step } from "../../../../automation/stack/steps";
import { objectOf, step, urn, vnf, vnfc } from "../steps";

const SECRET = "a private key";

/** The engine's metadata of a step; its outputs are in plain text there, secrets too. */
const metadata = ({ urn, op, type, parent, custom, object, script }: Step) => {
  const [kind, name = ""] = object?.split(" ") ?? [];
  const [namespace, own] = name.split("/");
  const environment = { VNFM_SCRIPT: `${script} 0123456789ab` };
  const inputs =
    object === undefined
      ? { stdin: SECRET, ...(script !== undefined && { environment }) }
      : { kind, metadata: { namespace, name: own } };
  return { urn, op, type, new: { parent, custom, inputs, outputs: { stdout: SECRET } } };
};
const event = (event: object) => event as EngineEvent;
const begin = (step: Step) => event({ resourcePreEvent: { metadata: metadata(step) } });
const end = (step: Step) => event({ resOutputsEvent: { metadata: metadata(step) } });
const fail = (step: Step) => event({ resOpFailedEvent: { metadata: metadata(step) } });

/** What is told of steps that each take ten seconds, one after the other. */
function told(steps: readonly Step[], ended: typeof end): string[] {
  const lines: string[] = [];
  let now = 0;
  const progress = new Progress(
    new Places(steps),
    ({ text }) => lines.push(text),
    () => now,
  );
  for (const step of steps) {
    progress.see(begin(step));
    now += 10_000;
    progress.see(ended(step));
  }
  return lines;
}

it("the progress tells of servers, scripts and objects as they are done, with seconds and without a value", () => {
  const lines = told(
    [
      ...vnf(),
      ...vnfc("same", "masterNode-1", "master"),
      ...vnfc("create", "workerNode-2", "member"),
      ...objectOf("create", "Deployment web/web"),
      ...objectOf("update", "ConfigMap web/page"),
    ],
    end,
  );
  expect(lines).toEqual([
    "vnf-a: workerNode-2: server made (10 s)",
    "vnf-a: workerNode-2: prepare done (10 s)",
    "vnf-a: workerNode-2: join done (10 s)",
    "vnf-a: workerNode-2: Ready in the cluster (10 s)",
    "vnf-b: Deployment web/web made (10 s)",
    "vnf-b: ConfigMap web/page updated (10 s)",
  ]);
  expect(lines.join()).not.toContain(SECRET);
});

it("the progress tells both halves of a replacement", () => {
  const lines = told([...vnf(), ...vnfc("replace", "app-1")], end);
  expect(lines).toEqual(["vnf-a: app-1: server deleted (10 s)", "vnf-a: app-1: server made (10 s)"]);
});

it("the progress tells what failed, by what was tried", () => {
  const lines = told([...vnf(), ...vnfc("delete", "workerNode-2", "member")], fail);
  expect(lines).toEqual([
    "vnf-a: workerNode-2: server is not deleted, FAILED after 10 s",
    "vnf-a: workerNode-2: is not drained, FAILED after 10 s",
  ]);
});

it("the progress tells of no value in the state, whatever its name ends with", () => {
  const cnf = urn("vnfm:cnf:Cnf", "vnf-b");
  const components = [
    step("same", "vnfm:index:Vnf", "vnf-b"),
    step("same", "vnfm:cnf:Cnf", "vnf-b", { parent: urn("vnfm:index:Vnf", "vnf-b") }),
  ];
  const ready = (type: string) => step("create", type, "vnf-b-release/app-ready", { parent: cnf });
  expect(told([...components, ready("pulumi:index:Stash")], end)).toEqual([]);
  expect(told([...components, ready("command:local:Command")], end)).toEqual([
    "vnf-b: release/app ready (10 s)",
  ]);
});
