import { createInterface } from "node:readline/promises";
import { printable, printableLine } from "../../components/base/printable";
import { UsageFault } from "../fault";
import type { OperationPreview } from "../operations/operation";

/** How a command talks to whoever called it. */
export interface Talk {
  /** Everything for a person goes to standard error, for standard output has the JSON document. */
  readonly json: boolean;
  /** Nobody is asked. */
  readonly yes: boolean;
}

/** A line for a person. A line break in it is of a name or a message that somebody else has written. */
export function say({ json }: Pick<Talk, "json">, line: string): void {
  (json ? process.stderr : process.stdout).write(`${printableLine(line)}\n`);
}

/** A message for a person, of any number of lines. */
export function sayAll(talk: Pick<Talk, "json">, message: string): void {
  for (const line of message.split(/\r?\n/)) say(talk, line);
}

/** Lines for a person on standard output. */
export function show(lines: readonly string[]): void {
  for (const line of lines) say({ json: false }, line);
}

/** The one document that a program reads on standard output. */
export function writeJson(value: object): void {
  process.stdout.write(`${printable(JSON.stringify(value, undefined, 2))}\n`);
}

/** Fails before anything is done where a question could have no answer. @throws UsageFault */
export function assertAnswerable({ yes }: Talk): void {
  if (!yes && !process.stdin.isTTY)
    throw new UsageFault("standard input is no terminal, so nobody can be asked: give --yes");
}

/** Asks whether to apply what a preview has shown. */
export async function confirm(talk: Talk, preview: OperationPreview): Promise<boolean> {
  const isAsked = preview.unasked.length === 0;
  if (talk.yes || preview.changes.length === 0) return isAsked;
  return isAsked
    ? ["y", "yes"].includes(await ask(talk, "apply? [y/N] "))
    : (await ask(talk, "apply, with what was not asked for? type yes: ")) === "yes";
}

/** @returns the answer in small letters; empty where the input ends before */
export async function ask({ json }: Pick<Talk, "json">, question: string): Promise<string> {
  const terminal = createInterface({
    input: process.stdin,
    output: json ? process.stderr : process.stdout,
  });
  const ended = new Promise<string>((none) => terminal.once("close", () => none("")));
  const answer = await Promise.race([terminal.question(printableLine(question)), ended]);
  terminal.close();
  return answer.trim().toLowerCase();
}
