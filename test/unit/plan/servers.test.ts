import { planNetworks } from "../../../components/plan/servers/networks";
import { dnsLabel, planServers, tooLongNames } from "../../../components/plan/servers/servers";
import type { VnfSettings } from "../../../components/settings/model";
import type { DeploymentFlavour } from "../../../components/vnfd/model";
import {
  clusterFlavour,
  connectionPoint,
  flavour,
  network,
  subnet,
  vdu,
  virtualLink,
  vnfSettings,
} from "../fixtures";
import { placeOf } from "../places";

const links = { masterNode_CP1: { network: "public" }, virtual_link_external1_2: { network: "public" } };

function plan(of: DeploymentFlavour, settings: Partial<VnfSettings>, counts: Record<string, number>) {
  const place = placeOf("vnf");
  const servers = planServers("vnf-a", place, vnfSettings(settings), of, counts);
  return { servers, faults: place.findings.texts };
}

describe("planServers", () => {
  it("names each VNFC by VDU and ordinal, and its host by instance too", () => {
    const { servers, faults } = plan(
      clusterFlavour(),
      { extVirtualLinks: links },
      { masterNode: 1, workerNode: 2 },
    );
    expect(faults).toEqual([]);
    expect(servers.map(({ key, name }) => [key, name])).toEqual([
      ["masterNode-1", "vnf-a-masternode-1"],
      ["workerNode-1", "vnf-a-workernode-1"],
      ["workerNode-2", "vnf-a-workernode-2"],
    ]);
  });

  it("refuses user data that Nova would refuse, once for a VDU, and only where it has servers", () => {
    const of = (bytes: number) =>
      flavour({ vdus: { a: vdu("a", { bootData: `#!/bin/sh\n${"#".repeat(bytes - 10)}` }) } });
    expect(plan(of(47_000), {}, { a: 2 }).faults).toEqual([]);
    expect(plan(of(47_001), {}, { a: 0 }).faults).toEqual([
      expect.stringMatching(/^vnf: nothing to create: /),
    ]);
    expect(plan(of(47_001), {}, { a: 2 }).faults).toEqual([
      "vnf: the user data of VDU a has 47001 bytes; what fits next to vnfm's own part into the 65535 bytes of base64 that Nova accepts may have at most 47000: let it download the rest, for example by #include, or put that into the image",
    ]);
  });

  it("keeps the names of the others when the count changes", () => {
    const keys = (n: number) =>
      plan(clusterFlavour(), { extVirtualLinks: links }, { workerNode: n }).servers.map(
        (server) => server.key,
      );
    expect(keys(4).slice(0, 2)).toEqual(keys(2));
  });

  it("finds an external network by connection point or by requirement", () => {
    const { servers } = plan(clusterFlavour(), { extVirtualLinks: links }, { masterNode: 1, workerNode: 1 });
    expect(servers.flatMap((server) => server.ports)).toEqual([
      { connectionPoint: "masterNode_CP1", link: { kind: "external", network: "public" } },
      { connectionPoint: "workerNode_CP2", link: { kind: "external", network: "public" } },
    ]);
  });

  it("orders ports as the VNFD orders connection points and makes the internal links", () => {
    const two = flavour({
      vdus: { a: vdu("a") },
      connectionPoints: {
        second: connectionPoint("second", "a", { order: 1, virtualLink: "internalVL" }),
        first: connectionPoint("first", "a", { externalLink: "ext" }),
      },
      virtualLinks: {
        internalVL: virtualLink("internalVL", [subnet("10.10.0.0/24"), subnet("fd00:10::/64")]),
      },
    });
    const { servers } = plan(two, { extVirtualLinks: { ext: { network: "n" } } }, { a: 1 });
    expect(servers[0]?.ports.map((port) => port.connectionPoint)).toEqual(["first", "second"]);
    const place = placeOf("vnf");
    expect(planNetworks(servers, place, vnfSettings(), two)).toEqual([
      network("internalVL", "10.10.0.0/24", "fd00:10::/64"),
    ]);
    expect(place.findings.texts).toEqual([]);
  });

  it("refuses an internal link without a block of addresses where a port is on it, and nowhere else", () => {
    const link = (id: string) =>
      virtualLink(id, id === "half" ? [subnet("10.10.0.0/24"), { ...subnet(""), cidr: undefined }] : []);
    const of = flavour({
      vdus: { a: vdu("a") },
      connectionPoints: {
        cp: connectionPoint("cp", "a", { virtualLink: "inside" }),
        cp2: connectionPoint("cp2", "a", { virtualLink: "half" }),
      },
      virtualLinks: { inside: link("inside"), half: link("half"), unused: link("unused") },
    });
    const faultsWith = (extVirtualLinks: VnfSettings["extVirtualLinks"]) => {
      const place = placeOf("vnf");
      planNetworks(
        plan(of, { ...(extVirtualLinks && { extVirtualLinks }) }, { a: 1 }).servers,
        place,
        vnfSettings(),
        of,
      );
      return place.findings.texts;
    };
    expect(faultsWith(undefined)).toEqual(
      ["inside", "half"].map(
        (id) =>
          `vnf: virtual link ${id} has no cidr in the l3_protocol_data of the VNFD, and a port there would have no address; add it, or set subnets under virtualLinks.${id}, or a network under extVirtualLinks.${id}`,
      ),
    );
    expect(faultsWith({ inside: { network: "n" }, half: { network: "n" } })).toEqual([]);
  });

  it("hands on the VNIC type of a connection point that is not an ordinary one", () => {
    const types = ["direct", "normal", "virtio", undefined];
    const points = types.map((vnicType, order) => connectionPoint(`cp${order}`, "a", { order, vnicType }));
    const of = flavour({
      vdus: { a: vdu("a") },
      connectionPoints: Object.fromEntries(points.map((point) => [point.id, point])),
    });
    const extVirtualLinks = Object.fromEntries(points.map(({ id }) => [id, { network: "n" }]));
    const { servers, faults } = plan(of, { extVirtualLinks }, { a: 1 });
    expect(servers[0]?.ports.map(({ vnicType }) => vnicType)).toEqual([
      "direct",
      ...[undefined, undefined, undefined],
    ]);
    expect(faults).toEqual([]);
  });

  it("refuses a VNIC type that no port can have", () => {
    const of = flavour({
      vdus: { a: vdu("a") },
      connectionPoints: { cp: connectionPoint("cp", "a", { vnicType: "smart-nic" }) },
    });
    expect(plan(of, { extVirtualLinks: { cp: { network: "n" } } }, { a: 1 }).faults).toEqual([
      "vnf: connection point cp of VDU a has the vnic_type smart-nic in the VNFD; one of baremetal, direct, direct-physical, macvtap, normal, virtio, virtio-forwarder",
    ]);
  });

  it("takes images and flavors from the stack config first", () => {
    const settings = {
      extVirtualLinks: links,
      images: { workerNode: "mine" },
      flavors: { workerNode: "m1.huge" },
    };
    expect(plan(clusterFlavour(), settings, { workerNode: 1 }).servers[0]).toMatchObject({
      image: "mine",
      flavor: { name: "m1.huge" },
    });
  });

  describe("a VDU without an image of its own", () => {
    const storage = (id: string, image?: string) => ({
      [id]: { id, sizeGiB: 20, image, volumeType: id === "root" ? "ssd" : undefined },
    });
    const of = flavour({
      vdus: {
        a: vdu("a", { image: undefined, volumes: ["data", "root", "extra"] }),
        b: vdu("b", { volumes: ["root"] }),
      },
      volumes: { ...storage("data"), ...storage("root", "debian-12"), ...storage("extra", "tools") },
    });
    const volume = (id: string, image?: string) => ({
      ...{ storage: id, sizeGiB: 20, image, protect: true },
      volumeType: id === "root" ? "ssd" : undefined,
    });

    it("boots from the first of its storages that has one, and has the others as volumes", () => {
      const { servers, faults } = plan(of, {}, { a: 1, b: 1 });
      expect(servers.map(({ image, bootVolume, volumes }) => [image, bootVolume, volumes])).toEqual([
        [
          "debian-12",
          { ...volume("root", "debian-12"), isKept: false },
          [volume("data"), volume("extra", "tools")],
        ],
        ["debian-12", undefined, [volume("root", "debian-12")]],
      ]);
      expect(faults).toEqual([]);
    });

    it("has its images from the stack config, by its own name or that of the storage", () => {
      const imagesWith = (images: Record<string, string>) => {
        const [server] = plan(of, { images, keepBootVolumes: true }, { a: 1 }).servers;
        return [
          server?.image,
          server?.bootVolume?.image,
          server?.bootVolume?.isKept,
          server?.volumes[1]?.image,
        ];
      };
      expect(imagesWith({ root: "mine", extra: "more" })).toEqual(["mine", "mine", true, "more"]);
      expect(imagesWith({ root: "mine", a: "first" })).toEqual(["first", "first", true, "tools"]);
    });

    it("is refused where no storage has one, unless there is to be none of it", () => {
      const none = flavour({
        vdus: { a: vdu("a", { image: undefined, volumes: ["data"] }), b: vdu("b") },
        volumes: storage("data"),
      });
      expect(plan(none, { images: { data: "x" } }, { a: 1, b: 1 }).faults).toEqual([
        "vnf.images.data: is not a VDU of the VNFD; one of a, b",
        "vnf.images.a: is required because neither the VDU nor a storage that it requires has an image in the VNFD",
      ]);
      expect(plan(none, {}, { a: 0, b: 1 }).faults).toEqual([]);
    });
  });

  describe("a SwImage for which the VNFD has no name of an image", () => {
    const of = flavour({
      vdus: {
        a: vdu("a", { image: undefined, unnamedImage: "img", volumes: ["data"] }),
        b: vdu("b", { image: undefined, volumes: ["root"] }),
      },
      volumes: {
        data: { id: "data", sizeGiB: 2, image: undefined, unnamedImage: "tools", volumeType: undefined },
        root: { id: "root", sizeGiB: 2, image: undefined, unnamedImage: "disk", volumeType: undefined },
      },
    });

    it("is to be named in the stack config", () => {
      expect(plan(of, {}, { a: 1, b: 1 }).faults).toEqual([
        "vnf.images.a: is required because the VNFD has no sw_image_data for the SwImage img",
        "vnf.images.data: is required because the VNFD has no sw_image_data for the SwImage tools",
        "vnf.images.root: is required because the VNFD has no sw_image_data for the SwImage disk",
      ]);
      expect(plan(of, { images: { a: "x", data: "y" } }, { a: 1, b: 0 }).faults).toEqual([]);
    });

    it("is that of the stack config, of a storage that the VDU boots from by either name", () => {
      const { servers, faults } = plan(of, { images: { a: "x", data: "y", b: "z" } }, { a: 1, b: 1 });
      expect(faults).toEqual([]);
      expect(
        servers.map(({ image, bootVolume, volumes }) => [image, bootVolume?.image, volumes[0]?.image]),
      ).toEqual([
        ["x", undefined, "y"],
        ["z", "z", undefined],
      ]);
    });
  });

  it("tells that nothing is to be made where no VDU is to have instances", () => {
    expect(plan(flavour({ vdus: { a: vdu("a") } }), {}, { a: 0 }).faults).toEqual([
      "vnf: nothing to create: each VDU has 0 instances; raise scale, or choose another instantiationLevel",
    ]);
  });

  it("falls back to the requested size where no flavor is named, and refuses where nothing is", () => {
    const sized = flavour({
      vdus: { a: vdu("a", { flavor: undefined, vcpus: 2, memoryMiB: 2048, diskGiB: 20 }) },
    });
    expect(plan(sized, {}, { a: 1 }).servers[0]?.flavor).toEqual({
      kind: "size",
      vcpus: 2,
      ramMiB: 2048,
      diskGiB: 20,
    });
    const extraSpecs = [{ name: "hw:cpu_policy", value: "dedicated", property: "p" }];
    const pinned = flavour({
      vdus: { a: vdu("a", { flavor: undefined, vcpus: 2, memoryMiB: 2048, extraSpecs }) },
    });
    expect(plan(pinned, {}, { a: 1 }).servers[0]?.flavor).toEqual({
      ...{ kind: "size", vcpus: 2, ramMiB: 2048, diskGiB: 0 },
      extraSpecs,
    });
    const unsized = flavour({ vdus: { a: vdu("a", { flavor: undefined }) } });
    expect(plan(unsized, {}, { a: 1 }).faults).toEqual([
      "vnf.flavors.a: is required because the VNFD has neither a flavor nor cpu and memory",
    ]);
  });

  it("reports missing and unknown links, images and flavors", () => {
    const settings = {
      extVirtualLinks: { masterNode_CP2: { network: "n" } },
      images: { masternode: "x" },
      flavors: { nobody: "y" },
    };
    expect(plan(clusterFlavour(), settings, { masterNode: 1 }).faults).toEqual([
      'vnf.images.masternode: is not a VDU of the VNFD; one of masterNode, workerNode; did you mean "masterNode"?',
      "vnf.flavors.nobody: is not a VDU of the VNFD; one of masterNode, workerNode",
      "vnf.extVirtualLinks.masterNode_CP2: is not an external connection point of the VNFD; one of masterNode_CP1, " +
        "virtual_link_external1_1, virtual_link_external1_2, workerNode_CP2",
      "vnf.extVirtualLinks.virtual_link_external1_1: is required, connection point masterNode_CP1 of VDU masterNode is external",
      "vnf.extVirtualLinks.virtual_link_external1_2: is required, connection point workerNode_CP2 of VDU workerNode is external",
    ]);
  });

  it("tells a key of any text in quotes, so that it looks like no other setting", () => {
    const settings = { extVirtualLinks: links, images: { "masterNode.image": "x" } };
    expect(plan(clusterFlavour(), settings, { masterNode: 1 }).faults).toEqual([
      expect.stringContaining('vnf.images["masterNode.image"]: is not a VDU of the VNFD'),
    ]);
  });

  it("refuses VDUs whose servers would share a name", () => {
    const twins = flavour({ vdus: { a_b: vdu("a_b"), "a-b": vdu("a-b") } });
    expect(plan(twins, {}, { a_b: 1, "a-b": 1 }).faults).toEqual([
      "vnf: two servers would have the name vnf-a-a-b-1; VDU ids must differ in letters and digits",
    ]);
  });
});

