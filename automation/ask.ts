import { asRoot } from "../components/remote/shell";
import type { Script } from "./checks";
import { runProgram, type Answer } from "./run-program";
import { runOverSsh } from "./ssh";

/** Connections at a time; sshd turns away some of more than ten that have not logged in yet. */
const AT_ONCE = 8;
/** A node may need them for a script; the local limit is for what the network adds. In seconds. */
const REMOTE_LIMIT = 60;
const LOCAL_LIMIT = 90;

/** What a script can be asked; only `agree` changes something. */
type Question = "check" | "use" | "vote" | "kept" | "agree";

/** Asks scripts of the last run, where they have run. @returns each with its answer, in order */
export function askAll(
  scripts: readonly Script[],
  verb: Question,
  signal?: AbortSignal,
): Promise<readonly (readonly [Script, Answer])[]> {
  return inParallel(scripts, async (script) => [script, await ask(script, verb, signal)] as const);
}

/** Asks one script of the last run, where it has run. */
export function ask(
  { connection, stdin: input }: Script,
  verb: Question,
  signal?: AbortSignal,
): Promise<Answer> {
  const seconds = LOCAL_LIMIT;
  return connection === undefined
    ? runProgram("bash", ["-s", verb], { input, seconds }, signal)
    : runOverSsh(connection, { command: asRoot(verb, `${REMOTE_LIMIT}s`), input, seconds }, signal);
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
