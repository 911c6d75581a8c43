import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { probeDuring, urlTarget } from "../../support/probe";

let server: Server;
let port: number;
let status: number;
let connections: number;

async function listen(): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

async function close(): Promise<void> {
  server.close();
  await once(server, "close");
}

beforeEach(async () => {
  [port, status, connections] = [0, 200, 0];
  server = createServer((_, response) => response.writeHead(status).end("page"));
  server.on("connection", () => connections++);
  await listen();
  ({ port } = server.address() as AddressInfo);
});

afterEach(close);

const targets = () => ({ page: urlTarget(`http://127.0.0.1:${port}/`, 20) });

it("a probe of a server that answers all the while counts no failure, and makes a connection for each request", async () => {
  const [result, { page }] = await probeDuring(targets(), () => sleep(500, "done"));
  expect([result, page.failed]).toEqual(["done", 0]);
  expect(page.requests).toBeGreaterThan(5);
  expect(connections).toBe(page.requests);
  expect(page.longestOutageSeconds).toBeLessThan(0.5);
});

it.each<[string, () => unknown, () => unknown]>([
  ["is closed", close, listen],
  ["answers with 500", () => (status = 500), () => (status = 200)],
])("a probe measures for how long a server %s", async (_what, begin, end) => {
  const [, { page }] = await probeDuring(targets(), async () => {
    await sleep(200);
    await begin();
    await sleep(600);
    await end();
    await sleep(300);
  });
  expect(page.failed).toBeGreaterThan(3);
  expect(page.failed).toBeLessThan(page.requests);
  expect(page.longestOutageSeconds).toBeGreaterThan(0.55);
  expect(page.longestOutageSeconds).toBeLessThan(1.1);
});

it("a probe counts an outage that has not ended, of one target and not of another", async () => {
  const gone = { everyMs: 100, request: () => Promise.reject(new Error("nobody answers")) };
  const [, { page, ...others }] = await probeDuring({ ...targets(), gone }, () => sleep(500));
  expect(page.failed).toBe(0);
  expect(others.gone.failed).toBe(others.gone.requests);
  expect(others.gone.longestOutageSeconds).toBeGreaterThanOrEqual(0.49);
});

it("a probe asks nothing more once its work has failed", async () => {
  const failing = probeDuring(targets(), () => Promise.reject(new Error("the work failed")));
  await expect(failing).rejects.toThrow("the work failed");
  const before = connections;
  await sleep(100);
  expect(connections).toBe(before);
});
