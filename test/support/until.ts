import { setTimeout as sleep } from "node:timers/promises";

/** Asks every half second until the answer is yes. @throws Error after `seconds` */
export async function until(seconds: number, what: string, ask: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
    await sleep(500);
  }
}
