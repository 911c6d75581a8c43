/** What the cloud would refuse of new servers, as it is told before anything is made. */
import { planOf } from "../../support/planned";
import { textOf } from "../../../components/base/findings";
import { existingServers } from "../../../components/preflight/project-servers";
import { serverProblems } from "../../../components/preflight/server-needs";
import type { Flavor } from "../../../components/openstack/session";
import { connectionPoint, flavour, vdu, vnfPackage } from "../fixtures";
import { stubCloud } from "./stub-cloud";

const IMAGE = { id: "i", status: "active", min_disk: 0, min_ram: 0, size: 3 * 2 ** 30, virtual_size: null };
const FLAVOR: Flavor = { id: "f", name: "m1.small", vcpus: 1, ram: 2048, disk: 20 };

interface Answers {
  readonly image?: object;
  readonly flavor?: object;
  readonly ports?: readonly object[];
  /** In GiB; the servers boot from it. */
  readonly volume?: number;
}

/** Of two servers with a fixed address each, `a-1` and `a-2`, which may share another one. */
async function problems(
  { image, flavor, ports = [], volume }: Answers,
  addresses = ["10.0.0.5", "10.0.0.6"],
  shared?: string,
  others: object = {},
) {
  const root = { id: "root", sizeGiB: volume ?? 0, image: "debian-12", volumeType: undefined };
  const loadPackage = () =>
    vnfPackage("p", {
      simple: flavour({
        vdus: {
          a: vdu("a", { initialInstances: 2, ...(volume && { image: undefined, volumes: ["root"] }) }),
        },
        connectionPoints: { cp: connectionPoint("cp", "a") },
        virtualIps: { vip: { id: "vip", targets: ["cp"], vipFunction: "high_availability" } },
        ...(volume && { volumes: { root } }),
      }),
    });
  const plans = planOf(
    {
      "vnf-a": {
        package: "p",
        extVirtualLinks: {
          cp: { network: "lan", fixedAddresses: addresses },
          ...(shared !== undefined && { vip: { network: "lan", fixedAddresses: [shared] } }),
        },
      },
      ...others,
    },
    { loadPackage },
  );
  const asked: string[] = [];
  const answer = (path: string): object | undefined => {
    if (path === "/v2/images?name=debian-12") return { images: [{ ...IMAGE, ...image }] };
    if (path === "/v2.0/networks?name=lan") return { networks: [{ id: "n" }] };
    if (path === "/v2.0/networks") return { networks: [{ id: "n", name: "lan" }] };
    if (path === "/v2.0/subnets?network_id=n") return { subnets: [{ cidr: "10.0.0.0/24" }] };
    if (path === "/v2.0/ports?network_id=n&fixed_ips=ip_address%3D10.0.0.5") return { ports };
    return path.startsWith("/v2.0/ports?") ? { ports: [] } : undefined;
  };
  const asking = (path: string) => {
    asked.push(path);
    return answer(path);
  };
  const found = await serverProblems(plans, stubCloud(asking, [{ ...FLAVOR, ...flavor }]));
  return {
    texts: found.map(({ finding }) => textOf(finding)),
    servers: found.flatMap(({ servers }) => servers),
    asked,
  };
}

const BOTH = ["vnf-a-a-1", "vnf-a-a-2"];

it("existing servers are found on all pages, by their whole names and their owners", async () => {
  const loadPackage = () =>
    vnfPackage("p", { simple: flavour({ vdus: { a: vdu("a", { initialInstances: 2 }) } }) });
  const plans = planOf({ "vnf-a": { package: "p" } }, { loadPackage });
  const there = async (metadata?: Readonly<Record<string, string>>) => {
    const named = (...names: string[]) => names.map((name) => ({ name, ...(metadata && { metadata }) }));
    const cloud = stubCloud((path) => {
      if (path === "/servers/detail?name=%5Evnf-a")
        return {
          servers: named("vnf-a-a-11", "vnf-a-a"),
          servers_links: [{ rel: "next", href: "http://nova/servers/detail?marker=1" }],
        };
      return path === "/servers/detail?marker=1" ? { servers: named("vnf-a-a-2") } : undefined;
    });
    return (await existingServers(plans, cloud)).map(({ planned }) => planned.name);
  };
  expect(await there({ "vnfm-owner": "site-1-5f0c2a9e/vnf-a" })).toEqual(["vnf-a-a-2"]);
  // of another instance
  expect(await there({ "vnfm-owner": "site-1-5f0c2a9e/other-vnf-a" })).toEqual([]);
  expect(await there({})).toEqual([]);
  expect(await there()).toEqual([]);
});

