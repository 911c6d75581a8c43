import type { Box, Topology } from "./model";
import { factLines, describeMark, headingOf } from "./words";

/** A topology as lines for a terminal. */
export function drawText({ boxes, marks }: Topology): readonly string[] {
  return [
    ...boxes.flatMap((root) => [heading(root), ...inside(root)]),
    ...marks.map((mark) => `besides, ${describeMark(mark)}`),
  ];
}

function heading(box: Box): string {
  const facts = factLines(box).join(", ");
  return facts === "" ? headingOf(box) : `${headingOf(box)}: ${facts}`;
}

/** Lines below the heading of a box: its changes and its inner boxes. */
function inside({ marks, boxes }: Box): readonly string[] {
  const changed = marks.map((mark) => `${boxes.length > 0 ? "│" : " "}  ${describeMark(mark)}`);
  const parts = boxes.flatMap((part, i) => {
    const isLast = i === boxes.length - 1;
    const below = inside(part).map((line) => `${isLast ? " " : "│"}  ${line}`);
    return [`${isLast ? "└" : "├"}─ ${heading(part)}`, ...below];
  });
  return [...changed, ...parts];
}
