import { printableLine } from "../../components/base/printable";
import type { Action } from "../stack/steps";
import { sayChange, sayPreview, type Preview } from "./changes";

/** How many characters of its lists are shown: a comment on GitHub has room for 65,536. */
const ROOM = 60_000;

/** How a line of a change begins, by which a `diff` has its colour. */
const MARKS: Readonly<Record<Action, string>> = {
  create: "+",
  update: "!",
  replace: "!",
  delete: "-",
  discard: "-",
};

/** A preview of a stack in Markdown, for a comment on a pull request. What it shows of others is in blocks of code. */
export function previewInMarkdown(
  stack: string,
  { changes, stays, warnings }: Preview & { readonly warnings: readonly string[] },
): string {
  const marked = changes.map((change) => `${MARKS[change.action]} ${sayChange(change)}`);
  const others = sayPreview({ changes, stays }).slice(changes.length);
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

/** Why there is no preview of a stack, in Markdown. */
export function faultsInMarkdown(stack: string, faults: readonly string[]): string {
  return [`### ${stack}: ${countOf(faults.length, "fault")}`, block("text", faults.map(item), ROOM)].join(
    "\n\n",
  );
}

function countOf(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/** A line of a list; it begins with a sign, so that nothing in it ends the block. */
function item(text: string): string {
  return `- ${text}`;
}

/**
 * @param lines each of which begins with a sign and a space
 * @param room how many characters of them are shown
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
