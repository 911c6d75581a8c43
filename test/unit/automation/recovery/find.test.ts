/** What became of a creation or a deletion that was cut off, by what the cloud answers one after the other. */
import { findEnd, findMade } from "../../../../automation/recovery/find";
import { lookupOf, type Item, type Lookup } from "../../../../automation/recovery/lookups";

jest.mock("node:timers/promises", () => ({
  setTimeout: (milliseconds: number) => Promise.resolve(jest.setSystemTime(Date.now() + milliseconds)),
}));

const TYPE = "openstack:compute/instance:Instance";
const resource = {
  urn: `urn:pulumi:dev::vnfm::${TYPE}::node`,
  type: TYPE,
  custom: true,
  id: "s",
  inputs: { name: "node" },
};

let asked: string[];

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  asked = [];
});

afterEach(() => jest.useRealTimers());

/** @param answers the last one again and again */
const cloudOf = (answers: readonly (object | undefined)[]) => ({
  userId: "user",
  get: <T>(service: string, path: string) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(`${service} ${path}`);
    return Promise.resolve(answer as T | undefined);
  },
  delete: (service: string, path: string) => {
    asked.push(`DELETE ${service} ${path}`);
    return Promise.resolve();
  },
});

function lookup(type = TYPE): Lookup {
  const found = lookupOf(type);
  if (found === undefined) throw new Error(`${type} has no lookup`);
  return found;
}

const end = (answers: readonly (Item | undefined)[], since = 0) =>
  findEnd(cloudOf(answers.map((server) => server && { server })), lookup(), { resource, since });

const made = (...answers: (readonly Item[] | undefined)[]) =>
  findMade(cloudOf(answers.map((servers) => servers && { servers })), lookup(), {
    resource,
    state: { deployment: { resources: [] } },
    since: 0,
  });

const active = { status: "ACTIVE", "OS-EXT-STS:task_state": null };
const stopping = { status: "ACTIVE", "OS-EXT-STS:task_state": "powering-off" };
const leaving = { status: "ACTIVE", "OS-EXT-STS:task_state": "deleting" };
const stopped = { status: "SHUTOFF", "OS-EXT-STS:task_state": null };

describe("a deletion", () => {
  it("is at its end at once where the cloud has not got it", async () => {
    expect([await end([undefined]), asked]).toEqual(["gone", ["compute /servers/s"]]);
  });

  it("is waited for while the cloud is at it", async () => {
    expect([await end([active, leaving, leaving, undefined]), asked.length]).toEqual(["gone", 4]);
  });

  it("has not begun where nothing is heard of it ten seconds after the last request", async () => {
    expect([await end([active]), Date.now()]).toEqual(["there", 10_000]);
    expect(await end([active], 1_000)).toBe("there");
    expect(Date.now()).toBe(12_000);
  });

  it("is seen where its request is served late", async () => {
    expect(await end([active, active, leaving, undefined])).toBe("gone");
  });

  it("has got as far as the stop of a server, once that has ended", async () => {
    expect(await end([...Array<Item>(8).fill(stopping), stopped])).toBe("there");
    expect(Date.now()).toBe(16_000);
  });

  it("is at no end where the cloud is still at it after ten minutes", async () => {
    expect([await end([leaving]), Date.now()]).toEqual(["underway", 600_000]);
  });

  it("is at its end once the router of a route no longer has it", async () => {
    const type = "openstack:networking/routerRoute:RouterRoute";
    const inputs = { routerId: "r", destinationCidr: "10.244.1.0/24", nextHop: "10.0.0.5" };
    const route = { ...resource, type, inputs, id: "r-route-10.244.1.0/24-10.0.0.5" };
    const routes = [{ destination: "10.244.1.0/24", nexthop: "10.0.0.5" }];
    const after = (...all: readonly (readonly object[])[]) =>
      findEnd(
        cloudOf(all.map((left) => ({ router: { id: "r", status: "ACTIVE", routes: left } }))),
        lookup(type),
        {
          resource: route,
          since: 0,
        },
      );
    expect(await after(routes, [])).toBe("gone");
    expect(await after(routes)).toBe("there");
    expect(new Set(asked)).toEqual(new Set(["network /v2.0/routers/r"]));
  });

  it("is told from one that the cloud can take back", async () => {
    expect(await end([leaving, { status: "SOFT_DELETED" }])).toBe("kept");
  });
});

