/** How the APIs of a cloud are reached: as the provider does, and again where one was busy for a moment. */
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../../../components/base/fault";
import type { CloudAccess } from "../../../components/openstack/clouds";
import { OpenStack } from "../../../components/openstack/session";
import { send, UnansweredFault } from "../../../components/openstack/transport";
import { reportUnchecked } from "../../../components/preflight/cloud";
import { ForwardProxy } from "../../support/forward-proxy";
import { selfSigned } from "../../support/receiver";

jest.mock("node:timers/promises", () => ({ setTimeout: jest.fn(() => Promise.resolve()) }));

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server | ReturnType<typeof createPlainServer>;
let answers: Answer[];
let asked: string[];

async function listen(one: typeof server): Promise<string> {
  server = one;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = answers.shift() ?? ((ours: ServerResponse) => ours.end("{}"));
    answer(response, request);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(() => {
  answers = [];
  asked = [];
  jest.mocked(sleep).mockClear();
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.mocked(sleep).mockResolvedValue(undefined);
  server.closeAllConnections();
  server.close();
});

const pauses = () => jest.mocked(sleep).mock.calls.map(([ms]) => ms);
const access = (more: Partial<CloudAccess> = {}): CloudAccess => ({
  auth_url: "https://keystone.example",
  source: "the test",
  ...more,
});
const busy =
  (status: number, after?: string): Answer =>
  (response) =>
    response.writeHead(status, after === undefined ? {} : { "retry-after": after }).end();

describe("a cloud that is busy for a moment", () => {
  it.each([429, 502, 503, 504])("is asked again after the status %d", async (status) => {
    const host = await listen(createPlainServer());
    answers = [busy(status), busy(status)];
    expect((await send(`http://${host}/a`, {}, access())).status).toBe(200);
    expect([asked, pauses()]).toEqual([
      ["GET /a", "GET /a", "GET /a"],
      [500, 1000],
    ]);
  });

  it("is asked again where it closes the connection, with the same request", async () => {
    const host = await listen(createPlainServer());
    answers = [(response) => response.destroy()];
    const request = { method: "POST", body: "login" };
    expect((await send(`http://${host}/a`, request, access())).status).toBe(200);
    expect([asked, pauses()]).toEqual([["POST /a", "POST /a"], [500]]);
  });

  it("is asked again when it says, up to a minute later", async () => {
    const host = await listen(createPlainServer());
    jest.spyOn(Date, "now").mockReturnValue(Date.UTC(2030, 0, 1));
    answers = [busy(429, "7"), busy(503, "Tue, 01 Jan 2030 00:00:09 GMT"), busy(429, "soon")];
    await send(`http://${host}/a`, {}, access());
    expect(pauses()).toEqual([7000, 9000, 2000]);
    answers = [busy(429, "61")];
    await expect(send(`http://${host}/a`, {}, access())).rejects.toEqual(
      new UnansweredFault(`GET http://${host}/a answers 429, too many requests: run again later`),
    );
  });

  it("is a fault after four tries", async () => {
    const host = await listen(createPlainServer());
    answers = [503, 503, 503, 503].map((status) => busy(status));
    const fault = `GET http://${host}/a answers 503, the API is overloaded or down: run again later`;
    await expect(send(`http://${host}/a`, {}, access())).rejects.toEqual(new UnansweredFault(fault));
    expect(asked).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 409, 500])("is not asked again after the status %d", async (status) => {
    const host = await listen(createPlainServer());
    answers = [busy(status)];
    expect((await send(`http://${host}/a`, {}, access())).status).toBe(status);
    expect([asked.length, pauses()]).toEqual([1, []]);
  });

  it("is not asked again where nobody listens", async () => {
    const host = await listen(createPlainServer());
    await new Promise((done) => server.close(done));
    await expect(send(`http://${host}/a`, {}, access())).rejects.toEqual(
      new UnansweredFault(`http://${host} cannot be reached: ECONNREFUSED`),
    );
    expect(pauses()).toEqual([]);
  });
});

describe("a cloud with a CA of its own", () => {
  const { key, certificate } = selfSigned();

  it("is trusted by its cacert", async () => {
    const url = `https://${await listen(createServer({ key, cert: certificate }))}/a`;
    expect((await send(url, {}, access({ cacert: certificate }))).status).toBe(200);
    await expect(send(url, {}, access())).rejects.toThrow(
      "DEPTH_ZERO_SELF_SIGNED_CERT; set cacert of the cloud, or NODE_EXTRA_CA_CERTS, to the file of its CA",
    );
    await expect(send(url, {}, access({ cacert: selfSigned().certificate }))).rejects.toThrow(
      "; only cacert of the cloud is trusted, and it is not the CA of this certificate",
    );
  });

  it("names a cacert that is none", async () => {
    const url = `https://${await listen(createServer({ key, cert: certificate }))}/a`;
    await expect(send(url, {}, access({ cacert: "/none" }))).rejects.toEqual(
      new Fault("the test: cacert is neither a file, /none, nor the content of certificates"),
    );
  });

  it("is shown the certificate of a client", async () => {
    const options = { key, cert: certificate, ca: certificate, requestCert: true };
    const url = `https://${await listen(createServer(options))}/a`;
    answers = [
      (response, { socket }) => response.writeHead((socket as TLSSocket).authorized ? 200 : 403).end(),
    ];
    const client = access({ cacert: certificate, cert: certificate, key });
    expect((await send(url, {}, client)).status).toBe(200);
  });

  it("is reached through the proxy of the environment", async () => {
    const proxy = await ForwardProxy.start("127.0.0.1", "user:pass", {
      "keystone.example": "127.0.0.1",
    });
    const host = await listen(createServer({ key, cert: certificate }));
    jest.replaceProperty(process, "env", { https_proxy: `http://user:pass@127.0.0.1:${proxy.port}` });
    const named = host.replace("127.0.0.1", "keystone.example");
    // the certificate is good, and of another name
    await expect(send(`https://${named}/a`, {}, access({ cacert: certificate }))).rejects.toEqual(
      new UnansweredFault(`https://${named} cannot be reached: ERR_TLS_CERT_ALTNAME_INVALID`),
    );
    expect(proxy.destinations).toEqual([named]);
    proxy.close();
  });
});

it("is reached through the proxy of the environment where it is plain", async () => {
  const host = await listen(createPlainServer());
  const port = host.split(":")[1];
  const proxy = await ForwardProxy.start("127.0.0.1", "user:pass", { "keystone.example": "127.0.0.1" });
  jest.replaceProperty(process, "env", { http_proxy: `http://user:pass@127.0.0.1:${proxy.port}` });
  expect((await send(`http://keystone.example:${port}/a`, {}, access())).text).toBe("{}");
  expect([proxy.destinations, asked]).toEqual([[`keystone.example:${port}`], ["GET /a"]]);
  proxy.close();
});

it("takes the endpoints that the provider takes in place of the catalog's", async () => {
  const host = await listen(createPlainServer());
  const endpoints = (path: string) => [{ interface: "public", region: "One", url: `http://${host}${path}` }];
  const catalog = ["compute", "network", "volumev3", "image"].map((type) => ({
    type,
    endpoints: endpoints(`/${type}`),
  }));
  catalog.push({ type: "compute_legacy", endpoints: endpoints("/legacy") });
  answers = [
    (response) =>
      response.writeHead(201, { "x-subject-token": "t" }).end(JSON.stringify({ token: { catalog } })),
  ];
  const cloud = await OpenStack.connect(
    access({
      ...{ auth_url: `http://${host}`, user_id: "u", password: "p" },
      endpointOverrides: {
        compute: "compute_legacy",
        network: `http://${host}/own/v2.0/`,
        volumev3: `http://${host}/cinder/v3/p/`,
      },
    }),
  );
  await cloud.get("compute", "/servers");
  await cloud.get("network", "/v2.0/ports");
  await cloud.get("block-storage", "/volumes");
  await cloud.get("image", "/v2/images");
  expect(asked.slice(1)).toEqual([
    "GET /legacy/servers",
    "GET /own/v2.0/ports",
    "GET /cinder/v3/p/volumes",
    "GET /image/v2/images",
  ]);
});

it("a check that is left out is a warning where the cloud does not answer, and else for debugging", async () => {
  await listen(createPlainServer());
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
  const debug = jest.spyOn(pulumi.log, "debug").mockResolvedValue();
  reportUnchecked("quotas are", new UnansweredFault("it is away"));
  reportUnchecked("quotas are", new Fault("it says no"));
  expect([warn.mock.calls, debug.mock.calls]).toEqual([
    [["quotas are not known, and therefore not checked: it is away"]],
    [["quotas are not known: it says no"]],
  ]);
});
