/** What the operator can mend: shown as it is, without a stack trace. */
export class Fault extends Error {}

/** Everything wrong in the stack config, in one error. Each line: setting, value, what is allowed. */
export class SettingsFault extends Fault {
  constructor(readonly faults: readonly string[]) {
    super(`the stack config is not valid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "SettingsFault";
  }
}

/**
 * The results of several checks, once all have ended: their faults of the stack config are one error.
 *
 * @throws SettingsFault with the faults of all, each once; else what the first has thrown
 */
export async function together<const T extends readonly unknown[]>(
  checks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ends = await Promise.allSettled(checks);
  const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  const faults = errors.flatMap((error) => (error instanceof SettingsFault ? error.faults : []));
  if (faults.length > 0) throw new SettingsFault([...new Set(faults)]);
  if (errors.length > 0) throw errors[0];
  return Promise.all(checks);
}
