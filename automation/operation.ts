import { previewOf, sayChange, type Change, type Preview } from "./changes";
import { ConfigFile } from "./config-file";
import { Engine } from "./engine";
import { Fault } from "./fault";
import { unasked, type Allowance } from "./guard";
import { assertFree, HeldFault } from "./lock";
import { Places } from "./places";
import { Progress } from "./progress";
import type { PulumiStack } from "./pulumi";
import { editText, type Edit, type Vnfs } from "./stack-config";

/** An edit of the stack config, and what of the present state it is meant to cost. */
export interface Operation {
  readonly edits: readonly Edit[];
  readonly allowance: Allowance;
  /** URNs of scripts that run again though nothing about them changes. @default none */
  readonly rerun?: readonly string[];
}

/** Who runs an operation. */
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
}

/** What an operation will change. */
export interface OperationPreview extends Preview {
  /** Those of the changes that delete or replace what the operation does not mean to. */
  readonly unasked: readonly Change[];
  /** What the operator should know though it is no fault. */
  readonly warnings: readonly string[];
}

/** How an operation ended, where nothing failed. */
export interface Outcome extends OperationPreview {
  /** Refused: nothing is changed, neither the stack nor its config. */
  readonly result: "done" | "refused";
  readonly seconds: number;
}

/** The apply failed; the edited stack config stays, so that the next run goes on from there. */
export class ApplyFault extends Fault {
  constructor(
    cause: Error,
    readonly preview: OperationPreview,
  ) {
    super(`${cause.message}\nthe stack config stays as edited: the next run, or 'pulumi up', goes on`);
  }
}

/**
 * Edits the stack config, previews, asks and applies. The edit is tried out in a file of its own: until the
 * answer is yes the stack config is as it was.
 *
 * @param plan the operation, from the present `vnfm:vnfs`
 * @throws HeldFault if another run holds the stack, ApplyFault if the apply failed, Fault if what is wrong was
 * found before anything was changed
 */
export async function operate(
  stack: PulumiStack,
  plan: (vnfs: Vnfs) => Operation,
  { confirm = asksNothing, report = () => undefined, signal }: Conduct,
): Promise<Outcome> {
  const begin = Date.now();
  assertFree(stack);
  const { edits, allowance, rerun = [] } = plan(await stack.vnfs());
  const file = new ConfigFile(process.cwd(), stack.name);
  const text = editText(file.text, edits);
  const engine = await Engine.open(stack);
  const { steps, warnings } = await file.tryOut(text, (path) => engine.preview(path, rerun, signal));
  const seen = previewOf(steps, rerun);
  const preview = { ...seen, warnings, unasked: unasked(seen.changes, allowance) };
  const ended = (result: Outcome["result"]): Outcome => {
    return { ...preview, result, seconds: (Date.now() - begin) / 1000 };
  };
  if (!(await confirm(preview))) return ended("refused");
  if (signal?.aborted) throw new Fault("stopped; nothing is changed");

  assertFree(stack);
  file.write(text);
  if (preview.changes.length === 0) return ended("done");
  const progress = new Progress(new Places(steps), report);
  try {
    await engine.up((event) => progress.see(event), rerun, signal);
  } catch (error) {
    // somebody was faster, and works with the config that there was
    if (error instanceof HeldFault) file.putBack(text);
    if (error instanceof HeldFault || !(error instanceof Fault)) throw error;
    throw new ApplyFault(error, preview);
  }
  return ended("done");
}

function asksNothing(preview: OperationPreview): Promise<boolean> {
  return Promise.resolve(preview.unasked.length === 0);
}

/** What is deleted or replaced though nobody asked for it, as lines. */
export function sayUnasked({ unasked: changes }: OperationPreview): readonly string[] {
  return changes.map((change) => `NOT ASKED FOR: ${sayChange(change)}`);
}
