import { COLOURS, PLAIN } from "./colours";
import type { Box, Topology } from "./model";
import { gravest, factLines, describeMark, headingOf } from "./words";

/** Size of the font in pixels. */
const FONT = 12;
const LINE = 16;
const PADDING = 10;
const GAP = 10;
/** Maximum width of a row of boxes in pixels. */
const WIDEST = 1600;
/** Width of a character in pixels, equal in all monospaced fonts. */
const CHARACTER = FONT * 0.6;

/** A box with its position, relative to the corner of the box around it. */
interface Placed {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  readonly inside: readonly Placed[];
}

type Size = Pick<Placed, "width" | "height">;

/**
 * A topology as SVG, for a page or a browser. Boxes are nested and arranged in rows, so no graph layout library is
 * needed.
 */
export function drawSvg({ boxes, marks }: Topology): readonly string[] {
  const { placed, width, height } = inRows(boxes, WIDEST, GAP);
  const besides = marks.map((mark) => `besides, ${describeMark(mark)}`);
  const size = {
    width: Math.max(width, widthOf(besides)) + 2 * GAP,
    height: height + besides.length * LINE + 2 * GAP,
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" ` +
      `width="${size.width}" height="${size.height}" font-family="monospace" font-size="${FONT}">`,
    ...placed.flatMap(draw).map((line) => `  ${line}`),
    ...besides.map((line, i) => `  ${drawLine(line, GAP, height + GAP + (i + 1) * LINE, false)}`),
    "</svg>",
  ];
}

/** Arranges boxes in rows from the left. A row ends before it becomes too wide. */
function inRows(
  boxes: readonly Box[],
  widest: number,
  top: number,
): Size & { readonly placed: readonly Placed[] } {
  const placed: Placed[] = [];
  let [x, y, width, bottom] = [GAP, top, 0, top];
  for (const one of boxes) {
    const sized = sizeOf(one, widest - 2 * GAP);
    if (x > GAP && x + sized.width > widest) [x, y] = [GAP, bottom + GAP];
    placed.push({ ...sized, x, y });
    bottom = Math.max(bottom, y + sized.height);
    x += sized.width + GAP;
    width = Math.max(width, x - 2 * GAP);
  }
  return { placed, width, height: bottom };
}

function sizeOf(box: Box, widest: number): Omit<Placed, "x" | "y"> {
  const lines = [headingOf(box), ...factLines(box), ...box.marks.map(describeMark)];
  const top = lines.length * LINE + PADDING;
  // a cluster with its content stays narrow enough to have others next to it
  const inner = inRows(box.boxes, box.kind === "vim" ? widest : Math.min(widest, WIDEST / 3), top + GAP);
  const hasBoxes = inner.placed.length > 0;
  return {
    ...{ box, lines, inside: inner.placed },
    width: Math.max(widthOf(lines) + 2 * PADDING, hasBoxes ? inner.width + 2 * GAP : 0),
    height: hasBoxes ? inner.height + GAP : top + PADDING / 2,
  };
}

function widthOf(lines: readonly string[]): number {
  return Math.ceil(Math.max(0, ...lines.map((line) => line.length)) * CHARACTER);
}

function draw({ box, x, y, width, height, lines, inside }: Placed): readonly string[] {
  const action = gravest(box);
  const { fill, stroke } = action === undefined ? PLAIN[box.kind] : COLOURS[action];
  const round = box.kind === "network" ? 12 : 3;
  return [
    `<g transform="translate(${x} ${y})">`,
    `  <rect width="${width}" height="${height}" rx="${round}" fill="${fill}" stroke="${stroke}"/>`,
    ...lines.map((line, i) => `  ${drawLine(line, PADDING, (i + 1) * LINE, i === 0)}`),
    ...inside.flatMap(draw).map((line) => `  ${line}`),
    "</g>",
  ];
}

function drawLine(line: string, x: number, y: number, isBold: boolean): string {
  return `<text x="${x}" y="${y}"${isBold ? ' font-weight="bold"' : ""}>${escaped(line)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
