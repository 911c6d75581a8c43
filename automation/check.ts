import { askAll } from "./ask";
import { assertMade, checksOf, findingsOf, type Finding } from "./checks";
import { assertFree } from "./lock";
import type { PulumiStack } from "./pulumi";

/** Whether what the scripts of the last run have made is still so. */
export interface CheckReport {
  /** How many scripts were asked. */
  readonly checks: number;
  /** None: all is as declared. */
  readonly findings: readonly Finding[];
}

/**
 * Asks the servers and clusters of a stack whether they are as the last run has left them, over SSH. Nothing is
 * changed.
 *
 * @param vnf only this instance
 * @throws HeldFault if a run is at work on the stack, UsageFault if the stack has no such instance
 */
export async function check(stack: PulumiStack, vnf?: string, signal?: AbortSignal): Promise<CheckReport> {
  assertFree(stack);
  const state = await stack.exportPlain();
  if (vnf !== undefined) assertMade(state, vnf);
  const checks = checksOf(state, vnf);
  const answers = await askAll(checks, "check", signal);
  return { checks: checks.length, findings: answers.flatMap(([one, answer]) => findingsOf(one, answer)) };
}
