import { setTimeout as sleep } from "node:timers/promises";

export interface Probed {
  /** Between two requests that were answered, or from the last one to the end. */
  readonly longestOutageSeconds: number;
  readonly failed: number;
}

/**
 * Asks again and again, twice a second, while `work` goes on, and not after it has failed either.
 * @param ask whether it was answered; `n` is 1 for the first
 * @returns what `work` returns, and what was found
 */
export async function probeDuring<T>(
  ask: (n: number) => Promise<boolean>,
  work: () => Promise<T>,
): Promise<[T, Probed]> {
  let isDone = false;
  const probe = async (): Promise<Probed> => {
    let [answered, longest, failed] = [Date.now(), 0, 0];
    for (let n = 1; !isDone; n++) {
      const isAnswered = await ask(n);
      longest = Math.max(longest, (Date.now() - answered) / 1000);
      if (isAnswered) answered = Date.now();
      else failed++;
      await sleep(500);
    }
    return { longestOutageSeconds: longest, failed };
  };
  const [probed, result] = await Promise.all([probe(), work().finally(() => (isDone = true))]);
  return [result, probed];
}
