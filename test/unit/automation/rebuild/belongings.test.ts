/** Items of a project that belong to the servers of a stack, among those of another stack with the same names. */
import { Belongings } from "../../../../automation/rebuild/belongings";
import type { Properties } from "../../../../automation/stack/state";

const OURS = "server-1";
const OTHERS = "server-2";

const PORT = "openstack:networking/port:Port";
const NETWORK = "openstack:networking/network:Network";
const SUBNET = "openstack:networking/subnet:Subnet";
const ROUTER = "openstack:networking/router:Router";
const GROUP = "openstack:networking/secGroup:SecGroup";
const VOLUME = "openstack:blockstorage/volume:Volume";
const SERVER_GROUP = "openstack:compute/serverGroup:ServerGroup";

const port = (id: string, device: string, more: object = {}) => ({
  ...{ id, name: `vnf-a-node-1-cp-${id}`, network_id: `network-${device}`, device_id: device },
  ...{ device_owner: device === "" ? "" : "compute:nova", fixed_ips: [{ subnet_id: `subnet-${device}` }] },
  ...{ security_groups: [`group-${device}`], ...more },
});

let answers: Record<string, readonly object[]>;
let asked: string[];

beforeEach(() => {
  asked = [];
  answers = { ports: [port("aaaaaaa", OURS), port("bbbbbbb", OTHERS)] };
});

const cloud = {
  userId: "user",
  get: <T>(_: string, path: string) => {
    asked.push(path);
    const key = path.replace(/\?.*/, "").split("/").at(-1) ?? "";
    return Promise.resolve({ [key.replaceAll("-", "_")]: answers[key] } as T);
  },
};

/** The inputs of a resource whose name the provider has generated. */
const generated = (name: string, more: object = {}): Properties => ({
  ...{ name: `${name}-0123456`, __defaults: ["name"] },
  ...more,
});

async function find(type: string, inputs: Properties, formerId?: string) {
  return (await Belongings.of(cloud, [OURS])).find(type, inputs, formerId);
}

it("finds the port of a server of the stack by a generated name", async () => {
  const found = await find(PORT, generated("vnf-a-node-1-cp", { networkId: `network-${OURS}` }));
  expect(found).toEqual({ id: "aaaaaaa", name: "vnf-a-node-1-cp-aaaaaaa" });
  expect(asked).toEqual(["/v2.0/ports", "/v2.0/ports"]);
});

it("finds a port that has lost its server, and none of another server", async () => {
  answers = { ports: [port("aaaaaaa", ""), port("bbbbbbb", OTHERS)] };
  expect(await find(PORT, generated("vnf-a-node-1-cp"))).toMatchObject({ id: "aaaaaaa" });
  answers = { ports: [port("bbbbbbb", OTHERS)] };
  expect(await find(PORT, generated("vnf-a-node-1-cp"))).toBeUndefined();
});

it("refuses several ports without a server", async () => {
  answers = { ports: [port("aaaaaaa", ""), port("bbbbbbb", "")] };
  await expect(find(PORT, generated("vnf-a-node-1-cp"))).rejects.toThrow(
    "aaaaaaa, bbbbbbb: it is not certain which of them belongs to this stack",
  );
});

it("takes a name for generated only with the digits of a generated one", async () => {
  answers = { ports: [port("aaaaaaa", "", { name: "vnf-a-node-1-cp-other" })] };
  expect(await find(PORT, generated("vnf-a-node-1-cp"))).toBeUndefined();
});

it.each([
  [NETWORK, "networks", `network-${OURS}`, `network-${OTHERS}`, {}],
  [SUBNET, "subnets", `subnet-${OURS}`, `subnet-${OTHERS}`, {}],
  [GROUP, "security-groups", `group-${OURS}`, `group-${OTHERS}`, {}],
  [VOLUME, "detail", "one", "two", { attachments: (server: string) => [{ server_id: server }] }],
  [SERVER_GROUP, "os-server-groups", "one", "two", { members: (server: string) => [server] }],
])("finds a %s by the servers that use it", async (type, key, own, other, uses) => {
  const item = (id: string, server: string) => ({
    ...{ id, name: "vnf-a-it-aaaaaaa" },
    ...Object.fromEntries(
      Object.entries(uses as Record<string, (server: string) => unknown>).map(([field, of]) => [
        field,
        of(server),
      ]),
    ),
  });
  const lists = { detail: "volumes", "os-server-groups": "server_groups" } as Record<string, string>;
  const items = [item(other, OTHERS), item(own, OURS)];
  const list = lists[key] ?? key.replaceAll("-", "_");
  const belongings = await Belongings.of(
    {
      userId: "user",
      get: <T>(_: string, path: string) =>
        Promise.resolve((path === "/v2.0/ports" ? answers : { [list]: items }) as T),
    },
    [OURS],
  );
  expect(await belongings.find(type, generated("vnf-a-it"))).toEqual({ id: own, name: "vnf-a-it-aaaaaaa" });
});

it("finds a router by the networks of servers, without its external network", async () => {
  const router = (id: string) => ({ id, name: "vnf-a-router-aaaaaaa" });
  const gateway = { network_id: "public", device_owner: "network:router_gateway" };
  const inside = (device: string, server: string) =>
    port(`${device}-port`, device, {
      network_id: `network-${server}`,
      device_owner: "network:router_interface",
    });
  answers = {
    ports: [
      ...[port("aaaaaaa", OURS), port("bbbbbbb", OTHERS), port("ccccccc", OURS, { network_id: "public" })],
      ...[inside("router-1", OURS), inside("router-2", OTHERS), port("gateway", "router-2", gateway)],
    ],
    routers: [router("router-1"), router("router-2")],
  };
  expect(await find(ROUTER, generated("vnf-a-router"))).toMatchObject({ id: "router-1" });
});

it("refuses a type that it cannot find", async () => {
  await expect(find("openstack:dns/zone:Zone", {})).rejects.toThrow(
    "vnfm cannot find resources of type openstack:dns/zone:Zone",
  );
});

it("finds the load balancer of the former state among those of other stacks with the same names", async () => {
  const type = "openstack:loadbalancer/loadBalancer:LoadBalancer";
  answers = {
    ports: [],
    loadbalancers: ["aaaaaaa", "bbbbbbb"].map((id) => ({ id, name: `vnf-a-vip_CP-${id}` })),
  };
  expect(await find(type, generated("vnf-a-vip_CP"), "bbbbbbb")).toMatchObject({ id: "bbbbbbb" });
  await expect(find(type, generated("vnf-a-vip_CP"), "ccccccc")).rejects.toThrow("it is not certain which");
});

it("finds the server group of the former state, whose members belong to no server of the stack", async () => {
  const groups = [{ id: "g", name: "tenant", members: ["machine"] }];
  const belongings = await Belongings.of(
    {
      userId: "user",
      get: <T>(_: string, path: string) =>
        Promise.resolve((path === "/v2.0/ports" ? { ports: [] } : { server_groups: groups }) as T),
    },
    [OURS],
  );
  expect(await belongings.find(SERVER_GROUP, { name: "tenant" }, "g")).toEqual({ id: "g", name: "tenant" });
});
