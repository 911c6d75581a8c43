import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** Bytes that a server writes in answer to a request, and how it ends. */
export interface OddAnswer {
  /** Is written before, once. @default nothing */
  readonly head?: string;
  /**
   * `$REQUEST` in it stands for the head of the request, on one line, and `$URL` for the server's own URL. A character
   * is a byte.
   */
  readonly bytes: string;
  /** Largest number of bytes that are written. @default all */
  readonly cutAt?: number;
  /**
   * `close`: the connection is closed in order; `reset`: it is broken; `hang`: it stays open, and nothing comes any
   * more; `drip`: the bytes come one by one; `endless`: the bytes come again and again.
   */
  readonly end: "close" | "reset" | "hang" | "drip" | "endless";
}

/** Bytes that are written at once where an answer repeats itself. */
const AT_ONCE = 16_384;

/**
 * A server on this machine that answers as it is told, whatever it is asked. It speaks no HTTP of its own, so its
 * answers may be none.
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
    // of a client that gives up
    server.on("tlsClientError", () => undefined);
  }

  /**
   * @param answers to one request after the other; the last one is for all that follow
   * @param tls key and certificate, with which it speaks TLS
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

/** Writes the bytes again and again, as fast as they are taken. */
function pour(socket: Socket, bytes: Buffer): void {
  const many = Buffer.concat(Array<Buffer>(Math.ceil(AT_ONCE / bytes.length)).fill(bytes));
  const more = (): void => {
    while (!socket.destroyed && socket.write(many)) continue;
  };
  socket.on("drain", more);
  more();
}
