/** Mirrors, certificates and logins of registries, for containerd and the kubelet. */
import { Secret } from "../../base/secret";
import type { NodeFile } from "../../kube/cluster/control-plane";
import type { RegistryLogin } from "../registry-login";
import type { NodeFeature, Registry, SecretFile } from "./model";

/** Folder in which containerd looks up a registry's settings at each pull. */
const CERTS = "/etc/containerd/certs.d";
/**
 * Path where every kubelet looks for registry logins; `kubeadm reset` does not delete it, unlike the kubelet's folder.
 */
const LOGINS = "/.docker/config.json";

export const registries: NodeFeature = ({ registries: all }) => {
  all.forEach(checkMirrors);
  const logins = all.flatMap(({ name, login }) => (login === undefined ? [] : [{ name, ...login }]));
  return {
    files: all.flatMap((registry) => hostsFiles(registry, all)),
    secretFiles: logins.length === 0 ? [] : [loginsFile(logins)],
    hostsLines: all.flatMap(({ hostsLine }) => hostsLine ?? []),
    warnings: all.flatMap(plainLogins),
  };
};

/**
 * The settings of a registry for containerd: https://github.com/containerd/containerd/blob/main/docs/hosts.md.
 * The server is queried after all hosts. Without mirrors it is a host too, because containerd 1.x reads no file without
 * a host.
 */
function hostsFiles({ name, scheme, mirrors, ca }: Registry, all: readonly Registry[]): NodeFile[] {
  if (scheme === undefined && mirrors === undefined && ca === undefined) return [];
  const url = urlOf({ name, scheme });
  const trust = ca === undefined ? [] : [trustLine(name)];
  const hosts =
    mirrors === undefined
      ? [[`[host."${url}"]`, ...trust]]
      : mirrors.value.map((mirror) => mirrorLines(mirror, all));
  const lines = [`server = "${url}"`, ...trust, ...hosts.flatMap((host) => ["", ...host]), ""];
  const file = { path: `${CERTS}/${name}/hosts.toml`, permissions: "0644", content: lines.join("\n") };
  return ca === undefined ? [file] : [{ path: caPath(name), permissions: "0644", content: ca }, file];
}

function caPath(registry: string): string {
  return `${CERTS}/${registry}/ca.crt`;
}

function trustLine(registry: string): string {
  return `ca = "${caPath(registry)}"`;
}

/** URL of a registry. Its host differs from the name in images for Docker Hub only. */
function urlOf({ name, scheme }: Pick<Registry, "name" | "scheme">): string {
  return `${scheme?.value ?? "https"}://${name === "docker.io" ? "registry-1.docker.io" : name}`;
}

/**
 * The lines about a mirror. containerd appends `/v2` to each path that does not end with it. A URL with a path after
 * `/v2`, such as that of a project in Harbor, needs override_path. A mirror that is a registry of its own has the
 * certificates of that registry.
 */
function mirrorLines(mirror: string, all: readonly Registry[]): string[] {
  const url = withoutSlash(mirror);
  const { host, pathname } = new URL(url);
  const isRoot = /\/v2\/./.test(pathname);
  // a URL does without the port of HTTPS
  const trusted = all.filter(({ name, ca }) => name.replace(/:443$/, "") === host && ca !== undefined);
  return [
    `[host."${url}"]`,
    `capabilities = ["pull", "resolve"]`,
    ...(isRoot ? ["override_path = true"] : []),
    ...trusted.map(({ name }) => trustLine(name)),
  ];
}

/** Records mirrors that containerd would reject, or would use without a part of their URLs. */
function checkMirrors({ mirrors }: Registry): void {
  if (mirrors === undefined) return;
  const urls = mirrors.value.map(withoutSlash);
  for (const [i, url] of urls.entries()) {
    const place = mirrors.place.get(i);
    const { username, password, search, hash } = new URL(url);
    if (username + password + search + hash !== "")
      place.fault(
        "has credentials, a query or a fragment, which containerd ignores; write https://host:port/path",
      );
    else if (urls.indexOf(url) < i) place.fault(`${url} appears twice; remove one of the two`);
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/**
 * The file with a node's registry logins, in the format of Docker's clients.
 * It is for the kubelet: containerd has deprecated logins in its configuration, and a header in hosts.toml does not
 * work with registries that require tokens.
 */
function loginsFile(logins: readonly (RegistryLogin & Pick<Registry, "name">)[]): SecretFile {
  const auths = logins.map(({ name, username, password }) => [
    name,
    { auth: Buffer.from(`${username}:${password.reveal()}`).toString("base64") },
  ]);
  const content = `${JSON.stringify({ auths: Object.fromEntries(auths) as object })}\n`;
  return {
    ...{ path: LOGINS, permissions: "0600", content: new Secret(content) },
    identity: logins.map(({ name, username }) => [name, username]),
  };
}

/** Warnings about a login that is sent over HTTP, to the registry or to a mirror, which gets it too. */
function plainLogins({ name, scheme, mirrors, login }: Registry): string[] {
  if (login === undefined) return [];
  const hosts = [
    ...(scheme === undefined ? [] : [{ url: urlOf({ name, scheme }), place: scheme.place }]),
    ...(mirrors === undefined ? [] : mirrors.value.map((url) => ({ url, place: mirrors.place }))),
  ];
  return hosts
    .filter(({ url }) => url.startsWith("http:"))
    .map(
      ({ url, place }) =>
        `${place.text}: each node sends the password of ${login.username} to ${new URL(url).origin} unencrypted; use HTTPS`,
    );
}
