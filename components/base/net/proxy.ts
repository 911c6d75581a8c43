/**
 * Chooses the proxy from a kubeconfig or the environment, like the clients of Kubernetes and Helm, and opens HTTPS
 * connections through it.
 */
import * as http from "node:http";
import type { Socket } from "node:net";
import * as net from "node:net";
import type { ConnectionOptions } from "node:tls";
import * as tls from "node:tls";

/** Time limit in milliseconds for connecting through a proxy. */
const PATIENCE_MS = 60_000;

/**
 * Returns the proxy for a URL; undefined for a direct connection. The proxy of the kubeconfig takes precedence over
 * that of the environment, which has exceptions.
 */
export function proxyFor(
  url: URL,
  own?: string,
  env: Record<string, string | undefined> = process.env,
): string | undefined {
  if (own) return own;
  const isPlain = url.protocol === "http:";
  const proxy = isPlain ? env.HTTP_PROXY || env.http_proxy : env.HTTPS_PROXY || env.https_proxy;
  if (!proxy || isExcepted(url, env.NO_PROXY || env.no_proxy || "")) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/**
 * Returns the environment variables of proxy exceptions, extended by this machine. Pulumi, its plugins and programs use
 * gRPC at 127.0.0.1, for which the client of Node.js would otherwise use a proxy of the environment.
 */
export function localExceptions(env: Record<string, string | undefined> = process.env) {
  const [lower, upper] = [env.no_proxy || env.NO_PROXY || "", env.NO_PROXY || env.no_proxy || ""];
  return { no_proxy: withLocal(lower), NO_PROXY: withLocal(upper) };
}

function withLocal(exceptions: string) {
  const entries = exceptions.split(",").map((entry) => entry.trim());
  return [...new Set([...entries, "127.0.0.1", "localhost"])].filter(Boolean).join(",");
}

/** Returns the proxy for a URL, if there is one of a supported kind. */
export function usableProxy(url: URL, own?: string) {
  const proxy = proxyFor(url, own);
  if (proxy === undefined) return undefined;
  // it may have a password, so it is not shown
  if (!URL.canParse(proxy)) throw new Error("the proxy's URL is not valid");
  const parsed = new URL(proxy);
  if (parsed.protocol !== "http:")
    throw new Error(`a proxy must be an http:// one, not ${parsed.protocol}//`);
  return parsed;
}

/** Returns the host name or address of a URL, without the brackets of IPv6. */
function hostOf({ hostname }: URL) {
  return hostname.replace(/^\[|\]$/g, "");
}

function isExcepted(url: URL, exceptions: string) {
  const host = hostOf(url);
  const family = net.isIP(host);
  if (host === "localhost" || host === "::1" || (family === 4 && host.startsWith("127."))) return true;
  return exceptions
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean)
    .some((entry) => {
      if (entry === "*") return true;
      const [range = "", bits] = entry.split("/");
      if (bits !== undefined) return family !== 0 && inRange(host, family, range, Number(bits));
      const [name = "", port] = net.isIP(entry) ? [entry] : entry.split(":");
      if (port !== undefined && port !== (url.port || (url.protocol === "http:" ? "80" : "443")))
        return false;
      const domain = name.replace(/^\*?\./, "");
      return (host === domain && !/^\*?\./.test(name)) || host.endsWith(`.${domain}`);
    });
}

function inRange(host: string, family: number, range: string, bits: number) {
  if (net.isIP(range) !== family || !(bits >= 0 && bits <= (family === 6 ? 128 : 32))) return false;
  const list = new net.BlockList();
  const type = family === 6 ? "ipv6" : "ipv4";
  list.addSubnet(range, bits, type);
  return list.check(host, type);
}

/** Returns the header with a proxy's login, if its URL has one. */
export function loginAt({ username, password }: URL): Record<string, string> {
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return username === "" ? {} : { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
}

/** Returns request options for a tunnel through a proxy. @param signal aborts the connection */
export async function tunnel(url: URL, proxy: URL, options: ConnectionOptions, signal?: AbortSignal) {
  const { hostname, port } = proxy;
  const target = `${url.hostname}:${url.port || 443}`;
  const socket: Socket = await new Promise((resolve, reject) => {
    const request = http.request({
      method: "CONNECT",
      host: hostOf(proxy),
      port: port || 80,
      path: target,
      headers: { host: target, ...loginAt(proxy) },
      agent: false,
      timeout: PATIENCE_MS,
      ...(signal && { signal }),
    });
    const none = () =>
      request.destroy(new Error(`no response from the proxy ${hostname} within ${PATIENCE_MS / 1000} s`));
    // its headers may come one byte at a time
    const timer = setTimeout(none, PATIENCE_MS);
    request.on("close", () => {
      clearTimeout(timer);
      reject(new Error(`the proxy ${hostname} closes the connection without a response`));
    });
    request.on("connect", ({ statusCode }, connected) => {
      clearTimeout(timer);
      if (statusCode === 200) return resolve(connected);
      connected.destroy();
      reject(new Error(`the proxy ${hostname} answers ${statusCode}`));
    });
    request.on("timeout", none);
    request.on("error", reject);
    request.end();
  });
  const host = hostOf(url);
  const servername = net.isIP(host) ? {} : { servername: host };
  return {
    createConnection: () => tls.connect({ ...servername, ...options, socket, host }),
  };
}
