import { UsageFault } from "../fault";
import { flag, option, withDefault } from "./command";

export const STACK = option("NAME", "the stack; default: the selected one", { short: "s" });
export const JSON_DOCUMENT = flag("print one JSON document to standard output, and nothing else");
const YES = flag("do not prompt; fail if anything would be deleted or replaced that was not requested", "y");

/** Option with the time to wait for another run that has locked the stack. */
export const WAIT = withDefault(
  option(
    "TIME",
    "how long to wait if another run has locked the stack, such as 90s, 10m or 2h; default: do not wait",
    {
      read: readDuration,
    },
  ),
  0,
);

/** Options of commands that read a stack. */
export const READING = { stack: STACK, json: JSON_DOCUMENT } as const;
/** Options of commands that change a stack. */
export const CHANGING = { ...READING, yes: YES, wait: WAIT } as const;

const UNITS = { s: 1, m: 60, h: 3600 } as const;

/** Reads a duration, such as `90s`, `10m` or `2h`. @returns seconds */
export function readDuration(text: string): number {
  const [, number, unit] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  if (number === undefined) throw new UsageFault(`"${text}" is not a duration, such as 90s, 10m or 2h`);
  return Number(number) * UNITS[unit as keyof typeof UNITS];
}

/**
 * Returns a parser of a whole number.
 * @param least minimum
 */
export function numberFrom(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,4}$/.test(text) && Number(text) >= least) return Number(text);
    throw new UsageFault(`"${text}" is not a number of at least ${least}`);
  };
}
