import { Fault } from "./fault";
import { findingOf, Findings, textOf, type Finding } from "./findings";

/** Everything wrong in the stack config, in one error. Each line: setting, value, what is allowed. */
export class SettingsFault extends Fault {
  constructor(
    /** The errors as data; `faults` has them as strings. */
    readonly findings: readonly Finding[],
  ) {
    super([NOT_VALID, ...findings.map(textOf)].join("\n  "));
    this.name = "SettingsFault";
  }

  override get faults(): readonly string[] {
    return this.findings.map(textOf);
  }

  /**
   * The fault whose message a text is, as the engine has it of a program that has thrown it; undefined if it is none.
   */
  static read(text: string): SettingsFault | undefined {
    const [first, ...lines] = text.split(/\n {2}(?! )/);
    return first === NOT_VALID && lines.length > 0 ? new SettingsFault(lines.map(findingOf)) : undefined;
  }
}

const NOT_VALID = "the stack config is not valid:";

/** @throws SettingsFault with all that was found */
export function assertNone({ all }: Findings): void {
  if (all.length > 0) throw new SettingsFault(all);
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
  assertNone(
    new Findings(...errors.flatMap((error) => (error instanceof SettingsFault ? error.findings : []))),
  );
  if (errors.length > 0) throw errors[0];
  return Promise.all(checks);
}
