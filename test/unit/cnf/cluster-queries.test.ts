/** What a cluster says of itself before a run, by an API server that is a stand-in. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import {
  readForeignObjects,
  readBoundVolumes,
  readServedKinds,
  readVersion,
} from "../../../components/preflight/cluster-queries";
import { KubeApi } from "../../../components/kube/client/kube-api";

let server: Server;
/** By path; of others there is nothing. */
let answers: Readonly<Record<string, string>>;

beforeEach((done) => {
  server = createServer(({ url = "" }, response) => {
    response.writeHead(url in answers ? 200 : 404).end(answers[url]);
  }).listen(0, "127.0.0.1", done);
});
afterEach((done) => {
  server.closeAllConnections();
  server.close(() => void done());
});

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const kubeconfig = (api = address()) =>
  JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: api } }],
    users: [{ name: "u", user: { token: "t" } }],
  });

test.each([
  ['{"major": "1", "minor": "31+", "gitVersion": "v1.31.4-eks-1a2b3c"}', "v1.31.4-eks-1a2b3c"],
  ['{"gitVersion": "v1.33.0+k3s1"}', "v1.33.0+k3s1"],
  ['{"gitVersion": "v1.33.0 \\u001b[2J"}', undefined],
  ["no JSON", undefined],
])("its version, of the answer %s", async (text, version) => {
  answers = { "/version": text };
  expect(await readVersion(kubeconfig())).toBe(version);
});

test("its PersistentVolumes that claims hold", async () => {
  const volume = (name: string, phase: string, spec: object) => ({
    metadata: { name },
    status: { phase },
    spec,
  });
  const claimRef = { namespace: "web", name: "data" };
  const items = [
    volume("a", "Bound", { claimRef, nfs: { server: "198.19.0.50", path: "/a" } }),
    volume("b", "Bound", { claimRef, csi: {} }),
    volume("c", "Released", { claimRef, nfs: { server: "198.19.0.50", path: "/c" } }),
    volume("d", "Available", {}),
  ];
  answers = { "/api/v1/persistentvolumes": JSON.stringify({ items }) };
  expect(await readBoundVolumes(kubeconfig())).toEqual([
    { name: "a", claim: "web/data", nfsServer: "198.19.0.50" },
    { name: "b", claim: "web/data", nfsServer: undefined },
  ]);
  answers = {};
  expect(await readBoundVolumes(kubeconfig())).toBe(undefined);
});

describe("its kinds", () => {
  const monitor = { apiVersion: "example.com/v1", kind: "Monitor" };
  const rule = { apiVersion: "example.com/v1", kind: "Rule" };
  const older = { apiVersion: "example.com/v1alpha1", kind: "Monitor" };

  it("are those of the versions that it serves", async () => {
    const resources = [
      { name: "monitors", kind: "Monitor" },
      { name: "monitors/status", kind: "Monitor" },
    ];
    answers = { "/apis/example.com/v1": JSON.stringify({ kind: "APIResourceList", resources }) };
    expect(await readServedKinds(kubeconfig(), [monitor, rule, older])).toEqual([monitor]);
  });

  it("are not known where it does not answer, or not so", async () => {
    expect(await readServedKinds(kubeconfig("http://127.0.0.1:1"), [monitor])).toBeUndefined();
    server.removeAllListeners("request").on("request", (_, response: ServerResponse) => {
      response.writeHead(403).end("{}");
    });
    expect(await readServedKinds(kubeconfig(), [monitor])).toBeUndefined();
  });
});

it.each<[string, () => object]>([
  ["the API", () => ({ server: address() })],
  ["the proxy", () => ({ server: "https://192.0.2.1", "proxy-url": address() })],
])("a question ends with its time limit where %s is silent", async (_, cluster) => {
  const ended = new Promise((resolve) => {
    server.removeAllListeners("request").on("connection", (socket: Duplex) => socket.on("close", resolve));
    // it has to be read to be seen to end
    server.on("connect", (_request, socket: Duplex) => socket.on("end", () => socket.end()).resume());
  });
  const api = new KubeApi({ cluster: cluster(), user: { token: "t" } }, AbortSignal.timeout(50));
  await expect(api.get("/version")).rejects.toThrow(/cannot be reached: .*aborted/);
  await ended;
});

const LEAVING = {
  ...{ definitions: ["webs.example.com"], namespaces: [], owners: [], releases: [], named: [] },
  settingsOf: "web",
};

describe.each<[string, (kubeconfig: string) => Promise<unknown>]>([
  ["the version", readVersion],
  ["served kinds", (config) => readServedKinds(config, [{ apiVersion: "example.com/v1", kind: "Web" }])],
  ["volumes in use", readBoundVolumes],
  ["objects of others", (config) => readForeignObjects(config, LEAVING)],
])("a query of %s", (_, read) => {
  afterEach(() => jest.restoreAllMocks());
  const failing = (error: Error) => jest.spyOn(KubeApi.prototype, "get").mockRejectedValue(error);

  it("ends with an error of the program", async () => {
    const error = new TypeError("x is not a function");
    failing(error);
    await expect(read(kubeconfig())).rejects.toBe(error);
  });

  it("has no result if the variables of the kubeconfig's exec plugin are no list", async () => {
    const exec = { command: "false", env: { name: "value" } };
    const users = [{ name: "u", user: { exec } }];
    const config = { ...(JSON.parse(kubeconfig()) as object), users };
    expect(await read(JSON.stringify(config))).toBeUndefined();
  });

  it("has no result if the cluster does not answer, or an answer is no valid value", async () => {
    for (const error of [
      new Error("no answer"),
      Object.assign(new TypeError("no text"), { code: "ERR_X" }),
    ]) {
      failing(error);
      expect(await read(kubeconfig())).toBeUndefined();
    }
  });
});
