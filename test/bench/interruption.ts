/**
 * Turns Ctrl-C and SIGTERM into errors, so that the clean-up runs as after any failure. Child processes, such as the
 * engine, get the terminal's Ctrl-C too, and end by themselves.
 */
import { log } from "./figures";

let interrupt: (error: Error) => void;
const interruption = new Promise<never>((_, reject) => (interrupt = reject));
interruption.catch(() => undefined);

export function watchSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      log(`${signal}: what was made is taken away; wait for it`);
      interrupt(new Error(`interrupted by ${signal}`));
    });
  }
}

/** Returns the result of `work`. @throws Error at an interruption, although `work` may continue */
export function unlessInterrupted<T>(work: Promise<T>): Promise<T> {
  return Promise.race([interruption, work]);
}
