/** Start, end and standard input of the programs that script resources and commands run. */
import { readFileSync } from "node:fs";
import { jsonData } from "../base/json";
import { printable } from "../base/printable";
import { mustFinish } from "../base/unfinished";

/**
 * Starts a program. An error is printed without a stack trace, and the exit status is then 1, also if the process ends
 * before the program does. On a signal the program ends in order: its SSH client ends too, and the files with the login
 * are deleted.
 * @param errors stream for the error. Pulumi shows standard error while the step runs, but standard output only if it
 * fails
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
