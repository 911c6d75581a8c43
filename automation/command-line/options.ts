import { UsageFault } from "../fault";
import { flag, option, withDefault } from "./command";

export const STACK = option("NAME", "the stack; the selected one by default", { short: "s" });
export const JSON_DOCUMENT = flag("one JSON document on standard output, nothing else there");
const YES = flag("do not ask; refuse if anything is deleted or replaced that was not asked for", "y");

/** Option of a command for a stack that another run has locked. */
export const WAIT = withDefault(
  option(
    "TIME",
    "how long to wait for another run that holds the stack, such as 90s, 10m or 2h; not by default",
    {
      read: readTime,
    },
  ),
  0,
);

/** Options of commands that read a stack. */
export const READING = { stack: STACK, json: JSON_DOCUMENT } as const;
/** Options of commands that change a stack. */
export const CHANGING = { ...READING, yes: YES, wait: WAIT } as const;

const UNITS = { s: 1, m: 60, h: 3600 } as const;

/** @returns seconds */
function readTime(text: string): number {
  const [, number, unit] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  if (number === undefined) throw new UsageFault(`"${text}" is no time, such as 90s, 10m or 2h`);
  return Number(number) * UNITS[unit as keyof typeof UNITS];
}

/** A reader of a number. @param least minimum */
export function numberFrom(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,4}$/.test(text) && Number(text) >= least) return Number(text);
    throw new UsageFault(`"${text}" is no number of ${least} or more`);
  };
}
