#!/usr/bin/env node
import { COMMANDS } from "./commands";
import { readArguments } from "./command-line/arguments";
import { EXIT } from "./command-line/exit-status";
import { printLines } from "./command-line/terminal";
import { asFault, Fault, UsageFault } from "./fault";
import { HeldFault } from "./stack/lock";

async function main(): Promise<number> {
  return readArguments(process.argv.slice(2), COMMANDS).run();
}

function statusOf(error: unknown): number {
  if (error instanceof HeldFault) return EXIT.held;
  return error instanceof UsageFault ? EXIT.usage : EXIT.failed;
}

// a reader that closes its end early, such as `head`, does not stop the operation
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

main().then(
  (exitStatus) => (process.exitCode = exitStatus),
  (thrown: unknown) => {
    const error = asFault(thrown);
    printLines(
      { json: true },
      `vnfm: ${error instanceof Fault ? error.message : String((error as Error).stack)}`,
    );
    process.exit(statusOf(error)); // at once: other look-ups may still be waiting
  },
);
