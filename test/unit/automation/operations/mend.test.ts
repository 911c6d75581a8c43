import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "../../../../automation/checks/checks";
import { mend } from "../../../../automation/operations/mend";
import { RefusedFault } from "../../../../automation/operations/operation";
import type { RunOptions } from "../../../../automation/run";
import type { PulumiStack } from "../../../../automation/stack/pulumi";
import type { State } from "../../../../automation/stack/state";
import { AnsweringHosts } from "../answering-hosts";
import { COMMAND, scriptInputs, scriptStep, urn, vnf, vnfc } from "../steps";

jest.setTimeout(60_000);

const hosts = new AnsweringHosts();
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "vnfm-mend-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const WORKERS: readonly string[] = ["workerNode-1", "workerNode-2"];
const cluster = urn("vnfm:kubernetes:KubeadmCluster", "vnf-a");

/** The verbs that scripts have run with, each with its server and its step. */
const ran = () => {
  const file = join(folder, "ran");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};

/**
 * A stack of two workers, each with a step `prepare` before its step `labels`. Nothing of it is for the engine.
 * @param ends commands at the end of a script, by the name of its step
 */
function stackOf(ends: Readonly<Record<string, string>> = {}, workers = WORKERS): PulumiStack {
  const steps = [
    ...vnf(),
    ...workers.flatMap((key) => [
      ...vnfc("same", key, "member"),
      scriptStep("same", `vnf-a-${key}`, "labels", cluster),
    ]),
  ];
  const inputs = Object.fromEntries(
    workers.flatMap((key, i) =>
      (["prepare", "labels"] as const).map((end) => {
        const name = `vnf-a-${key}-${end}`;
        const script = `echo "$1 ${key} ${end}" >>${folder}/ran\n${ends[name] ?? ""}`;
        return [name, scriptInputs(end, hosts.answer(`10.0.${i}.${end.length}`, script))];
      }),
    ),
  );
  const resources = steps.map(({ urn: of, type, parent, custom }) => {
    const known = inputs[of.split("::")[3] ?? ""];
    return { ...{ urn: of, type, parent, custom }, ...(known && { inputs: known }) };
  });
  const state = { deployment: { resources } } as State;
  return {
    ...{ folder, backend: `file://${folder}`, name: "t", qualifiedName: "organization/vnfm/t" },
    plainState: () => Promise.resolve(state),
  } as unknown as PulumiStack;
}

const finding = (name: string, wayOut: Finding["wayOut"] = "mend"): Finding => {
  const [key = "", step = ""] = name.split(/-(?=[a-z]+$)/);
  const place = { vnf: "vnf-a", vnfc: key, step, urn: urn(COMMAND, `vnf-a-${name}`) };
  return { ...place, kind: "differs", wayOut, text: `${step} differs` };
};
const ALL = WORKERS.flatMap((key) => [finding(`${key}-labels`), finding(`${key}-prepare`)]);

/** Mends these findings. @returns the result with the events' texts, without their seconds */
async function mended(stack: PulumiStack, findings: readonly Finding[], options: RunOptions = {}) {
  const events: string[] = [];
  const onEvent: RunOptions["onEvent"] = ({ text }) => events.push(text.replaceAll(/\d+ s\b/g, "N s"));
  const run = { verb: "mend", onEvent, ...options };
  try {
    return { ...(await mend(stack, { checks: findings.length, findings, snapshots: [] }, run)), events };
  } catch (error) {
    return { error: error as Error, events };
  }
}

it("`vnfm mend` runs the scripts of the findings again as the last run did, those of a server in their order", async () => {
  const { events } = await mended(stackOf(), ALL);
  expect(ran().filter((line) => line.includes("workerNode-1"))).toEqual([
    "create workerNode-1 prepare",
    "create workerNode-1 labels",
  ]);
  expect(ran().filter((line) => line.includes("workerNode-2"))).toEqual([
    "create workerNode-2 prepare",
    "create workerNode-2 labels",
  ]);
  expect(events.slice(0, 5)).toEqual([
    "vnf-a: workerNode-1: labels differs",
    "vnf-a: workerNode-1: prepare differs",
    "vnf-a: workerNode-2: labels differs",
    "vnf-a: workerNode-2: prepare differs",
    [
      "vnf-a: workerNode-1: is prepared again",
      "vnf-a: workerNode-1: gets its labels and taints again",
      "vnf-a: workerNode-2: is prepared again",
      "vnf-a: workerNode-2: gets its labels and taints again",
      "nothing else changes",
    ].join("\n"),
  ]);
  expect(events.slice(5).sort()).toEqual([
    "vnf-a: workerNode-1: labels done (N s)",
    "vnf-a: workerNode-1: prepare done (N s)",
    "vnf-a: workerNode-2: labels done (N s)",
    "vnf-a: workerNode-2: prepare done (N s)",
  ]);
});

