import { setTimeout as sleep } from "node:timers/promises";

export interface Probed {
  /** Between two requests that were answered, or from the last one to the end. */
  readonly longestOutageSeconds: number;
  readonly failed: number;
}

/** Asks again and again, twice a second, and counts what fails. */
export class Probe {
  #failed = 0;
  #longest = 0;
  #stopped = false;
  readonly #done: Promise<void>;

  private constructor(private readonly ask: (n: number) => Promise<boolean>) {
    this.#done = this.#run();
  }

  /** @param ask whether it was answered; `n` is 1 for the first */
  static start(ask: (n: number) => Promise<boolean>): Probe {
    return new Probe(ask);
  }

  /** What was found; the same however often it is called. */
  async stop(): Promise<Probed> {
    this.#stopped = true;
    await this.#done;
    return { longestOutageSeconds: this.#longest, failed: this.#failed };
  }

  async #run(): Promise<void> {
    let answered = Date.now();
    for (let n = 1; !this.#stopped; n++) {
      const isAnswered = await this.ask(n);
      this.#longest = Math.max(this.#longest, (Date.now() - answered) / 1000);
      if (isAnswered) answered = Date.now();
      else this.#failed++;
      await sleep(500);
    }
  }
}
