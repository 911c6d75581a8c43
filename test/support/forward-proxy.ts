import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** An HTTP proxy with a login, for CONNECT and plain requests, which records their destinations. */
export class ForwardProxy {
  readonly #destinations: string[] = [];
  readonly #server = createServer((request, response) => this.#forward(request, response));
  readonly #sockets = new Set<Duplex>();

  private constructor(
    private readonly login: string,
    private readonly hosts: Readonly<Record<string, string>>,
  ) {
    this.#server.on("connect", (request: IncomingMessage, client: Duplex) => this.#connect(request, client));
  }

  /**
   * @param login `user:password`
   * @param hosts addresses by host name, for hosts without an entry in DNS
   */
  static async start(
    address: string,
    login: string,
    hosts: Readonly<Record<string, string>>,
  ): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(login, hosts);
    await new Promise<void>((done, fail) => {
      proxy.#server.once("error", fail).listen(0, address, done);
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Each `host:port` that somebody was connected to, or had asked. */
  get destinations(): readonly string[] {
    return [...new Set(this.#destinations)].sort();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward({ url = "", method, headers }: IncomingMessage, response: ServerResponse): void {
    const { "proxy-authorization": login, ...others } = headers;
    if (login !== `Basic ${btoa(this.login)}`) {
      response.writeHead(407, { "proxy-authenticate": "Basic" }).end();
      return;
    }
    const { host, hostname, port, pathname, search } = new URL(url);
    this.#destinations.push(host);
    const there = { host: this.hosts[hostname] ?? hostname, port, path: pathname + search };
    send({ ...there, method, headers: others }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).end();
  }

  #connect({ url = "", headers }: IncomingMessage, client: Duplex): void {
    if (headers["proxy-authorization"] !== `Basic ${btoa(this.login)}`) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
      return;
    }
    this.#destinations.push(url);
    const { hostname, port } = new URL(`tcp://${url}`);
    const server: Socket = connect(Number(port), this.hosts[hostname] ?? hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.pipe(client).pipe(server);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => other.destroy()).on("close", () => this.#sockets.delete(one) && other.destroy());
    }
  }
}
