import { jsonData } from "../base/json";
import { at, fields, items, type Fields } from "../kube/objects/object";
import { limits } from "../base/limits";
import { yamlData } from "../base/yaml/yaml";

/**
 * Reads the entries of one chart from the index of a repository, one for each version. Of a large index, as that of a
 * repository with all its versions since years, the YAML parser takes a minute and gigabytes. So only the lines about
 * the chart are read as YAML, which Helm writes below `entries`, each chart with an indentation. A repository that
 * writes it otherwise, as JSON or on one line, has its whole index read, up to the size of one entry.
 *
 * @throws Error where the index is too large, or is no YAML
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
 * The lines about a chart, with its name. Undefined: the index has no line for each chart. Empty: it has not this one.
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
