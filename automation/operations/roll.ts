import { describeChange, type Change } from "../changes/changes";
import { Fault } from "../fault";
import { isStopping, emit, type Run } from "../run";
import { assertFree } from "../stack/lock";
import { whenFree } from "../stack/when-free";
import {
  ApplyFault,
  apply,
  assertConfirmed,
  outcomeOf,
  tryOut,
  type Operation,
  type Outcome,
  type Tried,
} from "./operation";
import { assertStackStays } from "./guard";
import { Moment } from "../stack/moment";
import type { PulumiStack } from "../stack/pulumi";

/** One of the runs of a roll. */
export interface RollStep extends Pick<Operation, "edits" | "allowance" | "warnings"> {
  /** Short description. */
  readonly what: string;
}

/** Options of a roll. */
export interface Roll extends Run {
  /**
   * True if the preview before the first run shows all runs as one. False if a run can be previewed only after the
   * previous one; the preview then shows the first run. @default true
   */
  readonly isPreviewedWhole?: boolean;
}

/**
 * Runs operations one after the other, each previewed and applied by itself. The operator confirms all of them before
 * the first. The roll stops if one fails.
 * @param plan returns the remaining operations for settings and state, so that the same roll continues after a failure
 * @throws as `operate` does; after the first run, ApplyFault for any error of the next one
 */
export async function roll(
  stack: PulumiStack,
  plan: (now: Moment) => readonly RollStep[] | Promise<readonly RollStep[]>,
  { isPreviewedWhole = true, ...run }: Roll,
): Promise<Outcome> {
  const begin = Date.now();
  await assertFree(stack);
  const steps = await plan(await Moment.of(stack));
  const tried = await tryOut(stack, wholeOf(isPreviewedWhole ? steps : steps.slice(0, 1)), run.signal);
  const runs = steps.map(({ what }, i) => `run ${i + 1} of ${steps.length}: ${what}`);
  const preview = { ...tried.preview, runs };
  await assertConfirmed(preview, run);
  const isOfOne = !isPreviewedWhole || steps.length === 1;
  const isWhole = isPreviewedWhole || steps.length === 1;
  if (isWhole && preview.changes.length === 0 && tried.text === tried.file.text)
    return outcomeOf(preview, begin);
  for (const [i, step] of steps.entries()) {
    if (isStopping(run))
      throw new Fault(`stopped before ${step.what}: run the same command again to continue`);
    emit(run, { kind: "run", number: i + 1, of: steps.length, text: runs[i] ?? "" });
    // only the first run is confirmed; after waiting for another run, it is previewed again
    const confirmed = i === 0 && isOfOne ? [tried] : [];
    const work = () => runStep(stack, step, preview.unrequested, run, confirmed.pop());
    await whenFree(stack, run, work).catch((error: unknown) => {
      // after the first run, any error of the next one stops a roll that is under way
      if (!(error instanceof ApplyFault) && !(i > 0 && error instanceof Fault)) throw error;
      const [cause, what] =
        error instanceof ApplyFault ? [error.cause, "this was"] : [error, "everything is done before"];
      const advice = `${what} the run of ${step.what}; fix the cause, then run the same command again to continue`;
      throw new ApplyFault(cause, preview, advice);
    });
  }
  return outcomeOf(preview, begin);
}

/**
 * @param agreed deletions and replacements that the operator has confirmed, although the step does not request them
 * @param confirmed its preview, if there is one already
 */
async function runStep(
  stack: PulumiStack,
  step: RollStep,
  agreed: readonly Change[],
  run: Run,
  confirmed?: Tried,
): Promise<void> {
  await assertFree(stack);
  const tried = confirmed ?? (await tryOut(stack, step, run.signal));
  assertStackStays(tried.steps, step.allowance);
  const others = notAgreed(tried.preview.unrequested, agreed).map(describeChange);
  if (others.length > 0)
    throw new Fault(
      `stopped before ${step.what}, because changes that were not requested would delete or replace: ${others.join("; ")}. ` +
        "Apply them with 'pulumi up', or revert them in the stack config, then run the same command again",
    );
  await apply(stack, tried, run);
}

/** Joins all steps to one operation. If several edit one setting, the last edit counts. */
function wholeOf(steps: readonly RollStep[]): Operation {
  const [first, ...others] = steps;
  if (first === undefined) throw new Error("a roll has a step at least");
  if (others.length === 0) return first;
  return {
    edits: steps.flatMap(({ edits }) => edits),
    allowance: {
      ...first.allowance,
      actions: ["replace", "delete"],
      mayGo: (change) => steps.some(({ allowance }) => allowance.mayGo(change)),
    },
    warnings: steps.flatMap(({ warnings = [] }) => warnings),
  };
}

/** The changes that are not among the confirmed ones, by subject and action. */
export function notAgreed(changes: readonly Change[], agreed: readonly Change[]): readonly Change[] {
  const known = new Set(agreed.map(keyOf));
  return changes.filter((change) => !known.has(keyOf(change)));
}

function keyOf({ action, subject }: Change): string {
  const { vnf, vnfc, kind, key } = subject;
  return JSON.stringify([action, vnf, vnfc, kind, key]);
}
