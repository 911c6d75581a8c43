import { jsonData } from "../base/json";
import { at, fields, items, text } from "../kube/objects/object";
import { limits } from "../base/limits";
import { own } from "../base/own";
import type { ChartLogin, RegistryLogin } from "../plan/registry-login";
import { assertSha256, download, request } from "./download";

/** A chart that was downloaded from a container registry. */
export interface PulledChart {
  readonly archive: Buffer;
  /** Manifest of the chart in the registry, with the digest of the archive. */
  readonly manifest: Buffer;
}

export interface Pull {
  /** URL as `oci://host/path/name`. */
  readonly url: string;
  /** A tag, or the digest of the manifest. */
  readonly version: string;
  /** SHA-256 of the manifest in hexadecimal. @default any */
  readonly digest?: string;
  readonly login?: ChartLogin | undefined;
}

/**
 * Downloads a chart from a container registry, which has a manifest for each version.
 * https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 *
 * @throws Error if it is not available, or if the manifest has another digest
 */
export async function pullChart({ url, version, digest, login }: Pull): Promise<PulledChart> {
  // Docker and Helm speak to a registry on their own machine without TLS, and so does this
  const scheme = /^oci:\/\/(localhost|127\.[\d.]+)[:/]/.test(url) ? "http:" : "https:";
  const place = new URL(url.replace(/^oci:/, scheme));
  const repository = `${place.origin}/v2${place.pathname}`;
  const headers: Record<string, string> = { accept: "application/vnd.oci.image.manifest.v1+json" };
  // a tag cannot have the "+" of a version, for which Helm writes "_": see https://helm.sh/docs/topics/registries/
  const from = new URL(`${repository}/manifests/${version.replaceAll("+", "_")}`);
  const authorization = await authorizationFor(from, login);
  if (authorization !== undefined) headers["authorization"] = authorization;
  const manifest = await download(from, limits.chartEntryBytes, headers);
  // before anything in it is believed
  if (digest !== undefined) assertSha256(manifest, digest, "the manifest");
  const blob = new URL(`${repository}/blobs/${layerOf(manifest)}`);
  return { archive: await download(blob, limits.chartBytes, headers), manifest };
}

/** Returns the digest of a chart's archive, from the manifest. */
export function layerOf(manifest: Buffer): string {
  const layers = items(at(jsonData(manifest.toString("utf8"), "the manifest"), "layers")).map(fields);
  const layer = text(layers.find((one) => String(one["mediaType"]).startsWith(CHART))?.["digest"]);
  if (layer === undefined) throw new Error("the registry returned something other than a Helm chart");
  return layer;
}

const CHART = "application/vnd.cncf.helm.chart.content.v1.tar";

/** Returns the header `Authorization` for basic authentication. */
export function basic({ username, password }: RegistryLogin): string {
  return `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString("base64")}`;
}

/** Token servers of registries that have them on another host. */
const TOKEN_HOSTS: Readonly<Record<string, string>> = {
  "registry-1.docker.io": "auth.docker.io",
  "registry.gitlab.com": "gitlab.com",
};

/**
 * Returns the header `Authorization` for a registry that requires a login, or a token, for which a login may be
 * necessary. Undefined: the registry requires none. https://distribution.github.io/distribution/spec/auth/token/
 *
 * @throws Error if a host other than the registry, or its token server, would get the login
 */
async function authorizationFor(url: URL, login: ChartLogin | undefined): Promise<string | undefined> {
  const answer = await request("HEAD", url);
  const challenge = answer.headers.get("www-authenticate") ?? "";
  if (answer.status !== 401) return undefined;
  const { host } = new URL(answer.url);
  if (login !== undefined && host !== url.host)
    throw new Error(
      `the registry redirects to ${host}, which requires credentials, and these are only for ${url.host}: if the redirect target ` +
        "may have them, set its name as the registry",
    );
  if (/^basic /i.test(challenge)) return login && basic(login);
  if (!/^bearer /i.test(challenge)) return undefined;
  const parts = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
  );
  const realm = parts["realm"] ?? "";
  // the password is sent to this URL
  if (!URL.canParse(realm) || ![url.protocol, "https:"].includes(new URL(realm).protocol))
    throw new Error("the registry requires a token from a URL that is not https://");
  const from = new URL(realm);
  const tokenHost = login?.token_host ?? own(TOKEN_HOSTS, url.host) ?? url.host;
  if (login !== undefined && ![url.host, tokenHost].includes(from.host))
    throw new Error(
      `the registry gets its tokens from ${from.host}, which would receive the credentials: set login.token_host to ${from.host} if ` +
        "it may have them",
    );
  for (const key of ["service", "scope"]) if (parts[key]) from.searchParams.set(key, parts[key]);
  const headers = login === undefined ? {} : { authorization: basic(login) };
  const token = jsonData(
    (await download(from, limits.chartEntryBytes, headers)).toString("utf8"),
    "the token response",
  );
  const bearer = text(at(token, "token")) ?? text(at(token, "access_token")) ?? "";
  // it becomes a header, and the error about one that is none would show it
  if (!/^[\x21-\x7e]+$/.test(bearer)) throw new Error(`${from.host} returned no token`);
  return `Bearer ${bearer}`;
}
