import { UsageFault } from "../fault";
import { flag, option } from "./command";

export const STACK = option("NAME", "the stack; the selected one by default", { short: "s" });
export const JSON_DOCUMENT = flag("one JSON document on standard output, nothing else there");
const YES = flag("do not ask; refuse if anything is deleted or replaced that was not asked for", "y");

/** Of commands that read a stack. */
export const READING = { stack: STACK, json: JSON_DOCUMENT } as const;
/** Of commands that change a stack. */
export const CHANGING = { ...READING, yes: YES } as const;

/** Reads a number. @param least that is allowed */
export function numberFrom(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,4}$/.test(text) && Number(text) >= least) return Number(text);
    throw new UsageFault(`"${text}" is no number of ${least} or more`);
  };
}
