import { previewOf } from "../changes/changes";
import { eventOfEnd } from "../changes/progress";
import { runScript } from "../checks/ask";
import type { CheckReport } from "../checks/check";
import { sayFinding } from "../checks/check-words";
import { linesOf, type Finding } from "../checks/checks";
import type { Answer } from "../checks/run-program";
import { Fault } from "../fault";
import { isStopping, tell, type Run } from "../run";
import { EngineFault } from "../stack/engine-run";
import { assertFree } from "../stack/lock";
import { Places } from "../stack/places";
import type { PulumiStack } from "../stack/pulumi";
import { StackState, type Script } from "../stack/stack-state";
import type { Step } from "../stack/steps";
import { assertConfirmed, outcomeOf, type Outcome } from "./operation";

/** Result of `mend`. */
export interface Mended extends Outcome {
  /** Findings that no script can fix. */
  readonly left: readonly Finding[];
}

/** Time limit of a script, in minutes; the same as that of a step of the engine. */
const LIMIT = 30;

/**
 * Runs the scripts again that have found a difference, with the data of the last run. The engine is not used: an edit of
 * the stack config waits for the next run, and nothing else changes.
 * @throws HeldFault if another run has locked the stack, RefusedFault without a confirmation, Fault with the message of
 * each script that failed
 */
export async function mend(stack: PulumiStack, { findings }: CheckReport, run: Run): Promise<Mended> {
  const begin = Date.now();
  for (const finding of findings) tell(run, { kind: "finding", finding, text: sayFinding(finding) });
  const left = findings.filter(({ wayOut }) => wayOut !== "mend");
  const urns = new Set(findings.filter((one) => !left.includes(one)).map(({ urn }) => urn));
  if (urns.size === 0) return { changes: [], stays: {}, warnings: [], unasked: [], seconds: 0, left };
  const state = new StackState(await stack.plainState());
  const steps = state.steps.map((step) => (urns.has(step.urn) ? { ...step, op: "update" } : step));
  const preview = { ...previewOf(steps), warnings: [], unasked: [] };
  await assertConfirmed(preview, run);
  await assertFree(stack);
  const scripts = state.scripts().filter(({ urn }) => urns.has(urn));
  await runAgain(scripts, steps, run);
  return { ...outcomeOf(preview, begin), left };
}

/**
 * Runs the scripts of a VNFC in the order of the state, those of several VNFCs at the same time.
 * @param steps of the whole stack
 */
async function runAgain(scripts: readonly Script[], steps: readonly Step[], run: Run): Promise<void> {
  const places = new Places(steps);
  const report = (script: Script, isDone: boolean, seconds: number): void => {
    const step = steps.find(({ urn }) => urn === script.urn);
    const event = step && eventOfEnd({ ...step, ...places.of(step) }, isDone, seconds);
    if (event !== undefined) tell(run, event);
  };
  const servers = [...new Set(scripts.map(serverOf))];
  const failures = await Promise.all(
    servers.map((server) =>
      runInOrder(
        scripts.filter((one) => serverOf(one) === server),
        report,
        run,
      ),
    ),
  );
  const messages = failures.flat();
  if (messages.length > 0) throw new EngineFault(messages);
  if (isStopping(run)) throw new Fault("stopped: 'vnfm mend' goes on");
}

/** The VNFC of a script, in words. */
function serverOf({ vnf, vnfc }: Script): string {
  return vnfc === undefined ? vnf : `${vnf}: ${vnfc}`;
}

/**
 * Runs scripts until one fails.
 * @returns the message of that one
 */
async function runInOrder(
  scripts: readonly Script[],
  report: (script: Script, isDone: boolean, seconds: number) => void,
  run: Run,
): Promise<readonly string[]> {
  for (const script of scripts) {
    if (isStopping(run)) return [];
    const begin = Date.now();
    const answer = await runScript(script, "create", LIMIT * 60);
    report(script, answer.status === 0, Math.round((Date.now() - begin) / 1000));
    if (answer.status !== 0) return [`${serverOf(script)}: step ${script.step}: ${whyFailed(answer)}`];
  }
  return [];
}

function whyFailed({ status, stderr }: Answer): string {
  if (status === undefined) return `it has not ended after ${LIMIT} minutes`;
  return linesOf(stderr).at(-1) ?? `it ended with status ${status}`;
}
