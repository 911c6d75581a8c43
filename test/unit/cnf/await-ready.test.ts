import { execFile } from "node:child_process";
import { programArguments } from "../../../components/remote/program-command";
import { standIn } from "../../support/stand-in";

const PATH = "/apis/apps/v1/namespaces/web/deployments/web";
const QUOTA = "exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0";
const deployment = (ready: number) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "web", uid: "d", generation: 1 },
  spec: { replicas: 1, selector: { matchLabels: { app: "web" } } },
  status: {
    observedGeneration: 1,
    replicas: ready,
    updatedReplicas: ready,
    readyReplicas: ready,
    availableReplicas: ready,
    conditions: [{ type: "Available", status: "True" }],
  },
});

/** A ReplicaSet of the Deployment at a revision. */
const replicaSet = (revision: string, conditions: object[]) => ({
  metadata: {
    name: `web-${revision}`,
    uid: `rs-${revision}`,
    ownerReferences: [{ uid: "d" }],
    annotations: { "deployment.kubernetes.io/revision": revision },
  },
  status: { conditions },
});
const failure = (message: string) => [
  { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message },
];

/** In place of an answer: one without end. */
const DRIP = {};

let asked: string[];
/** What it has printed the time before. */
let before: string;
let answers: Record<string, object | undefined>;

const api = standIn((request, response) => {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  asked.push(decodeURIComponent(query === "" ? path : `${path}?${query}`));
  const answer = answers[path];
  if (answer === DRIP) {
    response.writeHead(200);
    const drops = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(drops));
    return;
  }
  response
    .writeHead(answer === undefined ? 404 : 200)
    .end(JSON.stringify(answer ?? { message: "not found" }));
});
beforeEach(() => {
  asked = [];
  before = "";
});

