/** The loop of all waits for a state outside of this process, such as that of an object on a cluster. */
import { setTimeout as sleep } from "node:timers/promises";

/** Interval between two progress messages, in milliseconds. */
const PROGRESS_MS = 10_000;
const GROWTH = 1.5;

/** A condition that is not fulfilled yet. */
export class Missing {
  constructor(
    /** Description of the condition for the operator. */
    readonly text: string,
  ) {}
}

/** Duration and interval of a wait. */
export interface Patience {
  /** Time limit in seconds. A last query follows at its end. */
  readonly seconds: number;
  /** Pause between two queries, in milliseconds. */
  readonly pauseMs: number;
  /** Pause after the first query. Later pauses grow up to `pauseMs`. @default `pauseMs` */
  readonly firstPauseMs?: number;
  /** Returns true for a temporary error; its message is then the missing condition. @default all errors are thrown */
  readonly passes?: (error: unknown) => boolean;
  /** Called with the missing condition every ten seconds. */
  readonly report?: (missing: string) => void | Promise<void>;
}

/**
 * Repeats a query until it returns no Missing, or until the time limit.
 * @returns the result of the query; after the time limit, the missing condition
 */
export async function untilDone<T>(
  query: () => Promise<T | Missing>,
  { seconds, pauseMs, firstPauseMs = pauseMs, passes = () => false, report }: Patience,
): Promise<T | Missing> {
  const begin = Date.now();
  const end = begin + seconds * 1000;
  let nextReport = begin + PROGRESS_MS;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * GROWTH, pauseMs)) {
    const answer = await query().catch((error: unknown) => {
      if (!passes(error)) throw error;
      return new Missing((error as Error).message);
    });
    if (!(answer instanceof Missing) || Date.now() >= end) return answer;
    if (Date.now() >= nextReport) {
      await report?.(answer.text);
      nextReport = Date.now() + PROGRESS_MS;
    }
    await sleep(Math.min(pause, Math.max(end - Date.now(), 0)));
  }
}
