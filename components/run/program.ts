/** The programs of a run's steps: how they begin and end, and what each has on its standard input. */
import { readFileSync } from "node:fs";
import { jsonData } from "../base/json";
import { printable } from "../base/printable";
import { mustFinish } from "../base/unfinished";

/**
 * Starts a program. An error that it throws is shown without a stack trace, and its status is 1, as it is where the process
 * ends before the program does. A signal ends it in order, so that its SSH client ends too and the files of the login go.
 * @param errors where an error goes. The engine shows what is written to standard error
 * while the step runs, and standard output of a step that fails alone
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

/** The data of a program, which its step has written as JSON. It may have the credentials of a cluster. */
export function readInput<T>(): T {
  return jsonData(readFileSync(0, "utf8"), "the input of this script") as T;
}
