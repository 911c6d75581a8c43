import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Has an HTTP server on the loopback stand in for an API while the tests of a file, or of a `describe`, run. */
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
