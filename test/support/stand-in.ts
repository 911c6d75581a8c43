import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts an HTTP server on the loopback in place of an API, for the tests of a file or of a `describe`. */
export function standIn(answer: RequestListener): { readonly url: string } {
  const server = createServer(answer);
  beforeAll((done) => void server.listen(0, "127.0.0.1", done));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}