it("`vnfm mend` leaves what no script mends, and runs nothing for it", async () => {
  const member = finding("workerNode-1-member", "heal");
  expect(await mended(stackOf(), [member])).toMatchObject({ left: [member], changes: [] });
  expect(await mended(stackOf(), [member, finding("workerNode-2-labels")])).toMatchObject({ left: [member] });
  expect(ran()).toEqual(["create workerNode-2 labels"]);
});

it("`vnfm mend` ends a server's scripts at the first that fails, with its reason, and not those of other servers", async () => {
  const ends = { "vnf-a-workerNode-1-prepare": "echo 'the disk is full' >&2; exit 1" };
  const { error, events } = (await mended(stackOf(ends), ALL)) as { error: Error; events: string[] };
  expect(error.message).toBe("vnf-a: workerNode-1: step prepare: the disk is full");
  expect(ran().sort()).toEqual([
    "create workerNode-1 prepare",
    "create workerNode-2 labels",
    "create workerNode-2 prepare",
  ]);
  expect(events).toContain("vnf-a: workerNode-1: prepare is not done, FAILED after N s");
});

it("`vnfm mend` says all that a script printed about its failure, and what was to change", async () => {
  const ends = { "vnf-a-workerNode-1-prepare": "printf 'line 1\\n\\nsee above\\n' >&2; exit 1" };
  const { error } = (await mended(stackOf(ends), [finding("workerNode-1-prepare")])) as { error: Error };
  expect(error).toMatchObject({
    message: "vnf-a: workerNode-1: step prepare: line 1\nsee above",
    preview: { changes: [{ text: "workerNode-1: is prepared again" }] },
  });
});

it("`vnfm mend` runs the scripts with the data that another run has left before the confirmation", async () => {
  const stack = stackOf();
  const { deployment } = await stack.plainState();
  const inputs = scriptInputs("labels", hosts.answer("10.0.9.9", `echo later >>${folder}/ran`));
  const differing = finding("workerNode-1-labels");
  const later = (deployment.resources ?? []).map((one) =>
    one.urn === differing.urn ? { ...one, inputs } : one,
  );
  const confirm = () => {
    stack.plainState = () => Promise.resolve({ deployment: { resources: later } });
    return true;
  };
  await mended(stack, [differing], { confirm });
  expect(ran()).toEqual(["later"]);
});

it("`vnfm mend` runs the scripts of eight servers at a time", async () => {
  const workers = Array.from({ length: 10 }, (_, i) => `workerNode-${i + 1}`);
  const wait = `ls ${folder} | grep -c ^running >>${folder}/counts; sleep 1; rm ${folder}/running-$$`;
  const ends = workers.map((key) => [`vnf-a-${key}-labels`, `touch ${folder}/running-$$; ${wait}`]);
  const findings = workers.map((key) => finding(`${key}-labels`));
  await mended(stackOf(Object.fromEntries(ends) as Record<string, string>, workers), findings);
  expect(ran()).toHaveLength(10);
  const counts = readFileSync(join(folder, "counts"), "utf8").trim().split("\n").map(Number);
  expect(Math.max(...counts)).toBeLessThanOrEqual(8);
});

it("`vnfm mend` reads no state where no script mends anything", async () => {
  const stack = stackOf();
  stack.plainState = () => Promise.reject(new Error("read"));
  const member = finding("workerNode-1-member", "heal");
  expect(await mended(stack, [member])).toMatchObject({ left: [member], changes: [], stays: {} });
});

it("`vnfm mend` runs nothing without a confirmation", async () => {
  const { error } = (await mended(stackOf(), ALL, { confirm: () => false })) as { error: Error };
  expect(error).toBeInstanceOf(RefusedFault);
  expect(ran()).toEqual([]);
});

it("`vnfm mend` has nothing left to go on with if it is to stop during the last script", async () => {
  const stop = new AbortController();
  const onEvent: RunOptions["onEvent"] = ({ kind }) => {
    if (kind === "step") stop.abort();
  };
  const some = [finding("workerNode-1-labels")];
  expect(await mended(stackOf(), some, { onEvent, signal: stop.signal })).toMatchObject({ left: [] });
});

it("`vnfm mend` begins no further script once it is to stop", async () => {
  const stop = new AbortController();
  const onEvent: RunOptions["onEvent"] = ({ kind }) => {
    if (kind === "step") stop.abort();
  };
  const some = ALL.filter(({ vnfc: key }) => key === "workerNode-1");
  const { error } = (await mended(stackOf(), some, { onEvent, signal: stop.signal })) as { error: Error };
  expect(error.message).toBe("stopped: 'vnfm mend' goes on");
  expect(ran()).toEqual(["create workerNode-1 prepare"]);
});
