import type { Change } from "../changes/changes";
import { sayFinding } from "../checks/check-words";
import { asFault, Fault, UsageFault } from "../fault";
import type { Mended } from "../operations/mend";
import { ApplyFault, type Conduct, type OperationPreview, type Outcome } from "../operations/operation";
import { HeldFault } from "../stack/lock";
import type { PulumiStack } from "../stack/pulumi";
import { EXIT } from "./exit-status";
import { openStack } from "./stack";
import { assertAnswerable, confirm, say, writeJson, type Talk } from "./terminal";

/** A command that changes a stack, as it was called. */
interface Call extends Talk {
  readonly stack?: string | undefined;
  readonly vnf?: string;
}

/** How an operation ended. */
type Ended = Outcome & Partial<Pick<Mended, "left">>;

/**
 * Runs an operation for a person or a pipeline: shows it, asks, and says how it ended.
 *
 * @param command the verb
 * @returns the exit status
 */
export function runOperation(
  command: string,
  call: Call,
  operation: (stack: PulumiStack, conduct: Conduct) => Promise<Ended>,
): Promise<number> {
  return call.json
    ? runForJson(command, call, operation)
    : run(call, operation, (outcome) => end(call, outcome));
}

async function run(
  call: Call,
  operation: (stack: PulumiStack, conduct: Conduct) => Promise<Ended>,
  ended: (outcome: Ended) => void,
): Promise<number> {
  assertAnswerable(call);
  const outcome = await operation(await openStack(call.stack), conductOf(call));
  ended(outcome);
  if (outcome.result !== "done") return EXIT.refused;
  return (outcome.left ?? []).length === 0 ? EXIT.done : EXIT.differs;
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
async function runForJson(
  command: string,
  call: Call,
  operation: (stack: PulumiStack, conduct: Conduct) => Promise<Ended>,
): Promise<number> {
  const about = { command, vnf: call.vnf };
  try {
    return await run(call, operation, ({ result, seconds, left, ...preview }) =>
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