describe("a creation", () => {
  const server = { id: "s", name: "node", metadata: {} };

  it("is waited for until the cloud has made it", async () => {
    const building = { ...server, status: "BUILD" };
    expect(await made([building], [building], [{ ...server, ...active }])).toEqual({ kind: "made", id: "s" });
  });

  it("is found behind the first thousand servers", async () => {
    const others = Array.from({ length: 1000 }, (_, i) => ({
      ...server,
      id: `${i}`,
      metadata: { "vnfm-owner": "another/vnf-a" },
    }));
    const links = [{ rel: "next", href: "http://nova/v2.1/servers/detail?name=node&marker=999" }];
    const pages = [{ servers: others, servers_links: links }, { servers: [{ ...server, ...active }] }];
    const state = { deployment: { resources: [] } };
    const found = await findMade(cloudOf(pages), lookup(), { resource, state, since: 0 });
    expect([found, asked]).toEqual([
      { kind: "made", id: "s" },
      ["compute /servers/detail?name=node", "compute /servers/detail?name=node&marker=999"],
    ]);
  });

  it("has left nothing where what it made is going", async () => {
    expect(await made([{ ...server, ...leaving }])).toEqual({ kind: "absent" });
  });

  it("is deleted if it failed", async () => {
    expect(await made([{ ...server, status: "ERROR" }], undefined)).toEqual({ kind: "failed", id: "s" });
    expect(asked.slice(1)).toEqual(["DELETE compute /servers/s", "compute /servers/s"]);
  });

  it("is taken back for a security group whose default rules the provider had still to delete", async () => {
    const type = "openstack:networking/secGroup:SecGroup";
    const madeWith = (deleteDefaultRules: boolean) =>
      findMade(cloudOf([{ security_groups: [{ id: "g", name: "vnf-a-1" }] }, undefined]), lookup(type), {
        resource: { ...resource, type, inputs: { name: "vnf-a-1", deleteDefaultRules } },
        state: { deployment: { resources: [] } },
        since: 0,
      });
    expect(await madeWith(true)).toEqual({ kind: "unfinished", id: "g" });
    asked = [];
    expect(await madeWith(false)).toEqual({ kind: "made", id: "g" });
  });

  it("leaves the router of a route as it is, also one that failed", async () => {
    const type = "openstack:networking/routerRoute:RouterRoute";
    const inputs = { routerId: "r", destinationCidr: "10.244.1.0/24", nextHop: "10.0.0.5" };
    const routes = [{ destination: "10.244.1.0/24", nexthop: "10.0.0.5" }];
    const found = await findMade(
      cloudOf([{ routers: [{ id: "r", status: "ERROR", routes }] }]),
      lookup(type),
      {
        resource: { ...resource, type, inputs },
        state: { deployment: { resources: [] } },
        since: 0,
      },
    );
    expect([found, asked]).toEqual([
      { kind: "made", id: "r-route-10.244.1.0/24-10.0.0.5" },
      ["network /v2.0/routers?id=r"],
    ]);
  });

  it("is taken back for an application credential, as nobody has read its secret", async () => {
    const type = "openstack:identity/applicationCredential:ApplicationCredential";
    const credential = { id: "c", name: "tenant-1" };
    const found = await findMade(
      cloudOf([{ application_credentials: [credential] }, undefined]),
      lookup(type),
      {
        resource: { ...resource, type, inputs: { name: "tenant-1" } },
        state: { deployment: { resources: [] } },
        since: 0,
      },
    );
    const path = "identity /users/user/application_credentials";
    expect([found, asked]).toEqual([
      { kind: "unfinished", id: "c" },
      [`${path}?name=tenant-1`, `DELETE ${path}/c`, `${path}/c`],
    ]);
  });
});
