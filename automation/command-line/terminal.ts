import { createInterface } from "node:readline/promises";
import { printable, printableLine } from "../../components/base/printable";
import { UsageFault } from "../fault";
import type { OperationPreview } from "../changes/changes";

/** Options for the messages and prompts of a command. */
export interface Talk {
  /** True if messages go to standard error, as standard output has the JSON document. */
  readonly json: boolean;
  /** True if there are no prompts. */
  readonly yes: boolean;
}

/** Prints a message on one line; line breaks, which may come from names or messages of other programs, are replaced. */
export function print({ json }: Pick<Talk, "json">, line: string): void {
  (json ? process.stderr : process.stdout).write(`${printableLine(line)}\n`);
}

/** Prints a message of any number of lines. */
export function printLines(talk: Pick<Talk, "json">, message: string): void {
  for (const line of message.split(/\r?\n/)) print(talk, line);
}

/** Prints lines on standard output. */
export function show(lines: readonly string[]): void {
  for (const line of lines) print({ json: false }, line);
}

/** Writes the only document on standard output for a program. */
export function writeJson(value: object): void {
  process.stdout.write(`${printable(JSON.stringify(value, undefined, 2))}\n`);
}

/** Fails early if a prompt could not be answered. @throws UsageFault */
export function assertAnswerable({ yes }: Talk): void {
  if (!yes && !process.stdin.isTTY)
    throw new UsageFault("standard input is not a terminal, so vnfm cannot prompt: use --yes");
}

/** Asks for confirmation of a preview. */
export async function confirm(talk: Talk, preview: OperationPreview): Promise<boolean> {
  const isRequested = preview.unrequested.length === 0;
  if (talk.yes || preview.changes.length === 0) return isRequested;
  return isRequested
    ? ["y", "yes"].includes(await ask(talk, "apply? [y/N] "))
    : (await ask(talk, "apply, including changes that were not requested? type yes: ")) === "yes";
}

/**
 * @returns the answer in lower case; empty at the end of the input
 */
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
