/** Returns the median; of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Renders a Markdown table in prettier's format. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Values of a chart, one for each label of its x axis. */
export interface Series {
  readonly mark: "bar" | "line";
  readonly values: readonly number[];
}

/**
 * Renders a chart in Mermaid's language, which GitHub and VS Code draw in a page:
 * https://mermaid.js.org/syntax/xyChart.html
 * @param x labels of the x axis
 * @param unit of the values, for the y axis
 */
export function chart(x: readonly string[], unit: string, series: readonly Series[]): string {
  return [
    "```mermaid",
    "xychart-beta",
    `  x-axis [${x.map((label) => JSON.stringify(label)).join(", ")}]`,
    `  y-axis ${JSON.stringify(unit)} 0 --> ${limitOf(series)}`,
    ...series.map(({ mark, values }) => `  ${mark} [${values.map((value) => value.toFixed(1)).join(", ")}]`),
    "```",
  ].join("\n");
}

/** The end of the y axis: the highest value, rounded up to ten. */
function limitOf(series: readonly Series[]): number {
  return Math.ceil(Math.max(...series.flatMap(({ values }) => values)) / 10) * 10;
}

/** Returns `value` as a multiple of `base`. */
export function ratio(value: number, base: number): string {
  return (value / base).toFixed(2);
}

/** Returns a sentence with the number of rows that reach a target ratio. */
export function within(aim: number, pairs: readonly (readonly [value: number, base: number])[]): string {
  const met = pairs.filter(([value, base]) => value / base <= aim).length;
  return `Of ${pairs.length} operations ${met === 0 ? "none is" : met === 1 ? "1 is" : `${met} are`} within ${aim}.`;
}

export function log(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Returns the seconds that an action takes. */
export async function seconds(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return (performance.now() - begin) / 1000;
}
