import type { Agent, buildConnector, Dispatcher } from "undici";
import { loginAt, tunnel, usableProxy } from "./proxy";

/** Certificates and key of a TLS connection, in PEM. Without `ca`, Node.js' default CAs are trusted. */
export interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Returns an agent that connects to each host through its proxy in the environment, or directly. The library takes long
 * to load, so it is loaded only for downloads.
 */
export async function makeAgent(tls: Tls = {}): Promise<Agent> {
  const { Agent, Pool } = await import("undici");
  return new Agent({
    factory: (origin, options) => {
      const url = new URL(origin);
      const proxy = usableProxy(url);
      if (proxy === undefined) return new Pool(origin, { ...options, connect: { ...tls } });
      return url.protocol === "https:"
        ? new Pool(origin, { ...options, connect: by(proxy, url, tls) })
        : new Pool(proxy.origin, options).compose(forwardedBy(proxy, url));
    },
  });
}

/**
 * Connects through a proxy. The library itself would wait without limit if the proxy closes the connection, and hide
 * its answer.
 */
function by(proxy: URL, url: URL, tls: Tls): buildConnector.connector {
  return (_, callback) => {
    const fail = (error: Error): void => callback(error, null);
    tunnel(url, proxy, { ...tls }).then(({ createConnection }) => {
      const socket = createConnection();
      const closed = (): void => fail(new Error("the connection was closed before TLS was established"));
      socket
        .once("secureConnect", () => callback(null, socket.off("close", closed)))
        .once("error", fail)
        .once("close", closed);
    }, fail);
  };
}

/** Sends requests for `http` URLs to the proxy without a tunnel, with the whole URL (RFC 9112, 3.2.2). */
function forwardedBy(proxy: URL, url: URL): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    const headers = { ...(request.headers as Record<string, string>), host: url.host, ...loginAt(proxy) };
    return dispatch({ ...request, origin: proxy.origin, path: url.origin + request.path, headers }, handler);
  };
}
