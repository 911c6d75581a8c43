import { planOf } from "../../support/planned";
import * as pulumi from "@pulumi/pulumi";
import { readOffer, type Lookup } from "../../../components/preflight/read-offer";
import { makeVnfs } from "../../../components/deploy/instance";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { flavour, vdu, vnfPackage } from "../fixtures";
import { clusterOutputs } from "./outputs";

const IMAGE = "0b2a6a6e-6d0e-4d3b-9f7b-0c1f3f2f9d11";
const storage = (id: string, image?: string) => ({
  [id]: { id, sizeGiB: 20, image, volumeType: image && "ssd" },
});
const PACKAGE = vnfPackage("p", {
  simple: flavour({
    vdus: {
      a: vdu("a", { image: undefined, initialInstances: 1, volumes: ["root", "data", "tools"] }),
      b: vdu("b", { initialInstances: 2 }),
      c: vdu("c", { initialInstances: 1, flavor: undefined, vcpus: 2, memoryMiB: 2048 }),
    },
    volumes: { ...storage("root", "debian-12"), ...storage("data"), ...storage("tools", "tools") },
  }),
});

/** Returns a cloud with these ids of images by name, and of flavors by name or size. */
function cloud(
  images: Readonly<Record<string, string[]>>,
  flavors: Readonly<Record<string, string>>,
  servers: readonly string[] = [],
  withSpecs: readonly string[] = [],
): Lookup {
  const noFlavor =
    "invoking openstack:compute/getFlavor:getFlavor: 1 error occurred:\n\t* No Flavor found\n\n";
  return {
    flavorIdsWith: () => Promise.resolve(withSpecs),
    serversThere: () => Promise.resolve(servers),
    imageIds: (name) => Promise.resolve(images[name] ?? []),
    inactiveImage: (name) =>
      Promise.resolve(
        name === "ordered"
          ? { id: "i3", status: "queued", min_disk: 0, min_ram: 0, size: null, virtual_size: null }
          : undefined,
      ),
    flavorId: ({ name, flavorId, ram }) => {
      const id =
        flavorId === undefined
          ? flavors[name ?? `${ram}`]
          : Object.values(flavors).find((it) => it === flavorId);
      if (id === "several") return Promise.reject(new Error("Your query returned more than one result."));
      return id === undefined ? Promise.reject(new Error(noFlavor)) : Promise.resolve(id);
    },
  };
}

const ALL = { "debian-12": ["i1"], tools: ["i2"] };
const FLAVORS = { "m1.small": "f1", 2048: "f2" };

const SEVERAL =
  "vnfm:vnfs.vnf-a.flavors.c: the VNFD does not name a flavor, and several have 2 vCPUs, " +
  "2048 MiB of memory and any disk: set one";

const plansWith = (changes: object) =>
  planOf({ "vnf-a": { package: "p", ...changes } }, { loadPackage: () => PACKAGE });

async function make(changes: object, lookup = cloud(ALL, FLAVORS)): Promise<readonly RecordedResource[]> {
  const plans = plansWith(changes);
  const offer = await readOffer(plans, lookup);
  const recorded = recordResources(clusterOutputs);
  makeVnfs(plans, () => ({ offer }));
  await settle();
  return recorded;
}

const MADE_OF = ["imageName", "imageId", "flavorName", "flavorId", "blockDevices"];
function madeOf(recorded: readonly RecordedResource[], name: string): object {
  const inputs = recorded.find((one) => one.name === name)?.inputs ?? {};
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => MADE_OF.includes(key)));
}

describe("a server that boots from a volume", () => {
  it("has one of its own of the VNFD's size and type, which goes with it", async () => {
    const recorded = await make({});
    expect(madeOf(recorded, "vnf-a-a-1-server")).toEqual({
      imageName: "debian-12",
      flavorName: "m1.small",
      blockDevices: [
        {
          ...{ sourceType: "image", uuid: "i1", volumeSize: 20, volumeType: "ssd" },
          ...{ deleteOnTermination: true, destinationType: "volume", bootIndex: 0 },
        },
      ],
    });
    expect(madeOf(recorded, "vnf-a-b-1-server")).toEqual({ imageName: "debian-12", flavorName: "m1.small" });
    const volumes = recorded.filter(({ type }) => type === "openstack:blockstorage/volume:Volume");
    expect(volumes.map(({ name, inputs }) => [name, inputs["imageId"]])).toEqual([
      ["vnf-a-a-1-data", undefined],
      ["vnf-a-a-1-tools", "i2"],
    ]);
  });

  it("boots from a volume that outlives it, where it is kept", async () => {
    const recorded = await make({ keepBootVolumes: true });
    expect(recorded.find(({ name }) => name === "vnf-a-a-1-root")?.inputs).toEqual({
      ...{ size: 20, enableOnlineResize: true, volumeType: "ssd", imageId: "i1" },
    });
    expect(madeOf(recorded, "vnf-a-a-1-server")).toMatchObject({
      blockDevices: [
        { sourceType: "volume", uuid: "vnf-a-a-1-root-id", destinationType: "volume", bootIndex: 0 },
      ],
    });
    const attached = recorded.filter(({ type }) => type === "openstack:compute/volumeAttach:VolumeAttach");
    expect(attached.map(({ name }) => name)).toEqual([
      "vnf-a-a-1-data-attachment",
      "vnf-a-a-1-tools-attachment",
    ]);
  });
});

