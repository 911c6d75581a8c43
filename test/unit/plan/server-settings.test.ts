/** What servers and their volumes get of the setting `servers`, by VDU. */
import { planServers } from "../../../components/plan/servers/servers";
import type { VnfSettings } from "../../../components/settings/model";
import { flavour, vdu, vnfSettings } from "../fixtures";
import { placeOf } from "../places";

const storage = (id: string, image?: string) => ({ [id]: { id, sizeGiB: 20, image, volumeType: undefined } });
const of = flavour({
  vdus: {
    a: vdu("a", { image: undefined, volumes: ["root", "data"] }),
    b: vdu("b"),
  },
  volumes: { ...storage("root", "debian-12"), ...storage("data") },
  placementGroups: [{ id: "apart", policy: "anti-affinity", scope: "nfvi_node", vdus: ["b"] }],
});
const GROUP = "6d0e4f32-0000-4000-8000-000000000000";

function plan(servers: VnfSettings["servers"], a = 3) {
  const place = placeOf("vnf");
  const settings = vnfSettings({ ...(servers && { servers }) });
  const planned = planServers("vnf-a", place, settings, of, { a, b: 1 });
  return { servers: planned, faults: place.findings.texts };
}

it("the plan spreads servers and volumes over their zones by the server's number", () => {
  const zones = (count: number) => {
    const asked = { availabilityZones: ["az1", "az2"], volumeAvailabilityZones: ["v1", "v2"] };
    const { servers, faults } = plan({ a: asked }, count);
    expect(faults).toEqual([]);
    return servers.map(({ key, availabilityZone, bootVolume, volumes }) => [
      key,
      availabilityZone,
      ...[bootVolume, ...volumes].map((volume) => volume?.availabilityZone),
    ]);
  };
  expect(zones(3)).toEqual([
    ["a-1", "az1", "v1", "v1"],
    ["a-2", "az2", "v2", "v2"],
    ["a-3", "az1", "v1", "v1"],
    ["b-1", undefined, undefined],
  ]);
  expect(zones(2).slice(0, 2)).toEqual(zones(3).slice(0, 2));
});

it("the plan hands on what a VDU asks of Nova, and nothing of it to other VDUs", () => {
  const asked = {
    configDrive: true,
    metadata: { role: "edge" },
    tags: ["blue"],
    schedulerHints: { group: GROUP, reservation: "r1" },
  };
  const { servers, faults } = plan({ a: asked }, 1);
  expect(faults).toEqual([]);
  expect(servers[0]).toMatchObject(asked);
  const { configDrive, metadata, tags, schedulerHints } = servers[1] ?? {};
  expect([configDrive, metadata, tags, schedulerHints]).toEqual(Array(4).fill(undefined));
});

it("the plan refuses a VDU that the VNFD has not, and a server group beside that of the VNFD", () => {
  expect(plan({ c: { configDrive: true }, b: { schedulerHints: { group: GROUP } } }).faults).toEqual([
    "vnf.servers.c: is not a VDU of the VNFD; one of a, b",
    "vnf.servers.b.schedulerHints.group: VDU b is already in apart of the VNFD, and a server can be in only one group; remove it",
  ]);
});
