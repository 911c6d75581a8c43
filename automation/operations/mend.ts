import { previewOf } from "../changes/changes";
import { eventOfEnd } from "../changes/progress";
import { inParallel, runScript } from "../checks/ask";
import type { CheckReport } from "../checks/check";
import { describeFinding } from "../checks/check-words";
import { linesOf, type Finding } from "../checks/checks";
import type { ProgramResult } from "../checks/run-program";
import { emit, isStopping, type Run } from "../run";
import { EngineFault } from "../stack/engine-run";
import { assertFree } from "../stack/lock";
import { Places } from "../stack/places";
import type { PulumiStack } from "../stack/pulumi";
import { StackState, type Script } from "../stack/stack-state";
import type { Step } from "../stack/steps";
import { assertConfirmed, outcomeOf, type Outcome } from "./operation";
import type { OperationPreview } from "../changes/changes";

/** Result of `mend`. */
export interface Mended extends Outcome {
  /** Findings that no script can fix. */
  readonly left: readonly Finding[];
}

/** Some scripts failed or did not run; contains the message of each. */
export class MendFault extends EngineFault {
  constructor(
    messages: readonly string[],
    readonly preview: OperationPreview,
  ) {
    super(messages);
  }
}

/** Time limit of a script in minutes, as in an update. */
const LIMIT = 30;

/**
 * Runs the scripts again that have found a difference, with the data of the last run. Pulumi does not run, so an edit
 * of the stack config waits for the next update, and nothing else changes.
 * @throws HeldFault if another run has locked the stack, RefusedFault without a confirmation, MendFault unless all
 * scripts have succeeded
 */
export async function mend(stack: PulumiStack, { findings }: CheckReport, run: Run): Promise<Mended> {
  const begin = Date.now();
  for (const finding of findings) emit(run, { kind: "finding", finding, text: describeFinding(finding) });
  const left = findings.filter(({ wayOut }) => wayOut !== "mend");
  const urns = new Set(findings.filter((one) => !left.includes(one)).map(({ urn }) => urn));
  if (urns.size === 0) return { ...outcomeOf(AS_IT_IS, begin), left };
  const { steps: known } = new StackState(await stack.plainState());
  const steps = known.map((step) => (urns.has(step.urn) ? { ...step, op: "update" } : step));
  const preview = { ...AS_IT_IS, ...previewOf(steps) };
  await assertConfirmed(preview, run);
  await assertFree(stack);
  // another run may have changed the data since the preview
  const scripts = new StackState(await stack.plainState()).scripts().filter(({ urn }) => urns.has(urn));
  const messages = await runAgain(scripts, steps, run);
  if (messages.length > 0) throw new MendFault(messages, preview);
  return { ...outcomeOf(preview, begin), left };
}

/** A preview without changes. */
const AS_IT_IS: OperationPreview = { changes: [], stays: {}, warnings: [], unrequested: [] };

/**
 * Runs the scripts of a VNFC in the order of the state, those of several VNFCs at the same time.
 * @param steps of the whole stack
 * @returns the message of each script that failed, and one if it is stopped before the last script
 */
async function runAgain(
  scripts: readonly Script[],
  steps: readonly Step[],
  run: Run,
): Promise<readonly string[]> {
  const places = new Places(steps);
  const report = (script: Script, isDone: boolean, seconds: number): void => {
    const step = steps.find(({ urn }) => urn === script.urn);
    const event = step && eventOfEnd({ ...step, ...places.of(step) }, isDone, seconds);
    if (event !== undefined) emit(run, event);
  };
  const servers = [...new Set(scripts.map(serverOf))];
  const failures = await inParallel(servers, (server) => {
    const own = scripts.filter((one) => serverOf(one) === server);
    return runInOrder(own, report, run);
  });
  return [...new Set(failures.flat())];
}

/** Name of a script's VNFC for messages. */
function serverOf({ vnf, vnfc }: Script): string {
  return vnfc === undefined ? vnf : `${vnf}: ${vnfc}`;
}

/**
 * Runs scripts until one fails.
 * @returns the reason if some did not run, or failed
 */
async function runInOrder(
  scripts: readonly Script[],
  report: (script: Script, isDone: boolean, seconds: number) => void,
  run: Run,
): Promise<readonly string[]> {
  for (const script of scripts) {
    if (isStopping(run)) return ["stopped: 'vnfm mend' goes on"];
    const begin = Date.now();
    const answer = await runScript(script, "create", LIMIT * 60);
    report(script, answer.status === 0, Math.round((Date.now() - begin) / 1000));
    if (answer.status !== 0) return [`${serverOf(script)}: step ${script.step}: ${whyFailed(answer)}`];
  }
  return [];
}

function whyFailed({ status, stderr }: ProgramResult): string {
  if (status === undefined) return `it has not ended after ${LIMIT} minutes`;
  const lines = linesOf(stderr);
  return lines.length > 0 ? lines.join("\n") : `it ended with status ${status}`;
}
