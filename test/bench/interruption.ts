/**
 * Ctrl-C and SIGTERM as errors: what goes on is given up, and what was made is taken away as after any
 * failure. Programs that the terminal's Ctrl-C reaches too, as the engine, end by themselves.
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

/** The work's result. @throws Error as soon as there is an interruption; the work may go on then */
export function unlessInterrupted<T>(work: Promise<T>): Promise<T> {
  return Promise.race([interruption, work]);
}
