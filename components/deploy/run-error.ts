import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../fault";

/** What is the operator's to mend, as the engine shows it without a stack trace; other errors as they are. */
export function runError(error: unknown): unknown {
  return error instanceof Fault ? new pulumi.RunError(error.message) : error;
}

/** Calls a function within an output, whose errors do not reach the main program: a Fault is shown as runError has it. */
export function withoutStackTrace<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw runError(error);
  }
}
