/** Where the APIs of a cloud are, by its catalog; asked through a Keystone that answers the same to everybody. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "../../../components/base/fault";
import { OpenStack, type Service } from "../../../components/openstack/session";

let server: Server;
let asked: (string | undefined)[];
/** The requests that were not sent elsewhere. */
let seen: string[];
/** Where it sends who asks for a path. */
let redirects: Readonly<Record<string, { readonly status: number; readonly location: string }>> = {};
/** In place of the usual one. */
let answer: ((response: ServerResponse) => void) | undefined;
let project: { readonly id: string } | undefined = { id: "id of p" };
let roles: unknown;

const endpoints = (path: string) => [
  { interface: "internal", region: "One", url: `${url()}/internal${path}` },
  { interface: "public", region: "One", url: `${url()}/one${path}` },
  { interface: "public", region: "Two", url: `${url()}/two${path}/` },
];

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url);
    const redirect = redirects[request.url ?? ""];
    if (redirect !== undefined) {
      response.writeHead(redirect.status, { location: redirect.location }).end();
      return;
    }
    seen.push([request.method, request.headers["x-auth-token"] ?? "no token"].join(" "));
    const catalog = [
      { type: "network", endpoints: endpoints("/v2.0") },
      { type: "load-balancer", endpoints: endpoints("/v2.0") },
      { type: "compute", endpoints: endpoints("/v2.1") },
      { type: "volumev3", endpoints: endpoints("/v3/p") },
    ];
    if (answer !== undefined) return answer(response);
    response
      .writeHead(201, { "x-subject-token": "t" })
      .end(JSON.stringify({ token: { catalog, project, roles } }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});

beforeEach(() => {
  asked = [];
  seen = [];
  redirects = {};
  answer = undefined;
});
afterEach(() => jest.restoreAllMocks());

afterAll(() => server.close());

it.each<[Service, string, object, string]>([
  ["network", "/v2.0/ports/p", { region_name: "Two" }, "/two/v2.0/ports/p"],
  ["load-balancer", "/v2/lbaas/pools/p", { region_name: "One" }, "/one/v2/lbaas/pools/p"],
  ["block-storage", "/volumes/v", { endpoint_type: "internalURL" }, "/internal/v3/p/volumes/v"],
])("asks %s for %s in %j at %s", async (service, path, access, expected) => {
  const login = { auth_url: url(), user_id: "u", password: "p", project_id: "p", source: "the test" };
  const cloud = await OpenStack.connect({ ...login, ...access });
  await cloud.get(service, path);
  expect(asked).toEqual(["/v3/auth/tokens", expected]);
});

it("authenticates when it is first needed, and once, whoever asks", async () => {
  const login = { auth_url: url(), user_id: "u", password: "p", project_id: "p", source: "the test" };
  const connect = OpenStack.whenNeeded(() => login);
  expect(asked).toEqual([]);
  const [one, other] = await Promise.all([connect(), connect()]);
  expect([one, asked]).toEqual([other, ["/v3/auth/tokens"]]);
});

it.each<[unknown, readonly string[]]>([
  [
    [
      { id: "1", name: "member" },
      { id: "2", name: "reader" },
    ],
    ["member", "reader"],
  ],
  [[null, "member", { id: "1" }, { name: 7 }], []],
  ["member", []],
  [undefined, []],
])("knows the roles of its token by their names: %j", async (given, names) => {
  roles = given;
  const login = { auth_url: url(), user_id: "u", password: "p", project_id: "p", source: "the test" };
  expect((await OpenStack.connect(login)).roles).toEqual(names);
});

it("knows the project that its token is for, and says where it has none", async () => {
  const login = { auth_url: url(), user_id: "u", password: "p", project_id: "p", source: "the test" };
  expect((await OpenStack.connect(login)).projectId).toBe("id of p");
  project = undefined;
  const cloud = await OpenStack.connect(login);
  expect(() => cloud.projectId).toThrow(new Fault("the test has no project"));
});

