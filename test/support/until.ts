import { setTimeout as sleep } from "node:timers/promises";

/**
 * Calls a function every half second, until it returns true.
 *
 * @param what the expected condition, for the error; a function if it depends on the last call
 * @throws Error after `seconds`
 */
export async function until(
  seconds: number,
  what: string | (() => string),
  condition: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > end)
      throw new Error(`waited ${seconds} s for ${typeof what === "string" ? what : what()}`);
    await sleep(500);
  }
}