/** The script as the engine runs it. */
function run(
  seconds: number,
  what: object = { path: PATH, name: "Deployment web/web" },
  ofNode: readonly string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const access = { cluster: { server: api.url }, user: { token: "s3cret" } };
  const input = { access, ...what, uid: "d", generation: 1, until: "ready", seconds };
  return new Promise((resolve) => {
    const env = { ...process.env, PULUMI_COMMAND_STDOUT: before };
    const script = [...ofNode, ...programArguments("deploy/objects/scripts/await-ready")];
    const child = execFile("node", script, { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin?.end(JSON.stringify(input));
  });
}

describe("the wait for an object", () => {
  it("ends with one question where the object is ready, and tells what was ready", async () => {
    const ready = deployment(1);
    const conditions = [
      ...ready.status.conditions,
      { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" },
    ];
    answers = { [PATH]: { ...ready, status: { ...ready.status, conditions } } };
    expect(await run(5)).toEqual({ code: 0, stdout: "ready: d 1", stderr: "" });
    expect(asked).toEqual([PATH]);
  });

  it("asks nothing where it was ready the time before, and again where that was another", async () => {
    answers = {};
    before = "ready: d 1";
    expect(await run(5)).toEqual({ code: 0, stdout: before, stderr: "" });
    expect(asked).toEqual([]);
    for (before of ["complete: d 1", "ready: e 1", "ready: d 2", "Deployment web/web is not ready"])
      expect((await run(5)).code).toBe(1);
  });

  it("fails in time, with the reasons of the newest ReplicaSet alone, and says what it could not read", async () => {
    answers = {
      [PATH]: deployment(0),
      "/apis/apps/v1/namespaces/web/replicasets": {
        items: [replicaSet("9", failure("of the past")), replicaSet("10", failure(QUOTA))],
      },
      "/api/v1/namespaces/web/pods": { items: [] },
    };
    expect(await run(1)).toEqual({
      code: 1,
      stdout: [
        "Deployment web/web is not ready after 1 s: replicas: 0/1",
        `ReplicaSet web-10: FailedCreate: ${QUOTA}`,
        "not read: Events: the Kubernetes API rejects it with 404: not found",
        "",
      ].join("\n"),
      stderr: "",
    });
    expect(asked).toContain("/apis/apps/v1/namespaces/web/replicasets?labelSelector=app=web");
  });

  it("finds a custom resource by its kind's plural, and tells what its controller says", async () => {
    const custom = { apiVersion: "example.com/v1", kind: "Proxy", name: "p" };
    const condition = { type: "Ready", status: "False", reason: "NoRoom", message: "nowhere" };
    const event = { metadata: { name: "p.1" }, type: "Warning", reason: "Tried", message: "in vain" };
    const cluster = "/apis/example.com/v1/proxies/p";
    const namespaced = "/apis/example.com/v1/namespaces/web/proxies/p";
    const discovery = (isNamespaced: boolean) => ({
      resources: [
        { name: "proxies/status", kind: "Proxy", namespaced: isNamespaced },
        { name: "proxies", kind: "Proxy", namespaced: isNamespaced },
      ],
    });
    const proxy = { ...custom, metadata: { name: "p", uid: "u" }, status: { conditions: [condition] } };
    answers = {
      "/apis/example.com/v1": discovery(false),
      [cluster]: proxy,
      "/api/v1/namespaces/default/events": { items: [event] },
    };
    expect(await run(1, { custom, name: "Proxy p" })).toEqual({
      code: 1,
      stdout: [
        "Proxy p is not ready after 1 s: Ready is False: NoRoom: nowhere",
        "Proxy p: Tried: in vain",
        "",
      ].join("\n"),
      stderr: "",
    });
    answers = { "/apis/example.com/v1": discovery(true), [namespaced]: { ...proxy, status: {} } };
    expect((await run(1, { custom: { ...custom, namespace: "web" }, name: "Proxy web/p" })).code).toBe(0);
  });

  it("keeps what the cluster says from the operator's terminal", async () => {
    const custom = { apiVersion: "example.com/v1", kind: "Proxy", name: "p" };
    const condition = { type: "Ready", status: "False", reason: "No\u001b[2J", message: "\u202ewhere" };
    answers = {
      "/apis/example.com/v1": { resources: [{ name: "proxies", kind: "Proxy", namespaced: false }] },
      "/apis/example.com/v1/proxies/p": {
        ...custom,
        metadata: { name: "p" },
        status: { conditions: [condition] },
      },
    };
    const { stdout } = await run(1, { custom, name: "Proxy p" });
    expect(stdout.split("\n")[0]).toBe(
      "Proxy p is not ready after 1 s: Ready is False: No\\u001b[2J: \\u202ewhere",
    );
  });

  it("does not wait without end for an API server that drips", async () => {
    answers = { [PATH]: DRIP };
    expect(await run(1, undefined, ["--require", "./test/support/hurry.cjs"])).toEqual({
      code: 1,
      stdout: `Deployment web/web is not ready after 1 s: the Kubernetes API at ${new URL(api.url).host} cannot be reached: no complete response within 300 s\n`,
      stderr: "",
    });
  });

  it("gives the API server time to know a kind", async () => {
    answers = {};
    const custom = { apiVersion: "example.com/v1", kind: "Proxy", name: "p" };
    expect((await run(1, { custom, name: "Proxy p" })).stdout).toBe(
      "Proxy p is not ready after 1 s: the Kubernetes API has no Proxy of example.com/v1\n",
    );
  });

  it.each([
    ["socks5://127.0.0.1:1", "a proxy must be an http:// one, not socks5://"],
    ["127.0.0.1:1", "the proxy's URL is not valid"],
  ])("fails at once where its proxy is %s", async (proxy, message) => {
    const access = {
      cluster: { server: "https://192.0.2.1", "proxy-url": proxy },
      user: { token: "s3cret" },
    };
    const { code, stdout } = await run(60, { path: PATH, name: "Deployment web/web", access });
    expect([code, stdout]).toEqual([1, `${message}\n`]);
  });

  it("fails at once where the object is gone", async () => {
    answers = {};
    expect(await run(60)).toEqual({ code: 1, stdout: "Deployment web/web no longer exists\n", stderr: "" });
  });
});
