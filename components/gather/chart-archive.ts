import { gunzipSync } from "node:zlib";
import { Parser } from "tar";
import { limits } from "../base/limits";

/** A file of a chart: its path in the chart, and its content. */
export type ChartFile = readonly [path: string, content: Buffer];

/** Path of a subchart's archive. Helm opens no other archives in a chart. */
const SUBCHART = /^(charts\/[^/_.][^/]*\/)*charts\/[^/_.][^/]*\.tgz$/;

/**
 * Returns true for the files that describe a chart and its subcharts, and for archives of subcharts: only these are
 * kept in memory.
 */
export function describesChart(path: string): boolean {
  return /^((charts\/[^/]+\/)?Chart|requirements)\.yaml$/.test(path) || SUBCHART.test(path);
}

/**
 * Opens the archives of one chart. The chart and its subcharts have one budget of inflated bytes: Helm would give the
 * whole budget to each of them.
 */
export class ChartArchives {
  #left: number = limits.chartInflatedBytes;

  /**
   * Reads the files that describe a chart. Returns none if the content is not an archive, which Helm reports.
   *
   * @param depth number of archives around this one
   * @throws RangeError if the archive exceeds the budget, or is nested too deeply
   */
  open(archive: Buffer, depth = 0): ChartFile[] {
    if (depth > limits.chartDepth)
      throw new RangeError(
        `contains archives of charts inside each other, more than ${limits.chartDepth} deep`,
      );
    return this.withSubcharts(entriesOf(this.#inflated(archive)), depth);
  }

  /**
   * Replaces the archive of each subchart by its files, in a folder with its name. @throws RangeError as `open` does
   */
  withSubcharts(files: readonly ChartFile[], depth = 0): ChartFile[] {
    return files.flatMap(([path, content]): ChartFile[] =>
      SUBCHART.test(path)
        ? this.open(content, depth + 1).map(([inner, bytes]) => [`${path}/${inner}`, bytes])
        : [[path, content]],
    );
  }

  #inflated(archive: Buffer): Buffer {
    try {
      const tar = gunzipSync(archive, { maxOutputLength: Math.max(this.#left, 1) });
      this.#left -= tar.length;
      return tar;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") return Buffer.alloc(0);
      throw new RangeError(
        `has more than ${limits.chartInflatedBytes} bytes when unpacked, including its dependencies, which is the limit`,
      );
    }
  }
}

/**
 * Magic numbers of compressed content. The parser would inflate an archive in an archive without a limit; Helm rejects
 * it.
 */
const COMPRESSED = /^(1f8b|28b52ffd)/;

function entriesOf(tar: Buffer): ChartFile[] {
  if (tar.length === 0 || COMPRESSED.test(tar.toString("hex", 0, 4))) return [];
  const found: ChartFile[] = [];
  const parser = new Parser({
    onReadEntry: (entry) => {
      // the first name is that of the chart
      const path = entry.path.replace(/^(\.\/)?[^/]+\//, "");
      const parts: Buffer[] = [];
      if (describesChart(path)) entry.on("data", (part: Buffer) => void parts.push(part));
      entry.on("end", () => describesChart(path) && found.push([path, Buffer.concat(parts)]));
      entry.resume();
    },
  });
  try {
    parser.end(tar);
  } catch {
    return [];
  }
  return found;
}
