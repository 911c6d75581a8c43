/** Values of a list of promises. */
type Values<P extends readonly Promise<unknown>[]> = { -readonly [K in keyof P]: Awaited<P[K]> };

/**
 * Schedules steps, which are declared in serial order. In the order "best" a step begins as soon as its inputs are
 * known; in the order "serial" it also waits for the step before it.
 */
export class Order {
  #under: Promise<unknown>[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly kind: "best" | "serial") {}

  /** Declares a step. @param needs inputs, whose values are passed to the action */
  step<const P extends readonly Promise<unknown>[], T>(
    needs: P,
    action: (...values: Values<P>) => Promise<T>,
  ): Promise<T> {
    const before = this.kind === "serial" ? this.#last : undefined;
    const step = Promise.all([before, Promise.all(needs)]).then(([, values]) => action(...values));
    this.#last = step;
    return this.beside(step);
  }

  /** Adds work outside the order: only steps that have it as an input wait for it. */
  beside<T>(work: Promise<T>): Promise<T> {
    // `done` throws the error
    work.catch(() => undefined);
    this.#under.push(work);
    return work;
  }

  /** Waits for all steps and work. @throws the first error, without waiting for the rest */
  async done(): Promise<void> {
    const under = this.#under;
    this.#under = [];
    await Promise.all(under);
  }
}
