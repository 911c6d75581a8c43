import { printableLine } from "../../components/base/printable";
import type { Action } from "../stack/steps";
import { describeChange, describePreview, type Preview } from "./changes";

/** Maximum number of characters in the lists: a comment on GitHub has room for 65,536. */
const ROOM = 60_000;

/** Prefixes of the lines of changes, which give a `diff` its colours. */
const MARKS: Readonly<Record<Action, string>> = {
  create: "+",
  update: "!",
  replace: "!",
  delete: "-",
  discard: "-",
};

/**
 * A preview of a stack in Markdown, for a comment on a pull request. Names and messages are in code blocks, so that
 * they cannot contain Markdown.
 */
export function previewInMarkdown(
  stack: string,
  { changes, stays, warnings }: Preview & { readonly warnings: readonly string[] },
): string {
  const marked = changes.map((change) => `${MARKS[change.action]} ${describeChange(change)}`);
  const others = describePreview({ changes, stays }).slice(changes.length);
  const lines = [...marked, ...others.map((line) => `  ${line}`)];
  const ofWarnings = block("text", warnings.map(item), ROOM / 2);
  return [
    `### ${stack}: ${countOf(changes.length, "change")}`,
    changes.length === 0
      ? "Nothing changes."
      : block("diff", lines, ROOM - (warnings.length === 0 ? 0 : ofWarnings.length)),
    ...(warnings.length === 0 ? [] : [`${countOf(warnings.length, "warning")}:`, ofWarnings]),
  ].join("\n\n");
}

/** The errors of a failed preview of a stack, in Markdown. */
export function faultsInMarkdown(stack: string, faults: readonly string[]): string {
  return [`### ${stack}: ${countOf(faults.length, "fault")}`, block("text", faults.map(item), ROOM)].join(
    "\n\n",
  );
}

function countOf(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/** A line of a list. It starts with a sign, so that no text in it can end the code block. */
function item(text: string): string {
  return `- ${text}`;
}

/**
 * @param lines each starts with a sign and a space
 * @param room maximum number of characters
 */
function block(language: string, lines: readonly string[], room: number): string {
  const shown = lines.map(printableLine);
  let left = room;
  const fit = shown.filter((line) => (left -= line.length + 1) >= 0);
  const rest = shown.length - fit.length;
  return [
    "```" + language,
    ...fit,
    ...(rest === 0 ? [] : [`  ... and ${countOf(rest, "line")} more`]),
    "```",
  ].join("\n");
}
