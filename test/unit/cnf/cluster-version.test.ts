/** The version that a cluster says it has, by an API server that is a stand-in. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { askVersion } from "../../../components/deploy/objects/cluster-version";

let server: Server;
let answer: string;

beforeAll((done) => {
  server = createServer(({ url }, response) => {
    response.writeHead(url === "/version" ? 200 : 404).end(answer);
  }).listen(0, "127.0.0.1", done);
});
afterAll((done) => void server.close(done));

const ask = () =>
  askVersion(
    JSON.stringify({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [
        { name: "c", cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } },
      ],
      users: [{ name: "u", user: { token: "t" } }],
    }),
  );

test.each([
  ['{"major": "1", "minor": "31+", "gitVersion": "v1.31.4-eks-1a2b3c"}', "v1.31.4-eks-1a2b3c"],
  ['{"gitVersion": "v1.33.0+k3s1"}', "v1.33.0+k3s1"],
  ['{"gitVersion": "v1.33.0 \\u001b[2J"}', undefined],
  ["no JSON", undefined],
])("of the answer %s", async (text, version) => {
  answer = text;
  expect(await ask()).toBe(version);
});
