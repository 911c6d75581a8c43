import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { limits, tooLarge } from "../limits";
import type { ReleaseRequest } from "../plan/workload/releases";
import type { PackageFiles } from "../vnfd/model";
import { fetchChart, type RepositoryChart } from "./chart-repository";

/** Says to the operator why a chart cannot be had. Its message begins with the setting that asks for the chart. */
export class ChartFault extends Error {}

/**
 * Where charts are put, in the folder of the project. Each folder in it is named after the hash of its content, and is
 * made again where it is missing: so it may be deleted at any time.
 */
const FOLDER = ".charts";

/**
 * Puts the chart of a release into a folder, where the Kubernetes plugin reads it.
 *
 * @param files of the package that the release is of. Undefined: its chart is one of a repository
 * @returns the path of the chart's folder or archive, relative to the project's folder. It changes with the content
 * @throws ChartFault where a chart of a repository cannot be had
 */
export async function placeChart(
  { chart, path }: Pick<ReleaseRequest, "chart" | "path">,
  files: PackageFiles | undefined,
): Promise<string> {
  if (chart.kind === "package") {
    if (files === undefined) throw new Error(`${path} has no package`);
    return place(contentOf(chart.path, files, path));
  }
  const name = `${chart.chart}-${chart.version}.tgz`;
  const placed = join(FOLDER, chart.digest.slice(0, 16), name);
  if (existsSync(placed)) return placed;
  try {
    const archive = await fetchShared(chart);
    return place({ digest: chart.digest, files: [{ path: name, content: archive }] });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ChartFault(`${path}: ${shown(chart)}: ${reason}`);
  }
}

/** Downloads that are under way, by their charts. */
const fetching = new Map<string, Promise<Buffer>>();

/** Releases that ask for one chart at the same time share one download. */
function fetchShared(chart: RepositoryChart): Promise<Buffer> {
  const key = JSON.stringify(chart);
  const archive = fetching.get(key) ?? fetchChart(chart).finally(() => fetching.delete(key));
  fetching.set(key, archive);
  return archive;
}

function shown({ chart, version, url }: RepositoryChart): string {
  return `chart ${chart} ${version} of ${url}`;
}

interface Content {
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  /** The paths begin with the folder of the chart, or are the name of its archive. */
  readonly files: readonly { readonly path: string; readonly content: Buffer }[];
}

/** @param setting that asks for the chart */
function contentOf(path: string, files: PackageFiles, setting: string): Content {
  const name = basename(path);
  const found = files.has(path)
    ? [{ path: name, content: files.read(path) }]
    : files
        .list()
        .filter((file) => file.startsWith(`${path}/`))
        .map((file) => ({ path: posix.join(name, file.slice(path.length + 1)), content: files.read(file) }));
  const bytes = found.reduce((sum, { content }) => sum + content.length, 0);
  const problem = tooLarge(bytes, limits.chartBytes, "a chart");
  if (problem !== undefined) throw new ChartFault(`${setting}: ${path} ${problem}`);
  const hash = createHash("sha256");
  for (const { path, content } of found) hash.update(`${path}\0${content.length}\0`).update(content);
  return { digest: hash.digest("hex"), files: found };
}

/** Writes the files into a folder beside, and renames that: so a run that is cut off leaves no half of a chart. */
function place({ digest, files }: Content): string {
  const folder = join(FOLDER, digest.slice(0, 16));
  const placed = join(folder, files[0]?.path.split("/")[0] ?? "");
  if (existsSync(placed)) return placed;
  const unfinished = `${folder}.${process.pid}`;
  for (const { path, content } of files) {
    mkdirSync(join(unfinished, dirname(path)), { recursive: true });
    writeFileSync(join(unfinished, path), content);
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // another run has put it there meanwhile
    if (!existsSync(placed)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return placed;
}