describe("images and flavors", () => {
  const warned = () => jest.spyOn(pulumi.log, "warn").mockResolvedValue();
  afterEach(() => jest.restoreAllMocks());

  it("are asked for by id where no name is it, and flavors by their size", async () => {
    const recorded = await make(
      { images: { b: IMAGE }, flavors: { b: "42" } },
      cloud(ALL, { ...FLAVORS, big: "42" }),
    );
    expect(madeOf(recorded, "vnf-a-b-2-server")).toEqual({ imageId: IMAGE, flavorId: "42" });
    expect(madeOf(recorded, "vnf-a-c-1-server")).toEqual({ imageName: "debian-12", flavorId: "f2" });
  });

  it("are refused where several have the name or the size, all of them before anything is made", async () => {
    const plans = plansWith({ images: { a: "twice", tools: "twice" } });
    const several = cloud({ ...ALL, twice: ["i3", "i4"] }, { ...FLAVORS, 2048: "several" });
    await expect(readOffer(plans, several)).rejects.toMatchObject({
      faults: [
        'vnfm:vnfs.vnf-a.images.a: "twice" matches 2 images: i3, i4; set the id of one',
        'vnfm:vnfs.vnf-a.images.tools: "twice" matches 2 images: i3, i4; set the id of one',
        SEVERAL,
      ],
    });
  });

  it.each([
    ["the one that has what the VNFD asks for", ["f3"], undefined],
    ["none where none has it", [], SEVERAL],
    ["none where two have it", ["f3", "f4"], SEVERAL],
  ])("are %s if several have the size", async (_, withSpecs, fault) => {
    const extraSpecs = [{ name: "hw:cpu_policy", value: "dedicated", property: "p" }];
    const pinned = vnfPackage("p", {
      simple: flavour({
        vdus: {
          c: vdu("c", { initialInstances: 1, flavor: undefined, vcpus: 2, memoryMiB: 2048, extraSpecs }),
        },
      }),
    });
    const plans = planOf({ "vnf-a": { package: "p" } }, { loadPackage: () => pinned });
    const found = readOffer(plans, cloud(ALL, { 2048: "several" }, [], withSpecs));
    if (fault !== undefined) await expect(found).rejects.toMatchObject({ faults: [fault] });
    else
      expect((await found).flavor({ kind: "size", vcpus: 2, ramMiB: 2048, diskGiB: 0, extraSpecs })).toEqual({
        id: "f3",
        byId: true,
      });
  });

  it("are warned of where there are none, as servers that are there need none", async () => {
    const warn = warned();
    const changes = { images: { b: "debian-13" }, flavors: { b: "huge" } };
    const there = ["vnf-a-b-1", "vnf-a-b-2", "vnf-a-c-1"];
    const recorded = await make(changes, cloud(ALL, { "m1.small": "f1" }, there));
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      'vnfm:vnfs.vnf-a.images.b: the cloud has no image "debian-13"; no server can be created from it',
      'vnfm:vnfs.vnf-a.flavors.b: the cloud has no flavor "huge" (No Flavor found); no server can be created from it',
      "vnfm:vnfs.vnf-a.flavors.c: the VNFD does not name a flavor, and none has 2 vCPUs, 2048 MiB of memory " +
        "and any disk (No Flavor found); no server can be created from it",
    ]);
    expect(madeOf(recorded, "vnf-a-b-1-server")).toEqual({ imageName: "debian-13", flavorName: "huge" });
  });

  it("are refused where there are none and a server is still to be made of them", async () => {
    const plans = plansWith({ images: { b: "debian-13" } });
    const lookup = cloud(ALL, { "m1.small": "f1" }, ["vnf-a-b-1", "vnf-a-c-1"]);
    const warn = warned();
    await expect(readOffer(plans, lookup)).rejects.toMatchObject({
      faults: ['vnfm:vnfs.vnf-a.images.b: the cloud has no image "debian-13"'],
    });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it("are refused with their status where they are not active", async () => {
    const lookup = cloud(ALL, FLAVORS);
    await expect(readOffer(plansWith({ images: { b: "ordered" } }), lookup)).rejects.toMatchObject({
      faults: [
        'vnfm:vnfs.vnf-a.images.b: the image "ordered" is queued, and a server can be created only from an active one: use another',
      ],
    });
  });
});
