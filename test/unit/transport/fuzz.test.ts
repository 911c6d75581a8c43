/** Clients of HTTP before servers and proxies that answer with anything, or without end. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { programArguments } from "../../../components/remote/program-command";
import { listed } from "../../../components/openstack/listing";
import { OpenStack } from "../../../components/openstack/session";
import { pullChart } from "../../../components/gather/chart-registry";
import { fetchChart } from "../../../components/gather/chart-repository";
import { KubeApi } from "../../../components/kube/client/kube-api";
import { objectAt, objectsAt, resourcesOf } from "../../../components/kube/client/read";
import { tunnel } from "../../../components/base/net/proxy";
import { Secret } from "../../../components/base/secret";
import { fuzzAsync } from "../../support/fuzz-async";
import { OddServer, type OddAnswer } from "../../support/odd-server";
import { selfSigned } from "../../support/receiver";

const [USER, PASSWORD, TOKEN] = ["the-user", "hidden-password", "hidden-token"];
/** Texts that no message may have. */
const SECRETS = [PASSWORD, TOKEN, btoa(`${USER}:${PASSWORD}`)];

/** Limits of ten seconds and more pass in this many milliseconds. */
const LIMIT = 250;

let plain: OddServer;
let encrypted: OddServer;
let proxy: OddServer;
const { key, certificate } = selfSigned();

beforeEach(() => {
  const wait = globalThis.setTimeout;
  jest
    .spyOn(globalThis, "setTimeout")
    .mockImplementation((then: () => void, ms = 0) => wait(then, ms >= 10_000 ? LIMIT : ms));
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  jest.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(Math.min(ms, LIMIT)));
});

afterEach(() => jest.restoreAllMocks());

const kube = (server: string, more: object = {}) => {
  const cluster = { server, "certificate-authority-data": btoa(certificate), ...more };
  return new KubeApi({ cluster, user: { token: TOKEN } });
};
const cloud = () =>
  OpenStack.connect({ auth_url: plain.url, user_id: USER, password: PASSWORD, source: "the cloud" });
const login = { username: USER, password: new Secret(PASSWORD) };
const chart = { kind: "repository", chart: "web", version: "1.0.0", digest: "0".repeat(64), login } as const;

/** Everything that speaks to a server which others run. */
const CLIENTS: Readonly<Record<string, () => Promise<unknown>>> = {
  "a Kubernetes API": () => objectAt(kube(plain.url), "/api/v1/namespaces/web/pods/a"),
  "lists of a Kubernetes API": () => objectsAt(kube(encrypted.url), "/api/v1/services"),
  "kinds of a Kubernetes API": () => resourcesOf(kube(encrypted.url), "apps/v1"),
  "changes by a Kubernetes API": async () => {
    const api = kube(plain.url);
    await api.post("/x", {});
    await api.patch("/x", []);
    await api.apply("/x", "{}", "vnfm");
    await api.delete("/x", "u");
    await api.text("/x");
  },
  "a Kubernetes API behind a proxy": () =>
    objectAt(kube(encrypted.url, { "proxy-url": withLogin(proxy.url) }), "/version"),
  "a proxy": () => tunnel(new URL("https://api.example:6443"), new URL(withLogin(proxy.url)), {}),
  "a receiver of credentials": sendCredentials,
  "a cloud": async () => {
    const session = await cloud();
    await listed(session, "compute", "/servers", "servers");
    await session.get("network", "/v2.0/ports");
    await session.delete("compute", "/servers/s");
  },
  "a registry": () =>
    pullChart({ url: plain.url.replace("http:", "oci:") + "/charts/web", version: "1", login }),
  "a repository of charts": () => fetchChart({ ...chart, url: plain.url }),
};

/** The program of a step, in a process of its own, which makes one attempt. */
async function sendCredentials(): Promise<unknown> {
  const script = programArguments("deploy/objects/scripts/send-credentials");
  const program = spawn(process.execPath, ["--require", "./test/support/hurry.cjs", ...script]);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const receiver = { url: encrypted.url, ca: certificate, headers, seconds: 0 };
  program.stdin.end(JSON.stringify({ receiver, name: "web", credentials: { password: PASSWORD } }));
  const ended = new Promise<number | null>((done) => program.on("exit", done));
  const [printed, words, status] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
  if (status === 0 && printed + words === "") return {};
  throw new Error(`${printed}${words}`.replace(/\n$/, ""));
}

