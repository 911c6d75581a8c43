import { whyNotMade } from "../../components/preflight/server-errors";
import { OpenStack } from "../../components/openstack/session";
import { previewOf, sayChange, type Change, type Preview } from "../changes/changes";
import { ConfigFile } from "../stack/config-file";
import { Fault } from "../fault";
import { unasked, type Allowance } from "./guard";
import { assertFree, HeldFault } from "../stack/lock";
import { Places } from "../changes/places";
import { Progress } from "../changes/progress";
import type { EngineRun, PulumiStack } from "../stack/pulumi";
import { editText } from "../stack/config-text";
import type { Edit, StackSettings } from "../stack/stack-config";
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

type Prepare = (conduct: Conduct) => Promise<string | undefined>;

/** How whoever runs an operation answers, hears of it and ends it. */
export interface Conduct {
  /**
   * Whether to apply what was previewed.
   *
   * @default only if nothing is deleted or replaced that was not asked for
   */
  readonly confirm?: (preview: OperationPreview) => Promise<boolean>;
  /** Gets a line for each thing that is done. */
  readonly report?: (line: string) => void;
  /** Ends the run after the steps that are under way. */
  readonly signal?: AbortSignal;
  /** Whether nothing more is to begin: the engine has been told by others, such as the terminal. */
  readonly isStopping?: () => boolean;
}

/** Whether nothing more is to begin. */
export function isStopping({ signal, isStopping: isTold }: Conduct): boolean {
  return signal?.aborted === true || isTold?.() === true;
}

/** What an operation will change. */
export interface OperationPreview extends Preview {
  /** Those of the changes that delete or replace what the operation does not mean to. */
  readonly unasked: readonly Change[];
  /** What the operator should know though it is no fault. */
  readonly warnings: readonly string[];
  /** Where it is done in several runs: these, one after the other, as lines. */
  readonly runs?: readonly string[];
}

/** How an operation ended, where nothing failed. */
export interface Outcome extends OperationPreview {
  /** Refused: nothing is changed, neither the stack nor its config. */
  readonly result: "done" | "refused";
  readonly seconds: number;
}

/** The apply failed; the edited stack config stays, so that the next run goes on from there. */
export class ApplyFault extends Fault {
  /** @param advice how to go on */
  constructor(
    override readonly cause: Error,
    readonly preview: OperationPreview,
    advice = "the next run, or 'pulumi up', goes on",
  ) {
    super(`${cause.message}\nthe stack config stays as edited: ${advice}`);
  }
}

/** An operation that was tried out; the stack config is as it was. */
export interface Tried {
  readonly preview: OperationPreview;
  readonly steps: readonly Step[];
  readonly run: Required<Pick<EngineRun, "replace" | "env">>;
  readonly prepare: Prepare;
  readonly file: ConfigFile;
  /** The file's edited text. */
  readonly text: string;
}

/**
 * Edits the stack config, previews, asks and applies. The edit is tried out in a file of its own: until the
 * answer is yes the stack config is as it was.
 *
 * @param plan the operation, from the present settings; it may ask the cluster
 * @throws HeldFault if another run holds the stack, ApplyFault if the apply failed, Fault if what is wrong was
 * found before anything was changed
 */
export async function operate(
  stack: PulumiStack,
  plan: (settings: StackSettings) => Operation | Promise<Operation>,
  conduct: Conduct,
): Promise<Outcome> {
  const begin = Date.now();
  assertFree(stack);
  const tried = await tryOut(stack, await plan(await stack.settings()), conduct.signal);
  const { preview } = tried;
  const ended = (result: Outcome["result"]): Outcome => {
    return { ...preview, result, seconds: (Date.now() - begin) / 1000 };
  };
  if (!(await (conduct.confirm ?? asksNothing)(preview))) return ended("refused");
  if (isStopping(conduct)) throw new Fault("stopped before the apply");
  await apply(stack, tried, conduct);
  return ended("done");
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
  const text = editText(file.text, edits);
  const run = { replace: rerun, env };
  const { steps, warnings } = await file.tryOut(text, (configFile) =>
    stack.preview({ ...run, configFile, signal }),
  );
  const seen = previewOf(steps, rerun);
  const [inUse, byHand] = await Promise.all([
    volumesInUse(stack, steps, signal),
    replicasByHand(stack, steps),
  ]);
  const preview = {
    ...seen,
    warnings: [...known, ...warnings, ...inUse, ...byHand],
    unasked: unasked(seen.changes, allowance),
  };
  return { preview, steps, run, prepare, file, text };
}

/** Writes the stack config, and has the engine make the cloud and the clusters match it. */
async function apply(
  stack: PulumiStack,
  { preview, steps, run, prepare, file, text }: Tried,
  conduct: Conduct,
): Promise<void> {
  const { report = () => undefined, signal } = conduct;
  assertFree(stack);
  const prepared = await prepare(conduct);
  try {
    // `prepare` may have taken minutes
    if (isStopping(conduct)) throw new Fault("stopped before the apply");
    assertFree(stack);
    file.write(text);
  } catch (error) {
    throw withMore(error, prepared);
  }
  if (preview.changes.length === 0) return;
  const progress = new Progress(new Places(steps), report);
  try {
    await stack.up((event) => progress.see(event), { ...run, signal });
  } catch (error) {
    if (error instanceof Fault) {
      const connect = OpenStack.whenNeeded(() => stack.cloud());
      const said = [error.message, ...(await whyNotMade(error.message, connect))].join("\n");
      error.message = [said, ...waysOut(said)].join("\n");
    }
    // somebody was faster, and works with the config that there was
    if (error instanceof HeldFault) file.putBack(text);
    if (error instanceof HeldFault || !(error instanceof Fault)) throw withMore(error, prepared);
    throw new ApplyFault(error, preview);
  }
}

/** The same fault, with a line more in its message. */
function withMore(error: unknown, more: string | undefined): unknown {
  if (error instanceof Fault && more !== undefined) error.message += `\n${more}`;
  return error;
}

/** A `confirm` that says yes where nothing is deleted or replaced that was not asked for. */
export function asksNothing(preview: OperationPreview): Promise<boolean> {
  return Promise.resolve(preview.unasked.length === 0);
}

/** What is deleted or replaced though nobody asked for it, as lines. */
export function sayUnasked({ unasked: changes }: OperationPreview): readonly string[] {
  return changes.map((change) => `NOT ASKED FOR: ${sayChange(change)}`);
}
