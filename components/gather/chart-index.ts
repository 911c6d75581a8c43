import { jsonData } from "../base/json";
import { at, fields, items, type Fields } from "../kube/objects/object";
import { limits } from "../base/limits";
import { yamlData } from "../base/yaml/yaml";

/**
 * Reads the entries of one chart from the index of a repository, one for each version. The YAML parser would take a
 * minute and gigabytes for a large index, such as one with all versions of many years. So only the lines about the
 * chart are parsed: Helm writes each chart with an indentation below `entries`. An index in another form, such as JSON
 * or on one line, is parsed as a whole, up to the size of one entry.
 *
 * @throws Error if the index is too large, or is not YAML
 */
export function entriesOf(index: string, chart: string): readonly Fields[] {
  const lines = linesAbout(index, chart);
  if (lines === undefined && /^\s*\{/.test(index)) return entriesIn(jsonData(index, "the index"), chart);
  const bytes = Buffer.byteLength(lines ?? index);
  if (bytes > limits.chartEntryBytes) {
    const which = lines === undefined ? "and does not have the format that Helm writes" : `about ${chart}`;
    throw new Error(`the index has ${bytes} bytes ${which}; at most ${limits.chartEntryBytes} are read`);
  }
  if (lines === undefined) return entriesIn(yamlData(index, "the index"), chart);
  return entriesIn({ entries: yamlData(lines, `the part of the index about ${chart}`) }, chart);
}

function entriesIn(index: unknown, chart: string): readonly Fields[] {
  return items(at(index, "entries", chart)).map(fields);
}

/**
 * Returns the lines about a chart. Undefined: the index does not have a line for each chart. Empty: no such chart.
 */
function linesAbout(index: string, chart: string): string | undefined {
  const top = /^entries:[ \t]*\r?\n/m.exec(index);
  if (top === null) return undefined;
  const names = [`${chart}:`, `"${chart}":`, `'${chart}':`];
  let indent: number | undefined;
  let from: number | undefined;
  for (let start = top.index + top[0].length; start < index.length;) {
    const newline = index.indexOf("\n", start);
    const end = newline < 0 ? index.length : newline + 1;
    const line = index.slice(start, end);
    const content = line.trimStart();
    const width = line.length - content.length;
    // a list may stand below the name of its chart without more indentation
    if (content !== "" && !content.startsWith("#") && !(width === indent && content.startsWith("- "))) {
      if (width === 0) return index.slice(from ?? start, start);
      indent ??= width;
      if (width === indent) {
        if (from !== undefined) return index.slice(from, start);
        if (names.some((name) => content.startsWith(name))) from = start;
      }
    }
    start = end;
  }
  return index.slice(from ?? index.length);
}