function withLogin(url: string): string {
  return url.replace("http://", `http://${USER}:${PASSWORD}@`);
}

/** Outcome of a call. @throws Error where it does not end within its limits */
async function endOf(call: () => Promise<unknown>): Promise<unknown> {
  const guard = new AbortController();
  const late = new Promise((_, fail) => {
    const check = setTimeout(() => fail(new Error("it has not ended")), 9_000);
    guard.signal.addEventListener("abort", () => clearTimeout(check));
  });
  try {
    return await Promise.race([call().catch((error: unknown) => ({ error })), late]);
  } finally {
    guard.abort();
  }
}

/** An end is an answer, or an error in an operator's words. */
function assertReadable(end: unknown): void {
  if (typeof end !== "object" || end === null || !("error" in end)) return;
  const { error } = end;
  const { message, name } = error as Error;
  expect(name).toBe("Error");
  expect(message).not.toMatch(
    /^$|\n\s+at |Cannot (read|convert)|is not (a function|iterable)|\[object|undefined/,
  );
  expect(message.length).toBeLessThan(6_000);
  for (const secret of SECRETS) expect(message).not.toContain(secret);
}

const CRLF = "\r\n";
const TOKEN_ANSWER = JSON.stringify({
  token: {
    project: { id: "p" },
    catalog: ["compute", "network"].map((type) => ({
      type,
      endpoints: [{ interface: "public", region: "One", url: "$URL" }],
    })),
  },
});

/** Answers as they should be, so that a client goes on and asks for more. */
const RIGHT: readonly OddAnswer[] = [
  right(`201 Created${CRLF}x-subject-token: ${TOKEN}`, TOKEN_ANSWER),
  right("200 OK", '{"metadata": {"name": "a"}, "items": [{"metadata": {}}], "servers": [{"id": "s"}]}'),
  right(`401 Unauthorized${CRLF}www-authenticate: Bearer realm="$URL/token",service="s"`, ""),
  right(
    "200 OK",
    `{"token": "${TOKEN}", "layers": [{"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar"}]}`,
  ),
  right("403 Forbidden", '{"message": "$REQUEST"}'),
  right("200 OK", "entries: {web: [{version: 1.0.0, urls: [web.tgz]}]}"),
  { bytes: `HTTP/1.1 200 Connection established${CRLF}${CRLF}`, end: "hang" },
];

function right(status: string, body: string): OddAnswer {
  return { bytes: `HTTP/1.1 ${status}${CRLF}connection: close${CRLF}${CRLF}${body}`, end: "close" };
}

const status = fc.constantFrom(
  ...[
    "200 OK",
    "200",
    "201 Created",
    "204 No Content",
    "206 Partial",
    "304 Not Modified",
    "299 x",
    "200 $REQUEST",
  ],
  ...["100 Continue", "101 Switching Protocols", "103 Early Hints", "199 x"],
  ...["301 Moved", "302 Found", "307 Temporary", "308 Permanent"],
  ...[
    "400 Bad",
    "401 Unauthorized",
    "403 Forbidden",
    "404 Not Found",
    "407 Proxy",
    "409 Conflict",
    "429 Many",
  ],
  ...["500 Error", "502 Bad", "503 No", "599 x", "600 x", "999 x", "0 x", "20000 x", "-1 x", "abc"],
);
const version = fc.constantFrom(
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.0",
  "HTTP/2",
  "HTTP/9.9",
  "SSH-2.0",
  "",
);
const header = fc.constantFrom(
  ...["content-length: 0", "content-length: 5", "content-length: 99999999999", "content-length: -1"],
  ...["content-length: 1\r\ncontent-length: 2", "content-length: x", "transfer-encoding: chunked"],
  ...["transfer-encoding: gzip", "transfer-encoding: chunked, chunked", "content-encoding: gzip"],
  ...["content-encoding: br, gzip, deflate", "content-encoding: x"],
  ...[
    "connection: upgrade\r\nupgrade: websocket",
    "connection: close",
    "connection: keep-alive",
    "upgrade: h2c",
  ],
  ...["location: /again", "location: $URL/other", "location: http://127.0.0.1:1/", "location: http://[::"],
  ...[
    "location: //user:pw@x.example",
    "location: file:///etc/passwd",
    "location: data:text/plain,x",
    "location: ",
  ],
  ...[`x-subject-token: ${TOKEN}`, "x-subject-token: \xff", "x-subject-token: "],
  ...['www-authenticate: Bearer realm="$URL/token"', 'www-authenticate: Bearer realm="http://127.0.0.1:1"'],
  ...["www-authenticate: Bearer realm=", "www-authenticate: Basic x", 'www-authenticate: Bearer realm="x:y"'],
  ...[
    "content-type: application/json; charset=utf-16",
    "set-cookie: a=b",
    "x: \x01\x02",
    "no colon",
    " folded",
    ": x",
  ],
  `x: ${"y".repeat(20_000)}`,
  Array.from({ length: 3_000 }, (_, i) => `x-${i}: y`).join(CRLF),
);
const ODD_TEXTS = [
  ...["null", "[]", "5", '"x"', "true", "{", "", " ", "<html>$REQUEST</html>", "\x00\xff\xfe", "{}{}"],
  ...['{"message": "$REQUEST"}', '{"message": {"toString": 1}}', '{"message": null}', '{"toString": 1}'],
  ...['{"items": null}', '{"items": [null, 5, {}]}', '{"metadata": null}', '{"metadata": {"name": {}}}'],
  ...[
    '{"resources": [null, {"name": 5}]}',
    '{"token": null}',
    '{"token": {"catalog": 5}}',
    '{"token": "a b\\n"}',
  ],
  ...['{"token": {"catalog": [{"type": "compute", "endpoints": [{"interface": "public", "url": "x"}]}]}}'],
  ...[
    '{"servers": 5, "servers_links": [{"rel": "next", "href": 5}]}',
    '{"servers": [], "next": "/servers?x"}',
  ],
  ...[
    '{"layers": [null, {"mediaType": {}}]}',
    "entries: {web: [null, {version: 1.0.0, urls: [5]}]}",
    "entries: 5",
  ],
  ...[`${"[".repeat(5_000)}${"]".repeat(5_000)}`, `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
  ...[
    "&a [*a]",
    `{"message": "${"x".repeat(100_000)}"}`,
    "5\r\nabcde\r\n0\r\n\r\n",
    "zz\r\n",
    "1\r\nx\r\nffffffffff\r\n",
  ],
];
const body = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.json({ maxDepth: 3 }));

const odd: fc.Arbitrary<OddAnswer> = fc.record(
  {
    bytes: fc
      .tuple(version, status, fc.array(header, { maxLength: 4 }), body, fc.boolean())
      .map(([protocol, line, headers, text, isInformed]) => {
        const before = isInformed ? `HTTP/1.1 100 Continue${CRLF}${CRLF}` : "";
        return `${before}${[`${protocol} ${line}`, ...headers].join(CRLF)}${CRLF}${CRLF}${text}`;
      }),
    cutAt: fc.oneof(fc.nat({ max: 400 }), fc.constant(100_000_000)),
    end: fc.constantFrom(
      ...(["close", "close", "close", "reset", "reset", "hang", "drip", "endless"] as const),
    ),
  },
  { requiredKeys: ["bytes", "end"] },
);
/** Some right answers, then odd ones. */
const conversation = fc
  .tuple(
    fc.array(fc.constantFrom(...RIGHT), { maxLength: 4 }),
    fc.array(fc.oneof(odd, odd, fc.constantFrom(...RIGHT)), { minLength: 1, maxLength: 4 }),
  )
  .map(([first, then]) => [...first, ...then]);

it("each client ends with an answer or with words, whatever it is answered", async () => {
  const who = fc.constantFrom(...Object.keys(CLIENTS));
  const property = fc.asyncProperty(who, conversation, async (name, answers) => {
    plain = await OddServer.start(answers);
    encrypted = await OddServer.start(answers, { key, cert: certificate });
    proxy = await OddServer.start(answers);
    try {
      assertReadable(await endOf(CLIENTS[name] as () => Promise<unknown>));
    } finally {
      await Promise.all([plain, encrypted, proxy].map((server) => server.stop()));
    }
  });
  await fuzzAsync(property, 40);
});
