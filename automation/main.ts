#!/usr/bin/env node
import { printable } from "../components/printable.cjs";
import { stackConfigSchema } from "../components/settings/stack-config-schema";
import { adopt } from "./adopt";
import { readArguments, type Invocation } from "./command-line/arguments";
import type { Change } from "./changes/changes";
import { check } from "./checks/check";
import { sayCheck, sayFinding } from "./checks/check-words";
import { asFault, Fault, UsageFault } from "./fault";
import { fillPackage } from "./cluster-api/fill-package";
import { heal } from "./operations/heal";
import { init } from "./init";
import { HeldFault } from "./stack/lock";
import { writeKubeconfig } from "./command-line/kubeconfig";
import { login } from "./command-line/login";
import { convertFiles } from "./magnum";
import { mend, type Mended } from "./operations/mend";
import { ApplyFault, type Conduct, type Outcome, type OperationPreview } from "./operations/operation";
import { PulumiStack } from "./stack/pulumi";
import { recover } from "./recovery/recover";
import { release } from "./operations/release";
import { rotate } from "./operations/rotate";
import { scale } from "./operations/scale";
import { status } from "./stack/status";
import { sayStatus } from "./command-line/status-words";
import { assertAnswerable, confirm, say, sayAll, type Talk } from "./command-line/terminal";
import { topology } from "./topology";
import { FORMATS } from "./topology/formats";
import { upgrade } from "./operations/upgrade";

/** Exit statuses. */
const DONE = 0;
const FAILED = 1;
const USAGE = 2;
const REFUSED = 3;
const HELD = 4;
const DIFFERS = 5;

type Run = Extract<
  Invocation,
  { readonly command: "scale" | "heal" | "rotate" | "upgrade" | "mend" | "release" | "adopt" }
>;
type Ended = Outcome & Partial<Pick<Mended, "left">>;

async function main(): Promise<number> {
  const invocation = readArguments(process.argv.slice(2));
  switch (invocation.command) {
    case "help":
      process.stdout.write(invocation.text);
      return DONE;
    case "recover":
      return recoverStack(invocation.stack);
    case "init": {
      const { request, stack } = invocation;
      assertAnswerable({ json: false, yes: request.yes });
      const tell = (line: string): void => say({ json: false }, line);
      for (const line of await init(await open(stack), request, tell)) tell(line);
      return DONE;
    }
    case "kubeconfig": {
      const { vnf, file } = invocation;
      await writeKubeconfig(await open(invocation.stack), vnf, file);
      say({ json: false }, `export KUBECONFIG=${file}`);
      return DONE;
    }
    case "package":
      for (const line of await fillPackage(invocation.request)) say({ json: false }, line);
      return DONE;
    case "schema":
      writeJson(stackConfigSchema());
      return DONE;
    case "convert":
      process.stdout.write(printable(convertFiles(invocation.files)));
      return DONE;
    case "ssh": {
      const { vnf, vnfc, run: command } = invocation;
      return login(await open(invocation.stack), vnf, vnfc, command);
    }
    case "status": {
      const found = await status(await open(invocation.stack), invocation.vnf);
      if (invocation.json) writeJson(found);
      else for (const line of sayStatus(found)) say(invocation, line);
      return DONE;
    }
    case "topology": {
      const found = await topology(await open(invocation.stack), stopSignal());
      for (const warning of found.warnings) sayAll({ json: true }, `warning: ${warning}`);
      for (const line of FORMATS[invocation.format](found)) say({ json: false }, line);
      return DONE;
    }
    case "check": {
      const { command, vnf } = invocation;
      const found = await check(await open(invocation.stack), vnf, stopSignal());
      if (invocation.json) writeJson({ command, vnf, ...found });
      else for (const line of sayCheck(found)) say(invocation, line);
      return found.findings.length === 0 ? DONE : DIFFERS;
    }
    default:
      return invocation.json ? runForJson(invocation) : run(invocation, (result) => end(invocation, result));
  }
}

async function recoverStack(name: string | undefined): Promise<number> {
  await recover(await open(name), (line) => say({ json: false }, line));
  return DONE;
}

