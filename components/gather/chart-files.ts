import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { Fault } from "../base/fault";
import { textOf, type Finding, type Place } from "../base/findings";
import { limits, tooLarge } from "../base/limits";
import type { ChartSource, ReleaseRequest } from "../plan/workload/releases";
import {
  contentOf as fileContent,
  faultLine,
  type Fault as PackageFinding,
  type PackageFiles,
} from "../vnfd/model";
import { chartProblem } from "./chart-metadata";
import { assertDigest, fetchChart, type FetchedChart, type RepositoryChart } from "./chart-repository";

/** An error about a chart that is not available. Its message begins with the setting of the chart. */
export class ChartFault extends Fault {
  constructor(readonly finding: Finding) {
    super(textOf(finding));
  }
}

/**
 * Folder for charts, in the folder of the project. Each chart is in a folder named after the hash of its content, and
 * is written again if files are missing or changed, so the folder may be deleted at any time.
 */
const FOLDER = ".charts";

/**
 * File with the manifest of a chart from a registry, next to its archive. The digest in the settings is that of the
 * manifest.
 */
const MANIFEST = "manifest.json";

/**
 * Writes the chart of a release into a folder, where the Kubernetes plugin reads it.
 *
 * @param files files of the release's package. Undefined: the chart is in a repository
 * @returns the path of the chart's folder or archive, relative to the project's folder. It changes with the content
 * @throws ChartFault if a chart of a repository is not available, or if Helm would not install the chart
 */
export async function placeChart(
  request: Pick<ReleaseRequest, "chart" | "place">,
  files: PackageFiles | undefined,
): Promise<string> {
  const path = await placedAt(request, files);
  const problem = chartProblem(path);
  if (problem !== undefined)
    throw new ChartFault(request.place.finding(`${shown(request.chart)} ${problem}`));
  return path;
}

/** Returns the path of a chart, after writing it if necessary. */
async function placedAt(
  { chart, place: setting }: Pick<ReleaseRequest, "chart" | "place">,
  files: PackageFiles | undefined,
): Promise<string> {
  if (chart.kind === "package") {
    if (files === undefined) throw new Error(`${setting.text} has no package`);
    return place(contentOf(chart.path, files, setting));
  }
  const name = `${chart.chart}-${chart.version}.tgz`;
  const folder = join(FOLDER, chart.digest.slice(0, 16));
  if (isThere(chart, folder, name)) return join(folder, name);
  let fetched: FetchedChart;
  try {
    fetched = await fetchShared(chart);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ChartFault(setting.finding(`${shown(chart)}: ${reason}`));
  }
  const { archive, manifest } = fetched;
  const parts = [
    { path: name, content: archive },
    ...(manifest === undefined ? [] : [{ path: MANIFEST, content: manifest }]),
  ];
  return place({ digest: chart.digest, files: parts });
}

/** Returns true if a chart of a repository is in the folder already, with the digest in the settings. */
function isThere(chart: RepositoryChart, folder: string, name: string): boolean {
  const read = (file: string): Buffer | undefined =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file)) : undefined;
  const archive = read(name);
  if (archive === undefined) return false;
  const manifest = read(MANIFEST);
  try {
    assertDigest(chart, { archive, ...(manifest && { manifest }) });
    return true;
  } catch {
    return false;
  }
}

/** Downloads in progress, by chart. */
const fetching = new Map<string, Promise<FetchedChart>>();

/** Downloads a chart once for several releases that need it at the same time. */
function fetchShared(chart: RepositoryChart): Promise<FetchedChart> {
  const key = JSON.stringify(chart);
  const download = fetching.get(key) ?? fetchChart(chart).finally(() => fetching.delete(key));
  fetching.set(key, download);
  return download;
}

/** Returns the source without secrets in its URL: a login, or a token in the query. */
function shown(source: ChartSource): string {
  if (source.kind === "package") return source.path;
  const { chart, version, url } = source;
  return `chart ${chart} ${version} of ${url.replace(/\?.*/, "").replace(/\/\/[^/]*@/, "//")}`;
}

interface Content {
  /** SHA-256 of the content, in hexadecimal. */
  readonly digest: string;
  /** Files of a chart's folder, with paths that begin with the folder's name; or a single archive. */
  readonly files: readonly { readonly path: string; readonly content: Buffer }[];
}

/** @param setting the setting of the chart */
function contentOf(path: string, files: PackageFiles, setting: Place): Content {
  const name = basename(path);
  const faults: PackageFinding[] = [];
  const read = (file: string, as: string) => {
    const content = fileContent(files, file, faults);
    return content === undefined ? [] : [{ path: as, content }];
  };
  const found = files.has(path)
    ? read(path, name)
    : files
        .list()
        .filter((file) => file.startsWith(`${path}/`))
        .flatMap((file) => read(file, posix.join(name, file.slice(path.length + 1))));
  if (faults.length > 0)
    throw new ChartFault(setting.finding(`${path} cannot be read: ${faults.map(faultLine).join("; ")}`));
  const bytes = found.reduce((sum, { content }) => sum + content.length, 0);
  const problem = tooLarge(bytes, limits.chartBytes, "a chart");
  if (problem !== undefined) throw new ChartFault(setting.finding(`${path} ${problem}`));
  // of one content the same, however the files of the package are listed
  found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const hash = createHash("sha256");
  for (const { path, content } of found) hash.update(`${path}\0${content.length}\0`).update(content);
  return { digest: hash.digest("hex"), files: found };
}

/** Writes the files into a temporary folder, and renames it, so that an interrupted run leaves no incomplete chart. */
function place({ digest, files }: Content): string {
  const folder = join(FOLDER, digest.slice(0, 16));
  const placed = join(folder, files[0]?.path.split("/")[0] ?? "");
  if (hasJust(folder, files)) return placed;
  // the name is random, so that no link or incomplete chart has it
  const unfinished = `${folder}.${randomUUID()}`;
  for (const { path, content } of files) {
    mkdirSync(join(unfinished, dirname(path)), { recursive: true });
    writeFileSync(join(unfinished, path), content);
  }
  // another run may have put it there meanwhile
  if (existsSync(folder) && !hasJust(folder, files)) rmSync(folder, { recursive: true });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!hasJust(folder, files)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return placed;
}

/** Returns true if a folder has these files and no others, with their content. */
function hasJust(folder: string, files: Content["files"]): boolean {
  if (!existsSync(folder)) return false;
  const present = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => !statSync(join(folder, file)).isDirectory())
    .sort();
  const expected = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return (
    present.length === expected.length &&
    expected.every(
      ({ path, content }, i) => path === present[i] && content.equals(readFileSync(join(folder, path))),
    )
  );
}
