import { readdirSync, readFileSync } from "node:fs";

/**
 * Records the command lines of all processes on this machine, ten times a second. The lab's servers are containers, so
 * their processes are included.
 */
export class CommandLines {
  readonly #seen = new Set<string>();
  readonly #timer = setInterval(() => this.#look(), 100);

  /** Stops recording. @returns the command lines, one in each line */
  stop(): string {
    clearInterval(this.#timer);
    return [...this.#seen].join("\n");
  }

  #look(): void {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        this.#seen.add(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
      } catch {
        // the process has ended since the listing
      }
    }
  }
}