const login = () => ({ auth_url: url(), user_id: "u", password: "p", project_id: "p", source: "the test" });

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])(
    "to the same origin is followed with the same request: %d",
    async (status) => {
      redirects = {
        "/v3/auth/tokens": { status, location: "/identity/v3/auth/tokens" },
        "/one/v2.1/servers/s": { status, location: `${url()}/nova/servers/s` },
      };
      const cloud = await OpenStack.connect(login());
      await cloud.delete("compute", "/servers/s");
      expect(seen).toEqual(["POST no token", "DELETE t"]);
      expect(asked.filter((path) => redirects[path ?? ""] === undefined)).toEqual([
        "/identity/v3/auth/tokens",
        "/nova/servers/s",
      ]);
    },
  );

  it.each([
    ["http://other.example/v3", "http://other.example"],
    ["https://other.example:5000/v3", "https://other.example:5000"],
    ["//user:pw@other.example/v3", "http://other.example"],
    ["ftp://127.0.0.1/v3", "ftp://127.0.0.1"],
    ["https://127.0.0.1/v3", "https://127.0.0.1"],
    ["http://127.0.0.1:1/v3", "http://127.0.0.1:1"],
  ])("to %s has neither password nor token", async (location, shown) => {
    const fault = (before: string) =>
      new Fault(
        `${before} redirects to ${shown}, which is not followed: ` +
          "password or token would be sent there; set auth_url and the endpoints of the catalog to the final URLs",
      );
    redirects = { "/v3/auth/tokens": { status: 307, location } };
    await expect(OpenStack.connect(login())).rejects.toThrow(fault(url()));
    redirects = { "/one/v2.1/servers/s": { status: 307, location } };
    const cloud = await OpenStack.connect(login());
    await expect(cloud.get("compute", "/servers/s")).rejects.toThrow(fault(url()));
  });

  it("from https to http is not followed", async () => {
    const answer = new Response(null, { status: 308, headers: { location: "http://keystone.example/v3" } });
    const fetched = jest.spyOn(globalThis, "fetch").mockResolvedValue(answer);
    const access = { ...login(), auth_url: "https://keystone.example" };
    await expect(OpenStack.connect(access)).rejects.toThrow(
      "https://keystone.example redirects to http://keystone.example, which is not followed",
    );
    expect(fetched).toHaveBeenCalledTimes(1);
    fetched.mockRestore();
  });

  it("in a circle ends", async () => {
    redirects = { "/v3/auth/tokens": { status: 302, location: "/v3/auth/tokens" } };
    await expect(OpenStack.connect(login())).rejects.toThrow(
      new Fault(`${url()} redirects more than 5 times`),
    );
  });
});

const token = { "x-subject-token": "t" };

it("keeps the token of a cloud of https from an endpoint of http", async () => {
  const catalog = ["http://nova.example:8774/v2.1", "https://glance.example"].map((url, i) => ({
    type: ["compute", "image"][i],
    endpoints: [{ interface: "public", region_id: "One", url }],
  }));
  const answers = [{ token: { catalog } }, { images: [{ id: "i" }] }];
  const fetched = jest
    .spyOn(globalThis, "fetch")
    .mockImplementation(() =>
      Promise.resolve(new Response(JSON.stringify(answers.shift()), { status: 201, headers: token })),
    );
  const cloud = await OpenStack.connect({
    ...login(),
    auth_url: "https://keystone.example",
    region_name: "One",
  });
  await expect(cloud.get("compute", "/servers")).rejects.toEqual(
    new Fault(
      "the catalog of the cloud has http://nova.example:8774 for compute, and auth_url of the test is https: the token " +
        "would be sent unencrypted. Register an https endpoint in the catalog, or choose an existing one with endpoint_type and region_name",
    ),
  );
  expect(await cloud.get("image", "/v2/images")).toEqual({ images: [{ id: "i" }] });
  expect(fetched.mock.calls.map(([asked]) => asked)).toEqual([
    "https://keystone.example/v3/auth/tokens",
    "https://glance.example/v2/images",
  ]);
});

