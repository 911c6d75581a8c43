/** What promises give. */
type Values<P extends readonly Promise<unknown>[]> = { -readonly [K in keyof P]: Awaited<P[K]> };

/**
 * Decides when steps begin. Best: each as soon as what it needs is there. Serial: moreover one after the
 * other, as they are declared. Steps so stand in the serial order; their needs alone make the best one.
 */
export class Order {
  #under: Promise<unknown>[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly kind: "best" | "serial") {}

  /** Declares a step. @param needs what its action gets the values of */
  step<const P extends readonly Promise<unknown>[], T>(
    needs: P,
    action: (...values: Values<P>) => Promise<T>,
  ): Promise<T> {
    const before = this.kind === "serial" ? this.#last : undefined;
    const step = Promise.all([before, Promise.all(needs)]).then(([, values]) => action(...values));
    this.#last = step;
    return this.beside(step);
  }

  /** Takes in work that no step waits for unless it needs it. */
  beside<T>(work: Promise<T>): Promise<T> {
    // `done` tells of it
    work.catch(() => undefined);
    this.#under.push(work);
    return work;
  }

  /** Waits for all that was declared. @throws what the first failure is, without waiting for the rest */
  async done(): Promise<void> {
    const under = this.#under;
    this.#under = [];
    await Promise.all(under);
  }
}
