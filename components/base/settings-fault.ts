import { Fault } from "./fault";
import { findingOf, Findings, textOf, type Finding } from "./findings";

/** All errors of the stack config in one. Each line has the setting, its value, and what is allowed. */
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

  /** Parses the message of such an error, which Pulumi prints for a program; undefined for other texts. */
  static read(text: string): SettingsFault | undefined {
    const [first, ...lines] = text.split(/\n {2}(?! )/);
    return first === NOT_VALID && lines.length > 0 ? new SettingsFault(lines.map(findingOf)) : undefined;
  }
}

const NOT_VALID = "the stack config is not valid:";

/** @throws SettingsFault with all recorded errors */
export function assertNone({ all }: Findings): void {
  if (all.length > 0) throw new SettingsFault(all);
}

/**
 * Waits for several checks, and combines their errors about the stack config.
 *
 * @throws SettingsFault with the errors of all checks, each once; else Fault with the other messages for the operator;
 * an error of the program itself before all of them
 */
export async function together<const T extends readonly unknown[]>(
  checks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ends = await Promise.allSettled(checks);
  const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  assertNone(
    new Findings(...errors.flatMap((error) => (error instanceof SettingsFault ? error.findings : []))),
  );
  const faults = errors.filter((error) => error instanceof Fault);
  if (faults.length > 1 && faults.length === errors.length)
    throw new Fault([...new Set(faults.map(({ message }) => message))].join("\n"));
  // an error of the program itself comes first
  for (const error of errors) if (!(error instanceof Fault)) throw error;
  return Promise.all(checks);
}
