import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";

/** A request that the receiver got. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** A web server on this machine, with its own CA, to which vnfm sends the credentials of clusters. */
export class Receiver {
  readonly received: Received[] = [];

  private constructor(
    private readonly server: Server,
    readonly ca: string,
    /** Statuses of the next responses, then 204; `drip` is a response that never ends. */
    private readonly statuses: (number | "drip")[],
  ) {
    server.on("request", (request, response) => {
      let text = "";
      request.on("data", (part: Buffer) => (text += part.toString()));
      request.on("end", () => {
        const { method = "", url: path = "", headers } = request;
        const body: unknown = text === "" ? undefined : JSON.parse(text);
        this.received.push({ method, path, authorization: headers.authorization, body });
        const status = this.statuses.shift() ?? 204;
        if (status !== "drip") {
          response.writeHead(status).end();
          return;
        }
        response.writeHead(200);
        const drops = setInterval(() => response.write("."), 50);
        response.on("close", () => clearInterval(drops));
      });
    });
  }

  static async start(...statuses: (number | "drip")[]): Promise<Receiver> {
    const { key, certificate } = selfSigned();
    const server = createServer({ key, cert: certificate });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return new Receiver(server, certificate, statuses);
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}/clusters`;
  }

  stop(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}

/** Creates a key and a self-signed certificate for the receiver's address. */
export function selfSigned(): { key: string; certificate: string } {
  const command =
    "req -x509 -newkey ed25519 -noenc -keyout - -subj /CN=receiver -addext subjectAltName=IP:127.0.0.1";
  const text = execFileSync("openssl", command.split(" "), {
    stdio: ["ignore", "pipe", "ignore"],
  }).toString();
  const begin = text.indexOf("-----BEGIN CERTIFICATE");
  return { key: text.slice(0, begin), certificate: text.slice(begin) };
}
