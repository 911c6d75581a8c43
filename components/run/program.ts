/** Start, end and standard input of the programs of script resources and commands. */
import { readFileSync } from "node:fs";
import { jsonData } from "../base/json";
import { printable } from "../base/printable";
import { mustFinish } from "../base/unfinished";

/**
 * Starts a program. An error that it throws is printed without a stack trace, and the exit status is 1, also if the
 * process ends before the program does. A signal ends it in order, so that its SSH client ends too, and the files with
 * the login are deleted.
 * @param errors where an error goes. The engine shows what is written to standard error while the step runs, and
 * standard output of a step that fails alone
 */
export function startProgram(
  main: () => Promise<void>,
  errors: { write(text: string): unknown } = process.stderr,
) {
  const fail = (message: string) => {
    errors.write(printable(`${message}\n`));
    process.exitCode = 1;
  };
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  mustFinish("the step", main(), fail).catch((error: Error) => fail(error.message));
}

/** Reads the data of a program: JSON from its resource, which may contain the credentials of a cluster. */
export function readInput<T>(): T {
  return jsonData(readFileSync(0, "utf8"), "the input of this script") as T;
}
