/** Where the APIs of a cloud are, by its catalog; asked through a Keystone that answers the same to everybody. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "../../../components/fault";
import { OpenStack, type Service } from "../../../components/openstack/session";

let server: Server;
let asked: (string | undefined)[];
/** The requests that were not sent elsewhere. */
let seen: string[];
/** Where it sends who asks for a path. */
let redirects: Readonly<Record<string, { readonly status: number; readonly location: string }>> = {};
let project: { readonly id: string } | undefined = { id: "id of p" };

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
    response.writeHead(201, { "x-subject-token": "t" }).end(JSON.stringify({ token: { catalog, project } }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});

beforeEach(() => {
  asked = [];
  seen = [];
  redirects = {};
});

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

it("authenticates when it is first needed, and lists the flavors once, whoever asks", async () => {
  const login = { auth_url: url(), user_id: "u", password: "p", project_id: "p", source: "the test" };
  const connect = OpenStack.whenNeeded(() => login);
  expect(asked).toEqual([]);
  const flavors = async () => (await connect()).flavors();
  expect(await Promise.all([flavors(), flavors()])).toEqual([[], []]);
  expect(asked).toEqual(["/v3/auth/tokens", "/one/v2.1/flavors/detail"]);
});

it("knows the project that its token is for, and says where it has none", async () => {
  const login = { auth_url: url(), user_id: "u", password: "p", project_id: "p", source: "the test" };
  expect((await OpenStack.connect(login)).projectId).toBe("id of p");
  project = undefined;
  const cloud = await OpenStack.connect(login);
  expect(() => cloud.projectId).toThrow(new Fault("the test names no project"));
});

describe("a redirect", () => {
  const login = () => ({
    auth_url: url(),
    username: "u",
    password: "p",
    project_id: "p",
    source: "the test",
  });

  it.each([301, 302, 303, 307, 308])(
    "on the same host is followed with the same request: %d",
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
  ])("to %s has neither password nor token", async (location, shown) => {
    const fault = (before: string) =>
      new Fault(
        `${before} redirects to ${shown}, which is not followed: ` +
          "password or token would go there; have auth_url, and the endpoints of the catalog, be the URLs that answer",
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
