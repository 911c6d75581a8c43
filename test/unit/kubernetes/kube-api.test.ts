/** Tests of requests to a Kubernetes API that fail for a moment, with a server of the test. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KubeApi } from "../../../components/kube/client/kube-api";

let server: Server;
let requests: string[];
/** The next answers; every further one is a success. */
let answers: ((response: ServerResponse) => void)[];
let api: KubeApi;

const status = (code: number) => (response: ServerResponse) =>
  response.writeHead(code).end(JSON.stringify({ message: "etcdserver: leader changed" }));
const broken = (response: ServerResponse) => response.destroy();

beforeEach(async () => {
  [requests, answers] = [[], []];
  server = createServer((request, response) => {
    requests.push(request.method ?? "");
    (answers.shift() ?? ((to) => to.end('{"kind": "Pod"}')))(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  api = new KubeApi({ cluster: { server: `http://127.0.0.1:${port}` }, user: { token: "t" } });
});

afterEach(async () => {
  server.close();
  await once(server, "close");
});

it.each([
  ["an error of the server", status(500)],
  ["too many requests", status(429)],
  ["a broken connection", broken],
])("a read is repeated once after %s", async (_, failure) => {
  answers = [failure];
  expect(await api.get("/api/v1/pods/a")).toEqual({ kind: "Pod" });
  expect(requests).toEqual(["GET", "GET"]);
});

it("a read that fails twice is an error", async () => {
  answers = [status(500), status(503)];
  await expect(api.get("/api/v1/pods/a")).rejects.toThrow("rejects it with 503: etcdserver: leader changed");
});

it("a read that is refused is not repeated", async () => {
  answers = [status(404)];
  await expect(api.get("/api/v1/pods/a")).rejects.toThrow("rejects it with 404");
  expect(requests).toEqual(["GET"]);
});

it("a write is not repeated, as it may have been done", async () => {
  answers = [broken];
  await expect(api.post("/api/v1/pods", {})).rejects.toThrow("cannot be reached: socket hang up");
  expect(requests).toEqual(["POST"]);
});
