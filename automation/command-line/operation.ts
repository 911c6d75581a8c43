import { findingOf } from "../../components/base/findings";
import type { Change } from "../changes/changes";
import { findingsOf } from "../changes/preview-document";
import { describeFinding } from "../checks/check-words";
import { asFault, Fault, UsageFault } from "../fault";
import { MendFault, type Mended } from "../operations/mend";
import { ApplyFault, RefusedFault, type Outcome } from "../operations/operation";
import type { OperationPreview } from "../changes/changes";
import type { RunOptions } from "../run";
import { HeldFault } from "../stack/lock";
import type { VnfmStack } from "../vnfm-stack";
import { EXIT } from "./exit-status";
import { openStack, stopSignal } from "./stack";
import { assertAnswerable, confirm, print, printLines, writeJson, type Talk } from "./terminal";

/** A call of a command that changes a stack, with its options. */
interface Call extends Talk {
  readonly stack?: string | undefined;
  readonly vnf?: string;
  /** Time to wait for another run, in seconds. */
  readonly wait: number;
}

/** Result of a finished operation. */
type Ended = Outcome & Partial<Pick<Mended, "left">>;

/**
 * Runs an operation for a person or a pipeline: shows the preview, asks for confirmation, and prints the result.
 * @param command the verb
 * @returns the exit status
 */
export async function runOperation(
  command: string,
  call: Call,
  operation: (stack: VnfmStack, options: RunOptions) => Promise<Ended>,
): Promise<number> {
  const begin = Date.now();
  const report = (result: string, preview: Partial<OperationPreview>, more: object): void => {
    if (!call.json) return;
    const { changes = [], unrequested = [] } = preview;
    writeJson({ command, vnf: call.vnf, result, changes: marked(changes, unrequested), ...more });
  };
  try {
    assertAnswerable(call);
    const { seconds, left, ...preview } = await operation(await openStack(call.stack), optionsOf(call));
    report("done", preview, { seconds, warnings: preview.warnings.map(findingOf), left });
    if (!call.json) describeResult(call, seconds, left);
    return (left ?? []).length === 0 ? EXIT.done : EXIT.differs;
  } catch (thrown) {
    const error = asFault(thrown);
    if (error instanceof RefusedFault) {
      const { preview, message } = error;
      const warnings = preview.warnings.map(findingOf);
      report("refused", preview, { seconds: (Date.now() - begin) / 1000, warnings });
      if (!call.json) print(call, message);
      return EXIT.refused;
    }
    if (error instanceof Fault && !(error instanceof UsageFault)) {
      const { message } = error;
      const preview = error instanceof ApplyFault || error instanceof MendFault ? error.preview : {};
      const more = { message, findings: findingsOf(error instanceof ApplyFault ? error.cause : error) };
      report(error instanceof HeldFault ? "held" : "failed", preview, more);
    }
    throw error;
  }
}

function optionsOf(talk: Call): RunOptions {
  const signal = stopSignal(() =>
    print(
      talk,
      "stopping after the current steps; press again to end them too, 'vnfm recover' is then needed",
    ),
  );
  return {
    confirm: (preview) => confirm(talk, preview),
    onEvent: ({ text }) => printLines(talk, text),
    signal,
    wait: talk.wait,
  };
}

function describeResult(talk: Talk, seconds: number, left: Mended["left"] = []): void {
  print(talk, `done in ${Math.round(seconds)} s`);
  for (const finding of left) print(talk, `not repaired: ${describeFinding(finding)}`);
}

function marked(
  changes: readonly Change[],
  unrequested: readonly Change[],
): readonly (Change & { readonly requested: boolean })[] {
  return changes.map((change) => ({ ...change, requested: !unrequested.includes(change) }));
}
