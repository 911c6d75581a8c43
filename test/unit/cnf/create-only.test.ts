import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { stringify } from "yaml";
import * as pulumi from "@pulumi/pulumi";
import { createOnly } from "../../../components/deploy/objects/create-only";
import { postPath } from "../../../components/kube/objects/paths";
import { recordResources, settle } from "../../support/mocks";
import { dependencies, objectsOf, planned } from "./support";

const REVIEW =
  "{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: {resourceAttributes: {verb: get}}}";

describe("the plan", () => {
  it("tells questions apart by their content, and posts orders after what they are about", () => {
    const { plan, faults } = planned(`
${REVIEW}
---
${REVIEW.replace("get", "list")}
---
{apiVersion: policy/v1, kind: Eviction, metadata: {name: web}}
---
{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, metadata: {name: app}}
---
{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: app}}
`);
    expect(faults).toEqual([]);
    const reviews = plan.objects.filter(({ key }) => key.includes("review"));
    expect(new Set(reviews.map(({ key }) => key)).size).toBe(2);
    expect(plan.objects.filter(({ createOnly: only }) => only)).toHaveLength(4);
    expect(dependencies(plan)).toMatchObject({
      "eviction-default/web": ["pod-default/web"],
      "tokenrequest-default/app": ["serviceaccount-default/app"],
    });
  });
});

it.each([
  [
    "SelfSubjectRulesReview",
    "authorization.k8s.io/v1",
    "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
  ],
  ["TokenReview", "authentication.k8s.io/v1", "/apis/authentication.k8s.io/v1/tokenreviews"],
  [
    "LocalSubjectAccessReview",
    "authorization.k8s.io/v1",
    "/apis/authorization.k8s.io/v1/namespaces/n/localsubjectaccessreviews",
  ],
  ["Eviction", "policy/v1", "/api/v1/namespaces/n/pods/p/eviction"],
  ["Binding", "v1", "/api/v1/namespaces/n/pods/p/binding"],
  ["TokenRequest", "authentication.k8s.io/v1", "/api/v1/namespaces/n/serviceaccounts/p/token"],
])("%s of %s is posted to %s", (kind, apiVersion, path) => {
  const namespace = path.includes("namespaces") ? { namespace: "n" } : {};
  expect(postPath({ apiVersion, kind, metadata: { name: "p", ...namespace } })).toBe(path);
});

