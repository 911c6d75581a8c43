/** By way of what charts are fetched. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { download } from "../../../components/gather/download";
import { ForwardProxy } from "../../support/forward-proxy";
import { Receiver } from "../../support/receiver";

const before = { ...process.env };
let proxy: ForwardProxy;
let server: Receiver;
let port: string;

beforeEach(async () => {
  proxy = await ForwardProxy.start("127.0.0.1", "user:pass", { "charts.example": "127.0.0.1" });
  server = await Receiver.start();
  ({ port } = new URL(server.url));
});

afterEach(async () => {
  process.env = { ...before };
  proxy.close();
  await server.stop();
});

const UNKNOWN_CA =
  "cannot be reached: self-signed certificate; set NODE_EXTRA_CA_CERTS to the file of the site's CA";

test("a certificate of an unknown CA is told with the way out", async () => {
  await expect(download(new URL(`https://127.0.0.1:${port}/index.yaml`), 10)).rejects.toThrow(
    new Error(`https://127.0.0.1:${port} ${UNKNOWN_CA}`),
  );
});

test("a repository is reached through the proxy of the environment, with its login", async () => {
  process.env["HTTPS_PROXY"] = `http://user:pass@127.0.0.1:${proxy.port}`;
  await expect(download(new URL(`https://charts.example:${port}/index.yaml`), 10)).rejects.toThrow(
    new Error(`https://charts.example:${port} ${UNKNOWN_CA}`),
  );
  expect(proxy.destinations).toEqual([`charts.example:${port}`]);
});

test("a repository of http:// is reached through its own proxy of the environment", async () => {
  const asked: unknown[] = [];
  const plain = createServer(({ url, headers }, response) => {
    asked.push([url, headers.host, headers.authorization, headers["proxy-authorization"]]);
    response.end("the index");
  });
  await new Promise<void>((done) => void plain.listen(0, "127.0.0.1", done));
  const host = `charts.example:${(plain.address() as AddressInfo).port}`;
  process.env["HTTPS_PROXY"] = "http://other.example";
  process.env["http_proxy"] = `http://user:pass@127.0.0.1:${proxy.port}`;
  const answer = await download(new URL(`http://${host}/index.yaml?a=b`), 10, { authorization: "Basic x" });
  expect(answer.toString()).toBe("the index");
  expect(asked).toEqual([["/index.yaml?a=b", host, "Basic x", undefined]]);
  expect(proxy.destinations).toEqual([host]);
  plain.close();
});

test("a proxy that refuses is told, without its login", async () => {
  process.env["HTTPS_PROXY"] = `http://user:hidden@127.0.0.1:${proxy.port}`;
  await expect(download(new URL("https://other.example/index.yaml"), 10)).rejects.toThrow(
    new Error("https://other.example cannot be reached: the proxy 127.0.0.1 answers 407"),
  );
});
