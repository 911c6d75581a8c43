import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** Bytes that a server sends as the response to a request, and what happens to the connection afterwards. */
export interface OddAnswer {
  /** Bytes before the others, sent once even if those repeat. @default none */
  readonly head?: string;
  /**
   * Bytes of the response, one for each character. `$REQUEST` is replaced by the head of the request, in one line, and
   * `$URL` by the server's URL.
   */
  readonly bytes: string;
  /** Number of bytes after which the response is cut off. @default none */
  readonly cutAt?: number;
  /**
   * `close`: the connection is closed; `reset`: it is reset; `hang`: it stays open without further bytes; `drip`: the
   * bytes are sent one by one; `endless`: they are sent again and again.
   */
  readonly end: "close" | "reset" | "hang" | "drip" | "endless";
}

/** Minimum number of bytes in one write of an endless response. */
const AT_ONCE = 16_384;

/**
 * A server on this machine that answers any request with prepared bytes, which need not be valid HTTP.
 */
export class OddServer {
  readonly #sockets = new Set<Socket>();
  #answered = 0;

  private constructor(
    private readonly server: Server,
    private readonly scheme: "http" | "https",
    private readonly answers: readonly OddAnswer[],
  ) {
    server.on(scheme === "https" ? "secureConnection" : "connection", (socket: Socket) =>
      this.#serve(socket),
    );
    // a client may close the connection during the handshake
    server.on("tlsClientError", () => undefined);
  }

  /**
   * @param answers responses to the requests, in order; the last one is repeated
   * @param tls key and certificate. @default without TLS
   */
  static async start(
    answers: readonly OddAnswer[],
    tls?: { readonly key: string; readonly cert: string },
  ): Promise<OddServer> {
    const server = tls === undefined ? createTcpServer() : createTlsServer(tls);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return new OddServer(server, tls === undefined ? "http" : "https", answers);
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    let head = "";
    socket.on("data", (part) => {
      head = (head + part.toString("latin1")).slice(-100_000);
      if (!head.includes("\r\n\r\n")) return;
      const request = head.replace(/\r\n/g, " ");
      head = "";
      const answer = this.answers[Math.min(this.#answered, this.answers.length - 1)];
      this.#answered += 1;
      if (answer !== undefined) void this.#answer(socket, answer, request);
    });
  }

  async #answer(socket: Socket, { head = "", bytes, cutAt, end }: OddAnswer, request: string): Promise<void> {
    const text = bytes.replaceAll("$REQUEST", () => request).replaceAll("$URL", this.url);
    const whole = Buffer.from(text, "latin1").subarray(0, cutAt);
    socket.write(head);
    if (end === "drip") return drip(socket, whole);
    socket.write(whole);
    if (end === "close") socket.end();
    if (end === "reset" && this.scheme === "http") socket.resetAndDestroy();
    if (end === "reset") socket.destroy();
    if (end === "endless" && whole.length > 0) pour(socket, whole);
  }
}

async function drip(socket: Socket, bytes: Buffer): Promise<void> {
  for (let i = 0; i < bytes.length && !socket.destroyed; i++) {
    socket.write(bytes.subarray(i, i + 1));
    await new Promise((done) => setImmediate(done));
  }
}

/** Writes the bytes again and again, as fast as the client reads them. */
function pour(socket: Socket, bytes: Buffer): void {
  const many = Buffer.concat(Array<Buffer>(Math.ceil(AT_ONCE / bytes.length)).fill(bytes));
  const more = (): void => {
    while (!socket.destroyed && socket.write(many)) continue;
  };
  socket.on("drain", more);
  more();
}
