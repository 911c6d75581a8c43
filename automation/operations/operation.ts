import { printableLine } from "../../components/base/printable";
import { whyNotMade } from "../../components/preflight/server-errors";
import { OpenStack } from "../../components/openstack/session";
import { previewOf, sayChange, sayPreview, type Change, type Preview } from "../changes/changes";
import { assertHasVnfs, ConfigFile } from "../stack/config-file";
import { Fault } from "../fault";
import { AS_DECLARED, assertStackStays, unasked, type Allowance } from "./guard";
import { isStopping, tell, type Run } from "../run";
import { EngineFault } from "../stack/engine-run";
import { assertFree, environmentFor, HeldFault } from "../stack/lock";
import { Places } from "../stack/places";
import { Moment } from "../stack/moment";
import { Progress } from "../changes/progress";
import type { EngineRun, PulumiStack } from "../stack/pulumi";
import { editText } from "../stack/config-text";
import { sealed } from "../stack/sealed";
import type { Edit } from "../stack/stack-config";
import { StackState } from "../stack/stack-state";
import type { Step } from "../stack/steps";
import { replicasByHand } from "./replicas-by-hand";
import { volumesInUse } from "./volumes-in-use";
import { waysOut } from "./ways-out";

/** An edit of the stack config, and what it may delete or replace. */
export interface Operation {
  readonly edits: readonly Edit[];
  readonly allowance: Allowance;
  /** URNs of scripts that run again though nothing about them changes. @default none */
  readonly rerun?: readonly string[];
  /** What the engine and its plugins find in their environment. @default nothing more */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * What is to be done right before the apply, once it is confirmed.
   *
   * @returns what a fault before the first step says of it too
   * @default nothing
   */
  readonly prepare?: Prepare;
  /** What the operator should know of it. @default none */
  readonly warnings?: readonly string[];
}

type Prepare = (run: Run) => Promise<string | undefined>;

/** What an operation will change. */
export interface OperationPreview extends Preview {
  /** Those of the changes that delete or replace what the operation does not mean to. */
  readonly unasked: readonly Change[];
  /** What the operator should know though it is no fault. */
  readonly warnings: readonly string[];
  /** Where it is done in several runs: these, one after the other, as lines. */
  readonly runs?: readonly string[];
}

/** How an operation ended that was done. */
export interface Outcome extends OperationPreview {
  readonly seconds: number;
}

/** It was not confirmed: nothing is changed, neither the stack nor its config. */
export class RefusedFault extends Fault {
  constructor(readonly preview: OperationPreview) {
    const why =
      preview.unasked.length > 0
        ? "what was not asked for would be deleted or replaced"
        : "the answer was no";
    super(`refused, ${why}: nothing is changed`);
  }

  override get faults(): readonly string[] {
    const { unasked } = this.preview;
    return unasked.length > 0 ? unasked.map(sayChange) : super.faults;
  }
}

/** The apply failed; the edited stack config stays, so that the next run goes on from there. */
export class ApplyFault extends Fault {
  /** @param advice how to go on */
  constructor(
    override readonly cause: Fault,
    readonly preview: OperationPreview,
    advice = "the next run, or 'pulumi up', goes on",
  ) {
    super(`${cause.message}\nthe stack config stays as edited: ${advice}`);
  }

  override get faults(): readonly string[] {
    return this.cause.faults;
  }
}

/** An operation that was tried out; the stack config is as it was. */
export interface Tried {
  readonly preview: OperationPreview;
  readonly steps: readonly Step[];
  readonly engine: Required<Pick<EngineRun, "replace" | "env">>;
  readonly prepare: Prepare;
  readonly file: ConfigFile;
  /** The file's edited text. */
  readonly text: string;
}

/**
 * Edits the stack config, previews, asks and applies. The edit is tried out in a file of its own: until the
 * answer is yes the stack config is as it was.
 *
 * @param plan the operation, from settings and state; it may ask the cluster
 * @throws HeldFault if another run holds the stack, RefusedFault if it is not confirmed, ApplyFault if the apply failed,
 * Fault if what is wrong was found before anything was changed
 */
export async function operate(
  stack: PulumiStack,
  plan: (now: Moment) => Operation | Promise<Operation>,
  run: Run,
): Promise<Outcome> {
  const begin = Date.now();
  await assertFree(stack);
  const operation = await plan(await Moment.of(stack));
  const tried = await tryOut(stack, operation, run.signal);
  assertStackStays(tried.steps, operation.allowance);
  await assertConfirmed(tried.preview, run);
  await apply(stack, tried, run);
  return outcomeOf(tried.preview, begin);
}

