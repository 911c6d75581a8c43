import { createHash } from "node:crypto";
import { jsonData } from "../json";
import { at, fields, items, text } from "../kube/object";
import { limits } from "../limits";
import type { ChartSource } from "../plan/workload/releases";
import { entriesOf } from "./chart-index";

export type RepositoryChart = Extract<ChartSource, { kind: "repository" }>;

/** How long an answer may take, in milliseconds. */
const PATIENCE_MS = 60_000;

/** A chart as it is fetched. */
export interface FetchedChart {
  readonly archive: Buffer;
  /** Of a chart of a registry. The digest of such a chart is that of the manifest, which has that of the archive. */
  readonly manifest?: Buffer;
}

/**
 * Downloads the archive of a chart from a repository with an index, or from a registry of container images (`oci://`).
 *
 * @throws Error where the archive is not there, or has another digest than the chart is to have
 */
export async function fetchChart(chart: RepositoryChart): Promise<FetchedChart> {
  const fetched = isOfRegistry(chart) ? await fromRegistry(chart) : { archive: await fromRepository(chart) };
  assertDigest(chart, fetched);
  return fetched;
}

/** @throws Error where what was fetched, now or before, has another digest than the chart is to have */
export function assertDigest(chart: RepositoryChart, { archive, manifest }: FetchedChart): void {
  if (!isOfRegistry(chart)) return assertSha256(archive, chart.digest, "the archive");
  if (manifest === undefined) throw new Error("its manifest is missing");
  assertSha256(manifest, chart.digest, "the manifest");
  assertSha256(archive, layerOf(manifest).replace("sha256:", ""), "the archive");
}

function isOfRegistry({ url }: RepositoryChart): boolean {
  return url.startsWith("oci://");
}

/** Such a repository has a list of its charts: https://helm.sh/docs/topics/chart_repository/ */
async function fromRepository({ url, chart, version }: RepositoryChart): Promise<Buffer> {
  const index = new URL("index.yaml", url.endsWith("/") ? url : `${url}/`);
  const entries = entriesOf((await download(index, limits.chartIndexBytes)).toString("utf8"), chart);
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
  if (location === undefined) throw new Error("the index names no archive of it");
  return download(new URL(location, index), limits.chartBytes);
}

/** A registry has a manifest for each version: https://github.com/opencontainers/distribution-spec/blob/main/spec.md */
async function fromRegistry({ url, chart, version, digest }: RepositoryChart): Promise<FetchedChart> {
  // Docker and Helm speak to a registry on their own machine without TLS, and so does this
  const scheme = /^oci:\/\/(localhost|127\.[\d.]+)[:/]/.test(url) ? "http:" : "https:";
  const place = new URL(`${url.replace(/^oci:/, scheme).replace(/(?<!\/)\/+$/, "")}/${chart}`);
  const repository = `${place.origin}/v2${place.pathname}`;
  const headers: Record<string, string> = { accept: "application/vnd.oci.image.manifest.v1+json" };
  // a tag cannot have the "+" of a version, for which Helm writes "_": see https://helm.sh/docs/topics/registries/
  const manifest = new URL(`${repository}/manifests/${version.replaceAll("+", "_")}`);
  const authorization = await authorizationFor(manifest);
  if (authorization !== undefined) headers["authorization"] = authorization;
  const content = await download(manifest, limits.chartEntryBytes, headers);
  // before anything in it is believed
  assertSha256(content, digest, "the manifest");
  const archive = await download(
    new URL(`${repository}/blobs/${layerOf(content)}`),
    limits.chartBytes,
    headers,
  );
  return { archive, manifest: content };
}

/** The digest of a chart's archive, as the manifest has it. */
function layerOf(manifest: Buffer): string {
  const layers = items(at(jsonData(manifest.toString("utf8"), "the manifest"), "layers")).map(fields);
  const layer = text(layers.find((one) => String(one["mediaType"]).startsWith(CHART))?.["digest"]);
  if (layer === undefined) throw new Error("the registry has something else there, no Helm chart");
  return layer;
}

const CHART = "application/vnd.cncf.helm.chart.content.v1.tar";

/**
 * The value of the header `Authorization`, where a registry asks for a token and gives one to anybody. Undefined: it
 * asks for none.
 * https://distribution.github.io/distribution/spec/auth/token/
 */
async function authorizationFor(url: URL): Promise<string | undefined> {
  const answer = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(PATIENCE_MS) });
  const challenge = answer.headers.get("www-authenticate") ?? "";
  if (answer.status !== 401 || !/^bearer /i.test(challenge)) return undefined;
  const parts = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
  );
  const from = new URL(parts["realm"] ?? "");
  for (const key of ["service", "scope"]) if (parts[key]) from.searchParams.set(key, parts[key]);
  const token = jsonData(
    (await download(from, limits.chartEntryBytes)).toString("utf8"),
    "the token's answer",
  );
  return `Bearer ${text(at(token, "token")) ?? text(at(token, "access_token")) ?? ""}`;
}

async function download(url: URL, most: number, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }).catch((error) => {
    const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
    throw new Error(
      `${url.origin} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  });
  if (!answer.ok) throw new Error(`${url.href} answers ${answer.status} ${answer.statusText}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    const chunk = part as Uint8Array;
    bytes += chunk.length;
    if (bytes > most) throw new Error(`${url.href} has more than ${most} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function assertSha256(content: Buffer, digest: string, what: string): void {
  const found = createHash("sha256").update(content).digest("hex");
  if (found !== digest) throw new Error(`${what} has the digest sha256:${found}, and not sha256:${digest}`);
}