describe("names that are too long", () => {
  const warnings = (id: string, count: number, maxInstances: number) => {
    const of = flavour({ vdus: { [id]: vdu(id, { maxInstances }) } });
    const { servers, faults } = plan(of, {}, { [id]: count });
    return {
      names: servers.map(({ name }) => name),
      faults,
      warnings: tooLongNames("vnf-a", placeOf("vnf"), servers),
    };
  };
  const id = (length: number) => "x".repeat(length - "vnf-a-".length - "-1".length);

  it("are refused where the cut takes the ordinal off", () => {
    expect(warnings(id(65), 2, 2).faults).toEqual([
      `vnf: two servers would have the name vnf-a-${id(65)}: vnf-a-${id(65)}-1 is longer than 63; shorten the instance name or the VDU id`,
    ]);
    expect(warnings(id(63), 10, 10).faults).toEqual([
      `vnf: two servers would have the name vnf-a-${id(63)}-1: vnf-a-${id(63)}-10 is longer than 63; shorten the instance name or the VDU id`,
    ]);
  });

  it("are said of a VDU that can be scaled before it is, and its first server keeps its name", () => {
    const said = (text: string, most: number) =>
      `vnf: VDU ${text} cannot have its ${most} instances: the server name vnf-a-${text}-${most} is longer than 63; shorten the instance name or the VDU id`;
    expect(warnings(id(65), 1, 2)).toEqual({
      names: [`vnf-a-${id(65)}`],
      faults: [],
      warnings: [said(id(65), 2)],
    });
    expect(warnings(id(63), 1, 10).warnings).toEqual([said(id(63), 10)]);
    expect(warnings(id(63), 1, 9).warnings).toEqual([]);
    expect(warnings(id(65), 1, 1).warnings).toEqual([]);
  });
});

describe("dnsLabel", () => {
  it.each([
    [`${"a".repeat(62)}-b`, "a".repeat(62)],
    ["VNF_A.Node 1", "vnf-a-node-1"],
    ["--x--", "x"],
    ["x".repeat(80), "x".repeat(63)],
  ])("%s becomes %s", (text, label) => {
    expect(dnsLabel(text)).toBe(label);
  });
});