it("is nothing where all is well, and each image and network is asked for once", async () => {
  const { texts, asked } = await problems({});
  expect(texts).toEqual([]);
  expect(asked.filter((path) => path.startsWith("/v2/images"))).toHaveLength(1);
  expect(asked.filter((path) => path.startsWith("/v2.0/subnets"))).toHaveLength(1);
});

it.each<[string, Answers, string]>([
  [
    "an image without its data",
    { image: { status: "queued" } },
    'vnfm:vnfs.vnf-a.images.a: the image "debian-12" is queued, and a server can be created only from an active one: use another',
  ],
  [
    "an image that is deactivated",
    { image: { status: "deactivated" } },
    'vnfm:vnfs.vnf-a.images.a: the image "debian-12" is deactivated, and a server can be created only from an active one: activate it (openstack image set --activate i) or use another',
  ],
  [
    "a disk below the image's least",
    { image: { min_disk: 40 } },
    'vnfm:vnfs.vnf-a.flavors.a: the flavor "m1.small" has 20 GiB of disk, and the image "debian-12" needs 40 GiB',
  ],
  [
    "a disk below what is in the image",
    { flavor: { disk: 2 } },
    'vnfm:vnfs.vnf-a.flavors.a: the flavor "m1.small" has 2 GiB of disk, and the image "debian-12" needs 3 GiB',
  ],
  [
    "a volume below the image's least",
    { image: { min_disk: 10 }, volume: 8 },
    'vnfm:vnfs.vnf-a: the volume root has 8 GiB of disk, and the image "debian-12" needs 10 GiB',
  ],
  [
    "memory below the image's least",
    { image: { min_ram: 4096 } },
    'vnfm:vnfs.vnf-a.flavors.a: the flavor "m1.small" has 2048 MiB of memory, and the image "debian-12" needs 4096 MiB',
  ],
])("is %s", async (_, answers, text) => {
  const { texts, servers } = await problems(answers);
  expect([texts, servers]).toEqual([[text], BOTH]);
});

it("is no disk of a flavor that has as much as the image", async () => {
  expect((await problems({ flavor: { disk: 0 }, image: { min_disk: 40 } })).texts).toEqual([]);
});

it.each<[string, string, string[]]>([
  [
    "somebody's port",
    "theirs",
    [
      'vnfm:vnfs.vnf-a.extVirtualLinks: 10.0.0.5, a fixed address of cp, is used by the port "theirs" (p) of compute:nova',
    ],
  ],
  ["that of the server, by an earlier run", "vnf-a-a-1-cp-0a1b2c3", []],
])("a fixed address of another port is a problem: %s", async (_, name, texts) => {
  const found = await problems({ ports: [{ id: "p", name, device_owner: "compute:nova" }] });
  expect([found.texts, found.servers]).toEqual([texts, texts.map(() => "vnf-a-a-1")]);
});

it.each<[string, string, string[]]>([
  [
    "somebody's port",
    "theirs",
    [
      'vnfm:vnfs.vnf-a.extVirtualLinks: 10.0.0.5, a fixed address of vip, is used by the port "theirs" (p) of compute:nova',
    ],
  ],
  ["the virtual IP itself, by an earlier run", "vnf-a-vip-0a1b2c3", []],
])("a shared address of another port is a problem: %s", async (_, name, texts) => {
  const ports = [{ id: "p", name, device_owner: "compute:nova" }];
  const found = await problems({ ports }, ["10.0.0.7", "10.0.0.8"], "10.0.0.5");
  expect([found.texts, found.servers]).toEqual([texts, texts.flatMap(() => BOTH)]);
});

it("is a fixed address that another instance asks for too", async () => {
  const lan = { network: "lan", fixedAddresses: ["10.0.0.6", "10.0.0.7"] };
  const other = { "vnf-b": { package: "p", extVirtualLinks: { cp: lan } } };
  const found = await problems({}, ["10.0.0.7", "10.0.0.8"], "10.0.0.9", other);
  expect([found.texts, found.servers]).toEqual([
    [
      "vnfm:vnfs.vnf-b.extVirtualLinks: 10.0.0.7, a fixed address of cp, is also that of cp of vnf-a; use another one",
    ],
    ["vnf-b-a-2"],
  ]);
});

it("is a fixed address in no subnet of the network", async () => {
  expect((await problems({}, ["10.0.0.5", "10.0.1.6"])).texts).toEqual([
    'vnfm:vnfs.vnf-a.extVirtualLinks: 10.0.1.6, a fixed address of cp, is in no subnet of the network "lan": 10.0.0.0/24',
  ]);
});
