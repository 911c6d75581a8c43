/**
 * The one loop that waits for something outside, such as an object of a cluster.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** Interval between two progress messages. */
const PROGRESS_MS = 10_000;
const GROWTH = 1.5;

/** A condition that is not fulfilled yet. */
export class Missing {
  constructor(
    /** In an operator's words. */
    readonly text: string,
  ) {}
}

/** Duration and interval of a wait. */
export interface Patience {
  /** The whole wait; it is asked once more at its end. */
  readonly seconds: number;
  /** Between two questions. */
  readonly pauseMs: number;
  /** After the first question, where that is shorter; then pauses grow. */
  readonly firstPauseMs?: number;
  /** True for an error that may pass, so that its message is what is missing. @default all errors are thrown */
  readonly passes?: (error: unknown) => boolean;
  /** Gets what is missing, every ten seconds. */
  readonly report?: (missing: string) => void | Promise<void>;
}

/**
 * Asks again and again until the answer is no longer that something is missing, or the time is over.
 * @returns the answer; what is missing where the time is over
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