/** Ends what is under way, so that its files go. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
  return stop.signal;
}

async function run(invocation: Run, ended: (outcome: Ended) => void): Promise<number> {
  assertAnswerable(invocation);
  const stack = await open(invocation.stack);
  const outcome = await operationOf(invocation, stack, conductOf(invocation));
  ended(outcome);
  if (outcome.result !== "done") return REFUSED;
  return (outcome.left ?? []).length === 0 ? DONE : DIFFERS;
}

async function operationOf(invocation: Run, stack: PulumiStack, conduct: Conduct): Promise<Ended> {
  switch (invocation.command) {
    case "scale":
      return scale(stack, invocation.vnf, invocation.levels, conduct);
    case "heal":
      return heal(stack, invocation.vnf, invocation.vnfcs, conduct);
    case "rotate":
      return rotate(stack, invocation.vnf, invocation.secrets, conduct);
    case "upgrade":
      return upgrade(stack, invocation.vnf, invocation.request, conduct);
    case "adopt":
      return adopt(stack, invocation.vnf, invocation.request, conduct);
    case "release":
      return release(stack, invocation.vnf, invocation.volumes, conduct);
    case "mend":
      return mend(stack, await check(stack, invocation.vnf, stopSignal()), conduct);
  }
}

function conductOf(talk: Talk): Conduct {
  const stop = new AbortController();
  let isInterrupted = false;
  // the terminal tells the engine of Ctrl-C by itself; it ends what is under way, and we wait for it
  process.on("SIGINT", () => {
    isInterrupted = true;
    say(talk, "stopping after the steps that are under way");
  });
  process.once("SIGTERM", () => stop.abort());
  return {
    confirm: (preview) => confirm(talk, preview),
    report: (line) => say(talk, line),
    signal: stop.signal,
    isStopping: () => isInterrupted,
  };
}

function end(talk: Talk, { result, seconds, unasked, left = [] }: Ended): void {
  const why =
    unasked.length > 0 ? "what was not asked for would be deleted or replaced" : "the answer was no";
  say(talk, result === "done" ? `done in ${Math.round(seconds)} s` : `refused, ${why}: nothing is changed`);
  for (const finding of left) say(talk, `not mended: ${sayFinding(finding)}`);
}

/** As `run`; how it ended is the one document on standard output, also where it failed. */
async function runForJson(invocation: Run): Promise<number> {
  const { command, vnf } = invocation;
  const about = { command, vnf };
  try {
    return await run(invocation, ({ result, seconds, left, ...preview }) =>
      writeJson({ ...about, result, seconds, changes: changesOf(preview), warnings: preview.warnings, left }),
    );
  } catch (thrown) {
    const error = asFault(thrown);
    if (!(error instanceof Fault) || error instanceof UsageFault) throw error;
    const result = error instanceof HeldFault ? "held" : "failed";
    const changes = error instanceof ApplyFault ? changesOf(error.preview) : [];
    writeJson({ ...about, result, changes, message: error.message });
    throw error;
  }
}

function changesOf({ changes, unasked }: OperationPreview): readonly (Change & { asked: boolean })[] {
  return changes.map((change) => ({ ...change, asked: !unasked.includes(change) }));
}

function writeJson(value: object): void {
  process.stdout.write(`${printable(JSON.stringify(value, undefined, 2))}\n`);
}

async function open(name: string | undefined): Promise<PulumiStack> {
  const stack = await PulumiStack.open(name);
  if (stack !== undefined) return stack;
  throw new UsageFault(
    name === undefined
      ? "no stack is selected: give --stack NAME"
      : `there is no stack ${name}: 'npm run pulumi -- stack init ${name}' makes it`,
  );
}

function statusOf(error: unknown): number {
  if (error instanceof HeldFault) return HELD;
  return error instanceof UsageFault ? USAGE : FAILED;
}

main().then(
  (exitStatus) => (process.exitCode = exitStatus),
  (thrown: unknown) => {
    const error = asFault(thrown);
    sayAll(
      { json: true },
      `vnfm: ${error instanceof Fault ? error.message : String((error as Error).stack)}`,
    );
    process.exit(statusOf(error)); // at once: other look-ups may still be waiting
  },
);
