import { programArguments } from "../../components/remote/program-command";
import { RUN_SCRIPT } from "../../components/remote/script-step";
import type { Question } from "../../components/remote/scripts";
import { Fault } from "../fault";
import type { Script } from "../stack/stack-state";
import { linesOf } from "./checks";
import { runProgram, type ProgramResult } from "./run-program";

/** Number of parallel connections. sshd refuses some if more than ten have not logged in yet. */
const AT_ONCE = 8;
/** Time limit for an answer in seconds: 60 on a server, the rest for the network. */
const LIMIT = 90;

/**
 * Runs a query of scripts of the last run, on their servers.
 * @returns each script with its answer, in the same order
 */
export function askAll(
  scripts: readonly Script[],
  question: Question,
  signal?: AbortSignal,
): Promise<readonly (readonly [Script, ProgramResult])[]> {
  return inParallel(scripts, async (script) => [script, await ask(script, question, signal)] as const);
}

/** Runs a query of a script of the last run, on its server. */
export function ask(script: Script, question: Question, signal?: AbortSignal): Promise<ProgramResult> {
  return runScript(script, question, LIMIT, signal);
}

/**
 * Runs a script of the last run, on its server.
 * @param seconds time limit
 */
export function runScript(
  { script, stdin: input }: Script,
  verb: Question | "create" | "delete",
  seconds: number,
  signal?: AbortSignal,
): Promise<ProgramResult> {
  const how = { input, seconds, env: { VNFM_SCRIPT: script } };
  return runProgram(process.execPath, [...programArguments(RUN_SCRIPT), verb], how, signal);
}

/**
 * Runs one of vnfm's programs for the API of a cluster. @returns its standard output
 * @param command the program's path from the folder components, and its arguments
 * @param data for its standard input, with the access to the API
 * @throws Fault with its message if it fails, or if the API does not answer
 */
export async function askCluster(
  command: readonly [program: string, ...args: string[]],
  data: object,
  signal?: AbortSignal,
): Promise<string> {
  const how = { input: JSON.stringify(data), seconds: LIMIT };
  const [program, ...args] = command;
  const ofNode = [...programArguments(program), ...args];
  const { status, stdout, stderr } = await runProgram(process.execPath, ofNode, how, signal);
  if (status === 0) return stdout;
  if (status === undefined) throw new Fault("it does not answer");
  throw new Fault(linesOf(stderr).at(-1) ?? `it ended with status ${status}`);
}

/**
 * Processes AT_ONCE items at a time, each over a separate connection.
 * @returns the results, in the order of the items
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()].reverse();
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      results[next[0]] = await work(next[1]);
    }
  };
  // each cleans up before an error is thrown
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const one of ended) if (one.status === "rejected") throw one.reason as Error;
  return results;
}
