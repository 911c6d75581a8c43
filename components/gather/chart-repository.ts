import { items, text } from "../kube/objects/object";
import { limits } from "../base/limits";
import type { ChartSource } from "../plan/workload/releases";
import { entriesOf } from "./chart-index";
import { basic, layerOf, pullChart } from "./chart-registry";
import { assertSha256, download } from "./download";

export type RepositoryChart = Extract<ChartSource, { kind: "repository" }>;

/** A downloaded chart. */
export interface FetchedChart {
  readonly archive: Buffer;
  /**
   * Manifest of a chart from a registry. The digest in the settings is that of the manifest, which contains that of the
   * archive.
   */
  readonly manifest?: Buffer;
}

/**
 * Downloads the archive of a chart from a repository with an index, or from a registry of container images (`oci://`).
 *
 * @throws Error if there is no such archive, or if it has another digest than expected
 */
export async function fetchChart(chart: RepositoryChart): Promise<FetchedChart> {
  const problem = urlProblem(chart);
  if (problem !== undefined) throw new Error(problem);
  const fetched = isOfRegistry(chart) ? await fromRegistry(chart) : { archive: await fromRepository(chart) };
  assertDigest(chart, fetched);
  return fetched;
}

/** @throws Error if a downloaded chart has another digest than expected */
export function assertDigest(chart: RepositoryChart, { archive, manifest }: FetchedChart): void {
  if (!isOfRegistry(chart)) return assertSha256(archive, chart.digest, "the archive");
  if (manifest === undefined) throw new Error("its manifest is missing");
  assertSha256(manifest, chart.digest, "the manifest");
  assertSha256(archive, layerOf(manifest).replace("sha256:", ""), "the archive");
}

function urlProblem({ url, login }: RepositoryChart): string | undefined {
  if (!URL.canParse(url)) return "its URL is not valid";
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "")
    return "its URL contains credentials, which would be shown; set username and password instead";
  return login !== undefined && protocol === "http:" && !/^(localhost|127\.[\d.]+)$/.test(hostname)
    ? "the password would be sent unencrypted; use a repository of https:// or oci://"
    : undefined;
}

function isOfRegistry({ url }: Pick<RepositoryChart, "url">): boolean {
  return url.startsWith("oci://");
}

function fromRegistry({ url, chart, version, digest, login }: RepositoryChart): Promise<FetchedChart> {
  return pullChart({ url: `${url.replace(/(?<!\/)\/+$/, "")}/${chart}`, version, digest, login });
}

/** Downloads a chart from a repository with an index: https://helm.sh/docs/topics/chart_repository/ */
async function fromRepository({ url, chart, version, login }: RepositoryChart): Promise<Buffer> {
  const headers = login === undefined ? {} : { authorization: basic(login) };
  const index = urlIn(url, "index.yaml");
  const entries = entriesOf((await download(index, limits.chartIndexBytes, headers)).toString("utf8"), chart);
  const entry = entries.find((one) => one["version"] === version);
  if (entry === undefined) {
    const versions = entries.map((one) => text(one["version"])).slice(0, 10);
    throw new Error(
      entries.length === 0
        ? `the index has no chart "${chart}"`
        : `the index has no such version; it has ${versions.join(", ")}`,
    );
  }
  const [location] = items(entry["urls"]).map(text);
  if (location === undefined) throw new Error("the index has no archive of it");
  if (isOfRegistry({ url: location })) return (await pullChart(referenceOf(location, version))).archive;
  const archive = urlIn(url, location);
  // only the repository itself is to know the login
  return download(archive, limits.chartBytes, archive.origin === index.origin ? headers : {});
}

/**
 * Returns the URL of a file in a repository. As in Helm, a URL below the repository's also gets its query. This may be
 * a token, so other hosts must not get it.
 */
function urlIn(repository: string, reference: string): URL {
  const base = new URL(repository);
  base.pathname = base.pathname.replace(/\/*$/, "/");
  const found = URL.canParse(reference, base.href) ? new URL(reference, base) : undefined;
  if (found === undefined || !["http:", "https:"].includes(found.protocol))
    throw new Error(
      `the index has ${JSON.stringify(reference)} as its archive; only https:// and oci:// are supported`,
    );
  if (!URL.canParse(reference) && found.origin === base.origin) found.search = base.search;
  return found;
}

/** Parses a reference of an index to a registry: `oci://host/path/name`, with a tag, a digest, both or none. */
function referenceOf(location: string, version: string): { readonly url: string; readonly version: string } {
  const [, url = location, tag, digest] =
    /^(oci:.*?)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(location) ?? [];
  return { url, version: digest ?? tag ?? version };
}
