import { createHash } from "node:crypto";
import { jsonData } from "../json";
import { at, fields, items, text } from "../kube/object";
import { limits } from "../limits";
import type { ChartSource } from "../plan/workload/releases";
import { entriesOf } from "./chart-index";

export type RepositoryChart = Extract<ChartSource, { kind: "repository" }>;

/** How long an answer may take, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Downloads the archive of a chart from a repository with an index, or from a registry of container images (`oci://`).
 *
 * @throws Error where the archive is not there, or has another digest than the chart is to have
 */
export async function fetchChart(chart: RepositoryChart): Promise<Buffer> {
  return chart.url.startsWith("oci://") ? fromRegistry(chart) : fromRepository(chart);
}

/** Such a repository has a list of its charts: https://helm.sh/docs/topics/chart_repository/ */
async function fromRepository({ url, chart, version, digest }: RepositoryChart): Promise<Buffer> {
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
  return verified(await download(new URL(location, index), limits.chartBytes), digest, "the archive");
}

/** A registry has a manifest for each version: https://github.com/opencontainers/distribution-spec/blob/main/spec.md */
async function fromRegistry({ url, chart, version, digest }: RepositoryChart): Promise<Buffer> {
  // Docker and Helm speak to a registry on their own machine without TLS, and so does this
  const scheme = /^oci:\/\/(localhost|127\.[\d.]+)[:/]/.test(url) ? "http:" : "https:";
  const place = new URL(`${url.replace(/^oci:/, scheme).replace(/(?<!\/)\/+$/, "")}/${chart}`);
  const repository = `${place.origin}/v2${place.pathname}`;
  const headers: Record<string, string> = { accept: "application/vnd.oci.image.manifest.v1+json" };
  // a tag cannot have the "+" of a version, for which Helm writes "_": see https://helm.sh/docs/topics/registries/
  const manifest = new URL(`${repository}/manifests/${version.replaceAll("+", "_")}`);
  const authorization = await authorizationFor(manifest);
  if (authorization !== undefined) headers["authorization"] = authorization;
  const content = verified(await download(manifest, limits.chartEntryBytes, headers), digest, "the manifest");
  const layers = items(at(jsonData(content.toString("utf8"), "the manifest"), "layers")).map(fields);
  const layer = text(layers.find((one) => String(one["mediaType"]).startsWith(CHART))?.["digest"]);
  if (layer === undefined) throw new Error("the registry has something else there, no Helm chart");
  const archive = await download(new URL(`${repository}/blobs/${layer}`), limits.chartBytes, headers);
  return verified(archive, layer.replace("sha256:", ""), "the archive");
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

function verified(content: Buffer, digest: string, what: string): Buffer {
  const found = createHash("sha256").update(content).digest("hex");
  if (found !== digest) throw new Error(`${what} has the digest sha256:${found}, and not sha256:${digest}`);
  return content;
}
