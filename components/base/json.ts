import { Fault } from "./fault";

/**
 * Parses JSON. The message of JSON.parse would contain a part of the text, which may be a secret.
 *
 * @param what name of the text, for the message
 * @throws Fault with the position of the error, and without any of the text
 */
export function jsonData(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const [, position] = / at position (\d+)/.exec((error as Error).message) ?? [];
    throw new Fault(
      `${what} is no JSON${position === undefined ? "" : `: ${place(text, Number(position))}`}`,
    );
  }
}

/** Parses JSON. @returns undefined for other texts */
export function jsonOf(text: string): unknown {
  try {
    return jsonData(text, "");
  } catch {
    return undefined;
  }
}

/** Parses a value of the stack config: Pulumi passes maps and lists as JSON, and strings unchanged. */
export function jsonOrText(text: string): unknown {
  const value = jsonOf(text);
  return value === undefined ? text : value;
}

function place(text: string, position: number): string {
  const lines = text.slice(0, position).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
