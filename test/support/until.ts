import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks every half second until the answer is yes.
 *
 * @param what it waits for; a function where that has more to say once it was asked
 * @throws Error after `seconds`
 */
export async function until(
  seconds: number,
  what: string | (() => string),
  ask: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await ask())) {
    if (performance.now() > end)
      throw new Error(`waited ${seconds} s for ${typeof what === "string" ? what : what()}`);
    await sleep(500);
  }
}