it.each<[string, (response: ServerResponse) => void, string]>([
  [
    "a page",
    (response) => response.writeHead(200).end("<html>log in</html>"),
    "answers 200: is auth_url of the test right?",
  ],
  [
    "a page in place of a token",
    (response) => response.writeHead(201, token).end("<html></html>"),
    "answers with something other than a token: is auth_url of the test right?",
  ],
  [
    "another JSON in place of a token",
    (response) => response.writeHead(201, token).end('{"token": null}'),
    "answers with something other than a token: is auth_url of the test right?",
  ],
])("says that Keystone answers %s", async (_, other, said) => {
  answer = other;
  await expect(OpenStack.connect(login())).rejects.toEqual(
    new Fault(`Keystone at ${url()}/v3/auth/tokens ${said}`),
  );
});

it("does not wait without end for a Keystone that drips", async () => {
  const drips: NodeJS.Timeout[] = [];
  answer = (response) => {
    response.writeHead(201, token);
    drips.push(setInterval(() => response.write(" "), 50));
  };
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  jest.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 100));
  await expect(OpenStack.connect(login())).rejects.toEqual(
    new Fault(`${url()} did not respond completely within 60 s`),
  );
  drips.forEach(clearInterval);
});

it.each(["keystone:5000", "http//keystone", "file:///etc/passwd", " "])(
  "refuses %j as a URL",
  async (auth_url) => {
    await expect(OpenStack.connect({ ...login(), auth_url })).rejects.toEqual(
      new Fault("auth_url of the test is not a URL: write https://host:port/v3"),
    );
  },
);

it.each([
  [null],
  ["none"],
  [[null, 1, { type: "network" }, { type: "network", endpoints: [null, { url: 1 }] }]],
])("finds no endpoint in the catalog %j", async (catalog) => {
  answer = (response) => response.writeHead(201, token).end(JSON.stringify({ token: { catalog } }));
  const cloud = await OpenStack.connect(login());
  await expect(cloud.get("network", "/v2.0/ports")).rejects.toEqual(
    new Fault("the test: the catalog has no public endpoint of network"),
  );
});

it.each([
  ["null", "null instead of a JSON object"],
  ["[]", "a list instead of a JSON object"],
  ["", "nothing"],
])("says that an API answers with %j", async (text, what) => {
  const cloud = await OpenStack.connect(login());
  answer = (response) => response.writeHead(200).end(text);
  await expect(cloud.get("compute", "/flavors/detail")).rejects.toEqual(
    new Fault(`GET ${url()}/one/v2.1/flavors/detail answers with ${what}: is there a proxy in front of it?`),
  );
});

it("shows no token that an API repeats", async () => {
  const catalog = [{ type: "compute", endpoints: endpoints("/v2.1") }];
  answer = (response) =>
    response
      .writeHead(201, { "x-subject-token": "long-token" })
      .end(JSON.stringify({ token: { catalog, project } }));
  const cloud = await OpenStack.connect(login());
  answer = (response) => response.writeHead(500).end(`${".".repeat(499)}${cloud.token}`);
  await expect(cloud.get("compute", "/flavors/detail")).rejects.toEqual(
    new Fault(`GET ${url()}/one/v2.1/flavors/detail answers 500: ${".".repeat(499)}[`),
  );
});

it("says that an API answers with a page", async () => {
  const cloud = await OpenStack.connect(login());
  answer = (response) => response.writeHead(200).end("<html></html>");
  await expect(cloud.get("compute", "/flavors/detail")).rejects.toEqual(
    new Fault(
      `GET ${url()}/one/v2.1/flavors/detail answers with something other than JSON: is there a proxy in front of it?`,
    ),
  );
});