/**
 * Applies the stack config as it is.
 *
 * @throws as `operate` does
 */
export function up(stack: PulumiStack, run: Run): Promise<Outcome> {
  return operate(stack, () => ({ edits: [], allowance: AS_DECLARED }), run);
}

/** Shows what will change, and asks. @throws RefusedFault where the answer is no */
export async function assertConfirmed(preview: OperationPreview, run: Run): Promise<void> {
  const { confirm = ({ unasked }) => unasked.length === 0 } = run;
  tell(run, { kind: "preview", preview, text: sayOperation(preview).join("\n") });
  if (!(await confirm(preview))) throw new RefusedFault(preview);
}

/** @param begin in milliseconds, as Date has it */
export function outcomeOf(preview: OperationPreview, begin: number): Outcome {
  return { ...preview, seconds: (Date.now() - begin) / 1000 };
}

/** Previews an operation. @throws Fault if it cannot be done */
export async function tryOut(
  stack: PulumiStack,
  {
    edits,
    allowance,
    rerun = [],
    env = {},
    prepare = () => Promise.resolve(undefined),
    warnings: known = [],
  }: Operation,
  signal?: AbortSignal,
): Promise<Tried> {
  const file = new ConfigFile(stack.configFile);
  if (edits.length > 0) assertHasVnfs(file, stack.folder);
  const text = editText(file.text, await sealed(stack, file, edits));
  const engine = { replace: rerun, env };
  const { steps, warnings } = await file.tryOut(text, (configFile) =>
    stack.preview({ ...engine, configFile, signal }),
  );
  const seen = previewOf(steps, rerun);
  let read: Promise<StackState> | undefined;
  const state = () => (read ??= stack.plainState().then((its) => new StackState(its)));
  const [inUse, byHand] = await Promise.all([
    volumesInUse(steps, state, signal),
    replicasByHand(steps, state),
  ]);
  const preview = {
    ...seen,
    warnings: [...known, ...warnings, ...inUse, ...byHand],
    unasked: unasked(seen.changes, allowance),
  };
  return { preview, steps, engine, prepare, file, text };
}

/**
 * Writes the stack config, and has the engine make the cloud and the clusters match it.
 *
 * @throws as `operate` does
 */
export async function apply(
  stack: PulumiStack,
  { preview, steps, engine, prepare, file, text }: Tried,
  run: Run,
): Promise<void> {
  assertGoesOn(run);
  await assertFree(stack);
  const prepared = await prepare(run);
  try {
    // `prepare` may have taken minutes
    assertGoesOn(run);
    await assertFree(stack);
    file.write(text);
  } catch (error) {
    throw withMore(error, prepared);
  }
  if (preview.changes.length === 0) return;
  const progress = new Progress(new Places(steps), (event) => tell(run, event));
  const env = { ...engine.env, ...environmentFor(run.verb) };
  try {
    await stack.up((event) => progress.see(event), { ...engine, env, signal: run.signal });
  } catch (error) {
    // somebody was faster, and works with the config that there was
    if (error instanceof HeldFault) file.putBack(text);
    if (error instanceof HeldFault || !(error instanceof Fault)) throw withMore(error, prepared);
    throw new ApplyFault(await explained(error, stack), preview);
  }
}

function assertGoesOn(run: Run): void {
  if (isStopping(run)) throw new Fault("stopped before the apply");
}

/** The same fault, with what the cloud says of it and what the operator can do about it. */
async function explained(fault: Fault, stack: PulumiStack): Promise<Fault> {
  if (!(fault instanceof EngineFault)) return fault;
  const cloud = OpenStack.whenNeeded(() => stack.cloud());
  const said = [...fault.faults, ...(await whyNotMade(fault.message, cloud))];
  return new EngineFault([...said, ...waysOut(said.join("\n"))]);
}

/** The same fault, with a line more in its message. */
function withMore(error: unknown, more: string | undefined): unknown {
  if (error instanceof Fault && more !== undefined) error.message += `\n${more}`;
  return error;
}

/** An operation's preview, with all that is to be known of it, as lines. */
export function sayOperation(preview: OperationPreview): readonly string[] {
  const { warnings, runs = [], unasked: others } = preview;
  const notAskedFor = others.map((change) => `NOT ASKED FOR: ${sayChange(change)}`);
  return [
    ...warnings.map((warning) => `warning: ${warning}`),
    ...[...sayPreview(preview), ...runs, ...notAskedFor].map(printableLine),
  ];
}
