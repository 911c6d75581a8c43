/**
 * Other networks for the connection points of a running server: its ports are exchanged, and the server stays. The
 * steps build on each other.
 */
import { mustRun } from "../../support/command";
import { writeServersPackage } from "../../support/servers-package";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";

jest.setTimeout(20 * 60 * 1000);

const PREFIXES = { left: "10.60.0.", right: "10.61.0." } as const;

type Link = { readonly network: string } | { readonly virtualLink: keyof typeof PREFIXES };

/** Links of the server's connection points, in their order. */
let links: Readonly<Record<string, Link & { readonly vnicType?: string }>>;
let stack: TestStack;
/** Id of the server of the first run. */
let first: string;

/** Configures the connection points of the server, with further settings of the instance. */
function configure(points: typeof links, settings: object = {}): void {
  links = points;
  writeServersPackage(stack.folder, { node: { points: Object.keys(points) } });
  const used = Object.values(points).flatMap((link) => ("virtualLink" in link ? [link.virtualLink] : []));
  const virtualLinks = used.map((name) => [name, { subnets: [{ cidr: `${PREFIXES[name]}0/24` }] }] as const);
  stack.configure({
    "vnf-a": {
      package: "package",
      extVirtualLinks: points,
      ...(used.length > 0 && { virtualLinks: Object.fromEntries(virtualLinks) }),
      ...settings,
    },
  });
}

async function serverId(): Promise<string> {
  return (await stack.vnf("vnf-a")).vnfcs["node-1"]?.serverId ?? "";
}

/** Lists the addresses of the server's ports in the order of Nova. */
async function addressesInNova(): Promise<string[]> {
  const path = `/servers/${await serverId()}/os-interface`;
  const { interfaceAttachments: all } = await stack.cloud.get<{
    interfaceAttachments: { fixed_ips: { ip_address: string }[] }[];
  }>("compute", path);
  return all.flatMap(({ fixed_ips }) => fixed_ips.map(({ ip_address }) => ip_address)).sort();
}

/** Lists the addresses of the interfaces in the guest. */
async function addressesInGuest(): Promise<string[]> {
  const namespace = `srv-${(await serverId()).slice(0, 8)}`;
  const all = JSON.parse(await mustRun("ip", ["-n", namespace, "-4", "-j", "addr"])) as {
    readonly ifname: string;
    readonly addr_info: readonly { readonly local: string }[];
  }[];
  const others = all.filter(({ ifname }) => ifname !== "lo");
  return others.flatMap(({ addr_info }) => addr_info.map(({ local }) => local));
}

/** Beginning of the addresses of a connection point. */
const prefixOf = (link: Link) => ("virtualLink" in link ? PREFIXES[link.virtualLink] : "198.19.0.");

/** Expects the guest's interfaces in the order of the connection points. */
async function expectOrder(): Promise<void> {
  const expected = Object.values(links).map((link) => expect.stringContaining(prefixOf(link)) as string);
  expect(await addressesInGuest()).toEqual(expected);
}

/** Expects that the server has exactly the ports of the config, and that nothing is left to do. */
async function expectPorts(): Promise<void> {
  const { addresses = {} } = (await stack.vnf("vnf-a")).vnfcs["node-1"] ?? {};
  expect(Object.keys(addresses)).toEqual(Object.keys(links));
  for (const [point, link] of Object.entries(links)) {
    expect([point, addresses[point]]).toEqual([point, expect.stringContaining(prefixOf(link))]);
  }
  const expected = Object.values(addresses).sort();
  // Nova detaches an interface when Neutron has deleted its port
  await until(60, "the ports in Nova", async () => (await addressesInNova()).length <= expected.length);
  expect(await addressesInNova()).toEqual(expected);
  await until(60, "the guest's interfaces", async () => (await addressesInGuest()).length <= expected.length);
  expect((await addressesInGuest()).sort()).toEqual(expected);
  expect(await stack.changes()).toEqual([]);
}

/** Runs `vnfm preview`. @returns its lines */
async function preview(): Promise<string[]> {
  const { status, stdout, stderr } = await stack.vnfm("preview");
  if (status !== 0) throw new Error(stderr);
  return stdout.trim().split("\n");
}

beforeAll(async () => {
  stack = await TestStack.create("external-connectivity", {});
});

afterAll(async () => {
  await stack?.remove();
});

it("a server is created with its ports in the order of the connection points", async () => {
  configure({ node_CP: { network: "public" }, node_CP2: { virtualLink: "left" } });
  await stack.mustUp();
  first = await serverId();
  await expectPorts();
  await expectOrder();
});

it("a connection point moves to another network, and the server stays", async () => {
  configure({ node_CP: { network: "public" }, node_CP2: { virtualLink: "right" } });
  expect(await preview()).toContain("vnf-a: node-1: port node_CP2 moves to network right; the server stays");
  await stack.mustUp();
  await expectPorts();
  expect(await serverId()).toBe(first);
});

it("a server whose port has moved is updated in place and refreshed", async () => {
  configure(links, { servers: { node: { metadata: { role: "edge" } } } });
  await stack.mustUp();
  await stack.must("refresh", "--yes", "--stack", stack.name);
  await expectPorts();
  expect(await serverId()).toBe(first);
});

it("a server gets one more port, and loses another", async () => {
  configure({ ...links, node_CP3: { virtualLink: "left" } });
  expect(await preview()).toContain("vnf-a: node-1: port node_CP3 is created and attached; the server stays");
  await stack.mustUp();
  await expectPorts();
  configure({ node_CP: { network: "public" }, node_CP3: { virtualLink: "left" } });
  expect(await preview()).toContain("vnf-a: node-1: port node_CP2 is detached and deleted; the server stays");
  await stack.mustUp();
  await expectPorts();
  expect(await serverId()).toBe(first);
});

it("the first port moves too, and moves back", async () => {
  configure({ ...links, node_CP: { virtualLink: "left" } });
  await stack.mustUp();
  await expectPorts();
  configure({ ...links, node_CP: { network: "public" } });
  await stack.mustUp();
  await expectPorts();
  expect(await serverId()).toBe(first);
});

it("a move that fails leaves the server its former port, and can be taken back", async () => {
  const before = links;
  const [id, addresses] = [await serverId(), await addressesInNova()];
  // the lab has no such devices
  configure({ ...links, node_CP3: { virtualLink: "right", vnicType: "direct" } });
  const { status } = await stack.up();
  expect(status).not.toBe(0);
  expect(await addressesInNova()).toEqual(addresses);
  configure(before);
  await stack.mustUp();
  await expectPorts();
  expect(await serverId()).toBe(id);
});

it("a server that is healed is created with all ports in the order of the connection points", async () => {
  const addresses = await addressesInNova();
  configure(links, { heal: { "node-1": "1" } });
  await stack.mustUp();
  await expectPorts();
  expect(await serverId()).not.toBe(first);
  expect(await addressesInNova()).toEqual(addresses);
  await expectOrder();
});

it("a port of the healed server moves as those of the first", async () => {
  const healed = await serverId();
  configure({ ...links, node_CP3: { virtualLink: "right" } }, { heal: { "node-1": "1" } });
  await stack.mustUp();
  await expectPorts();
  expect(await serverId()).toBe(healed);
});
