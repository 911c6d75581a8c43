/** Where the APIs of a cloud are, by its catalog; asked through a Keystone that answers the same to everybody. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "../../../components/fault";
import { OpenStack, type Service } from "../../../components/openstack/session";

let server: Server;
let asked: (string | undefined)[];
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

beforeEach(() => (asked = []));

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
