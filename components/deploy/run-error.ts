import * as pulumi from "@pulumi/pulumi";
import { asFault, Fault } from "../base/fault";
import { printable } from "../base/printable";

/** Converts a Fault, which the operator can fix, to an error without a stack trace; returns other errors unchanged. */
export function runError(error: unknown): unknown {
  const thrown = asFault(error);
  return thrown instanceof Fault ? new pulumi.RunError(printable(thrown.message)) : thrown;
}

/** Calls a function within an output, whose errors do not reach the main program; a Fault is converted by runError. */
export function withoutStackTrace<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw runError(error);
  }
}

/** Shows an error among the diagnostics of the run. */
export function showError(message: string): void {
  void pulumi.log.error(printable(message));
}
