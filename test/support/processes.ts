import { readdirSync, readFileSync } from "node:fs";

/**
 * Every command line that any process of this machine has had, seen ten times a second. The lab's servers are
 * containers, so theirs are among them.
 */
export class CommandLines {
  readonly #seen = new Set<string>();
  readonly #timer = setInterval(() => this.#look(), 100);

  /** All of them, one a line. */
  stop(): string {
    clearInterval(this.#timer);
    return [...this.#seen].join("\n");
  }

  #look(): void {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        this.#seen.add(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
      } catch {
        // it has ended in the meantime
      }
    }
  }
}