describe("the command", () => {
  const servers: Server[] = [];
  const recorded = recordResources();

  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  /** Runs the command of a review as the engine would. */
  async function run(
    kubeconfig: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const [object] = objectsOf(REVIEW);
    if (object === undefined) throw new Error("no review");
    const { length } = recorded;
    createOnly("cnf-review", { object, kubeconfig: pulumi.output(kubeconfig), timeout: "1m" }, {});
    await settle();
    const { create, stdin } = recorded[length]?.inputs as { create: string; stdin: { value: string } };
    expect(create).toBe(`exec node -e 'require("vnfm/run")' deploy/objects/scripts/post-object`);
    return new Promise((resolve) => {
      const options = { env: { ...process.env, ...env } };
      const child = execFile("sh", ["-c", create], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
      child.stdin?.end(stdin.value);
    });
  }

  const listen = (listening: Server): Promise<string> =>
    new Promise((resolve) => {
      servers.push(listening);
      listening.listen(0, "127.0.0.1", () => {
        resolve(`127.0.0.1:${(listening.address() as AddressInfo).port}`);
      });
    });

  const kubeconfigOf = (cluster: object, user: object = { token: "s3cret" }) =>
    stringify({
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    });

  const answering =
    (status: number, answer: object, seen: unknown[] = []): RequestListener =>
    (request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body: unknown = JSON.parse(Buffer.concat(parts).toString());
        seen.push([request.method, request.url, request.headers.authorization, body]);
        response.writeHead(status).end(JSON.stringify(answer));
      });
    };

  it("posts the object as it stands in the manifest, and prints the answer's status", async () => {
    const seen: unknown[] = [];
    const host = await listen(createServer(answering(201, { status: { allowed: true } }, seen)));
    const result = await run(kubeconfigOf({ server: `http://${host}/` }));
    expect(result).toEqual({ code: 0, stdout: '{"allowed":true}', stderr: "" });
    const [object] = objectsOf(REVIEW);
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    expect(seen).toEqual([["POST", path, "Bearer s3cret", object]]);
  });

  it("fails with the API's reason, and shows no credentials", async () => {
    const host = await listen(createServer(answering(403, { message: "not you" })));
    const { code, stderr } = await run(kubeconfigOf({ server: `http://${host}` }));
    expect([code, stderr]).toEqual([
      1,
      "SelfSubjectAccessReview: the Kubernetes API rejects it with 403: not you\n",
    ]);
  });

  it("says what is missing of a kubeconfig, and what cannot be reached", async () => {
    const without = await run(kubeconfigOf({ server: "http://127.0.0.1:1" }, {}));
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringContaining("no token, password, client certificate or exec plugin"),
    ]);
    const closed = await run(kubeconfigOf({ server: "http://127.0.0.1:1" }));
    expect([closed.code, closed.stderr]).toEqual([
      1,
      expect.stringContaining("127.0.0.1:1 cannot be reached"),
    ]);
  });

  it("takes the token of the kubeconfig's exec plugin", async () => {
    const seen: unknown[] = [];
    const host = await listen(createServer(answering(201, {}, seen)));
    const exec = { command: "sh", args: ["-c", 'echo "{\\"status\\":{\\"token\\":\\"$NAME\\"}}"'] };
    const user = { exec: { ...exec, env: [{ name: "NAME", value: "fresh" }] } };
    expect((await run(kubeconfigOf({ server: `http://${host}` }, user))).code).toBe(0);
    expect(seen).toEqual([expect.arrayContaining(["Bearer fresh"])]);
  });

  it("starts the exec plugin without what has the passphrase of the stack and the password of the cloud", async () => {
    const seen: unknown[] = [];
    const host = await listen(createServer(answering(201, {}, seen)));
    const exec = {
      command: "sh",
      args: ["-c", 'echo "{\\"status\\":{\\"token\\":\\"$PULUMI_X-$OS_X-$OS_OWN\\"}}"'],
    };
    const user = { exec: { ...exec, env: [{ name: "OS_OWN", value: "own" }] } };
    const secrets = { PULUMI_X: "passphrase", OS_X: "password", OS_OWN: "other" };
    expect((await run(kubeconfigOf({ server: `http://${host}` }, user), secrets)).code).toBe(0);
    expect(seen).toEqual([expect.arrayContaining(["Bearer --own"])]);
  });

  it("trusts the kubeconfig's CA and no other, through its proxy too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "vnfm-"));
    const [key, cert] = [join(folder, "key"), join(folder, "cert")];
    const san = ["-subj", "/CN=api", "-addext", "subjectAltName=IP:127.0.0.1,IP:::1"];
    const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
    execFileSync("openssl", ["req", "-x509", ...newKey, "-out", cert, ...san], { stdio: "ignore" });
    const tls = { key: readFileSync(key), cert: readFileSync(cert) };
    rmSync(folder, { recursive: true });
    const host = await listen(createTlsServer(tls, answering(201, { status: {} })));
    const url = `https://${host}`;
    const ca = tls.cert.toString("base64");
    expect((await run(kubeconfigOf({ server: url, "certificate-authority-data": ca }))).code).toBe(0);
    expect((await run(kubeconfigOf({ server: url }))).stderr).toContain("self-signed certificate");
    const proxied: unknown[] = [];
    const proxy = createServer().on("connect", (request: { url?: string }, socket: Socket) => {
      proxied.push(request.url);
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const through = connect(Number(request.url?.split(":").at(-1)), "127.0.0.1");
      // either side may hang up first
      pipeline(socket, through, socket, () => undefined);
    });
    const tunnelled = await listen(proxy);
    const cluster = { server: url, "certificate-authority-data": ca, "proxy-url": `http://${tunnelled}` };
    expect(await run(kubeconfigOf(cluster))).toMatchObject({ code: 0, stderr: "" });
    expect(proxied).toEqual([host]);
    const sixth = host.replace("127.0.0.1", "[::1]");
    expect(await run(kubeconfigOf({ ...cluster, server: `https://${sixth}` }))).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(proxied).toEqual([host, sixth]);
  });
});
