import { didYouMean, oneOf } from "../components/nearest";
import { asRoot } from "../components/remote/shell";
import { checksOf, findingsOf, vnfsOf, type Check, type Finding } from "./checks";
import { UsageFault } from "./fault";
import { assertFree } from "./lock";
import type { PulumiStack } from "./pulumi";
import { runProgram } from "./run-program";
import { runOverSsh } from "./ssh";

/** Connections at a time; sshd turns away some of more than ten that have not logged in yet. */
const AT_ONCE = 8;
/** A node may need them for a script; the local limit is for what the network adds. In seconds. */
const REMOTE_LIMIT = 60;
const LOCAL_LIMIT = 90;

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
  const known = vnfsOf(state);
  if (vnf !== undefined && !known.includes(vnf)) {
    throw new UsageFault(`the stack has made no VNF "${vnf}"; ${oneOf(known)}${didYouMean(vnf, known)}`);
  }
  const checks = checksOf(state, vnf);
  const findings = await inParallel(checks, (one) => ask(one, signal));
  return { checks: checks.length, findings: findings.flat() };
}

async function ask(one: Check, signal?: AbortSignal): Promise<readonly Finding[]> {
  const { connection, stdin: input } = one;
  const seconds = LOCAL_LIMIT;
  const answer =
    connection === undefined
      ? runProgram("bash", ["-s", "check"], { input, seconds }, signal)
      : runOverSsh(connection, { command: asRoot("check", `${REMOTE_LIMIT}s`), input, seconds }, signal);
  return findingsOf(one, await answer);
}

/** The results in the order of the items, of which only so many are at work at a time. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()].reverse();
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      results[next[0]] = await work(next[1]);
    }
  };
  // each cleans up after itself before anything is thrown
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const one of ended) if (one.status === "rejected") throw one.reason as Error;
  return results;
}
