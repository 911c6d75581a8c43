import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { Offer, offerKey, type OfferedItem } from "../deploy/openstack/offer";
import { inRelease } from "../deploy/openstack/provider-release";
import { assertAnswer } from "../base/fault";
import { Findings, type Place } from "../base/findings";
import { withServers, type InstancePlan, type PlannedFlavor, type SizedFlavor } from "../plan/model";
import { printable } from "../base/printable";
import { assertNone } from "../base/settings-fault";
import { isUuid } from "../base/uuid";
import { extraSpecsOf, flavorsOf, lackOf } from "./flavors";
import { answered, type Connect } from "./cloud";
import { notActive } from "./image-problems";
import { flavorsIn, imagesOf, type Image } from "./resources";
import { existingServers } from "./project-servers";

/** Lookups in the cloud. */
export interface Lookup {
  /** Ids of all images with the name. */
  readonly imageIds: (name: string) => Promise<readonly string[]>;
  /** An image with the name that is not active, which `imageIds` leaves out, if the cloud reports it. */
  readonly inactiveImage: (name: string) => Promise<Image | undefined>;
  /**
   * @throws Error unless there is exactly one
   */
  readonly flavorId: (args: openstack.compute.GetFlavorArgs) => Promise<string>;
  /** Ids of the flavors of a size that have the required extra specs, as far as the cloud reports these. */
  readonly flavorIdsWith: (planned: SizedFlavor) => Promise<readonly string[]>;
  /** Names of existing servers of the instances. */
  readonly serversThere: (plans: readonly InstancePlan[]) => Promise<readonly string[]>;
}

/**
 * Looks up the images and flavors of the VNF instances, by name, else by id, each once. Existing servers do not need
 * their image any more, which may have been deleted: if all servers of it exist, a missing one is a warning.
 * @throws SettingsFault with every ambiguous name, and with everything missing that a new server needs
 */
export async function readOffer(plans: readonly InstancePlan[], lookup: Lookup): Promise<Offer> {
  const wanted = wantedOf(plans);
  const answers = await Promise.all(
    [...wanted].map(async ([key, { look, ...wants }]) => {
      try {
        return { key, ...wants, found: await look(lookup) };
      } catch (error) {
        assertAnswer(error);
        return { key, ...wants, error };
      }
    }),
  );
  const there = answers.every((answer) => "found" in answer) ? [] : await lookup.serversThere(plans);
  const faults = new Findings();
  const found = new Map<string, OfferedItem>();
  for (const answer of answers) {
    const { key, settings, servers } = answer;
    if ("found" in answer) {
      found.set(key, answer.found);
      continue;
    }
    const text = messageOf(answer.error);
    const isNeeded = answer.error instanceof SeveralError || servers.some((name) => !there.includes(name));
    if (isNeeded) faults.add(...settings.map((setting) => setting.finding(text)));
    else {
      const places = [...new Set(settings.map((setting) => setting.text))].join(", ");
      void pulumi.log.warn(printable(`${places}: ${text}; no server can be created from it`));
    }
  }
  assertNone(faults);
  return new Offer(found);
}

/** An error about several resources with the requested name. */
class SeveralError extends Error {}

/**
 * Lookups through the provider plugin. For the names of servers and extra specs of flavors, which it does not report,
 * vnfm connects to the cloud itself.
 * @param opts of the plugin's lookups. By default they use the stack's cloud
 */
export function lookupBy(connect: Connect, opts: pulumi.InvokeOptions = {}): Lookup {
  return {
    imageIds: async (name) => (await openstack.images.getImageIds({ name }, inRelease(opts))).ids,
    inactiveImage: (name) =>
      answered(
        async () => {
          const [image, another] = await imagesOf(name, await connect());
          return another !== undefined || image?.status === "active" ? undefined : image;
        },
        () => undefined,
      ),
    flavorId: async (args) => (await openstack.compute.getFlavor(args, inRelease(opts))).id,
    flavorIdsWith: (planned) =>
      answered(
        async () => {
          const cloud = await connect();
          const flavors = flavorsOf(planned, await flavorsIn(cloud));
          const specs = await Promise.all(flavors.map((flavor) => extraSpecsOf(flavor, cloud)));
          return flavors
            .filter((_, i) => lackOf(planned.extraSpecs ?? [], specs[i] ?? {}).length === 0)
            .map(({ id }) => id);
        },
        () => [],
      ),
    serversThere: (plans) =>
      answered(
        async () => (await existingServers(plans, await connect())).map(({ planned }) => planned.name),
        // an unreachable cloud is reported by the checks that need it
        () => withServers(plans).flatMap(({ servers }) => servers.map(({ name }) => name)),
      ),
  };
}

interface Wanted {
  readonly look: (lookup: Lookup) => Promise<OfferedItem>;
  /** Settings that name it. */
  readonly settings: readonly Place[];
  /** Names of the servers that use it. */
  readonly servers: readonly string[];
}

function wantedOf(plans: readonly InstancePlan[]): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const want = (key: string, setting: Place, users: readonly string[], look: Wanted["look"]): void => {
    const { settings, servers } = wanted.get(key) ?? { settings: [], servers: [] };
    wanted.set(key, { look, settings: [...settings, setting], servers: [...servers, ...users] });
  };
  for (const { name: instance, cloudNeeds } of withServers(plans)) {
    const place = new Findings().instance(instance);
    for (const { kind, name, setting, servers, disks = [] } of cloudNeeds) {
      if (kind !== "image") continue;
      want(offerKey("image", name), place.get(...setting), servers, (lookup) => findImage(name, lookup));
      for (const { flavor, ofFlavor } of disks)
        want(offerKey("flavor", flavor), place.get(...ofFlavor), servers, (lookup) =>
          findFlavor(flavor, lookup),
        );
    }
  }
  return wanted;
}

/**
 * Looks up an image. One that Glance does not list for the project, such as a hidden one, has no name here: its id is
 * used unchecked.
 */
async function findImage(nameOrId: string, { imageIds, inactiveImage }: Lookup): Promise<OfferedItem> {
  const ids = await imageIds(nameOrId);
  const [id, ...others] = ids;
  if (id === undefined && isUuid(nameOrId)) return { id: nameOrId, byId: true };
  if (id === undefined) {
    const inactive = await inactiveImage(nameOrId);
    throw new Error(inactive ? notActive(nameOrId, inactive) : `the cloud has no image "${nameOrId}"`);
  }
  if (others.length > 0)
    throw new SeveralError(
      `"${nameOrId}" matches ${ids.length} images: ${ids.join(", ")}; set the id of one`,
    );
  return { id, byId: false };
}

function findFlavor(planned: PlannedFlavor, lookup: Lookup): Promise<OfferedItem> {
  switch (planned.kind) {
    case "name":
      return findByName(planned.name, lookup.flavorId);
    case "size":
      return findBySize(planned, lookup);
  }
}

async function findByName(name: string, flavorId: Lookup["flavorId"]): Promise<OfferedItem> {
  // names of flavors are unique
  const byName = await flavorId({ name }).catch((error: unknown) => {
    assertAnswer(error);
    return undefined;
  });
  if (byName !== undefined) return { id: byName, byId: false };
  const byId = await flavorId({ flavorId: name }).catch((error: unknown) => {
    assertAnswer(error);
    throw new Error(`the cloud has no flavor "${name}" (${messageOf(error)})`);
  });
  return { id: byId, byId: true };
}

async function findBySize(planned: SizedFlavor, { flavorId, flavorIdsWith }: Lookup): Promise<OfferedItem> {
  const { vcpus, ramMiB: ram, diskGiB: disk, extraSpecs } = planned;
  try {
    return { id: await flavorId({ vcpus, ram, disk }), byId: true };
  } catch (error) {
    assertAnswer(error);
    const size = `${vcpus} vCPUs, ${ram} MiB of memory and ${disk === 0 ? "any" : `${disk} GiB of`} disk`;
    const prefix = "the VNFD does not name a flavor, and";
    if (!error.message.includes("more than one"))
      throw new Error(`${prefix} none has ${size} (${messageOf(error)})`, { cause: error });
    const [one, another] = extraSpecs === undefined ? [] : await flavorIdsWith(planned);
    if (one !== undefined && another === undefined) return { id: one, byId: true };
    throw new SeveralError(`${prefix} several have ${size}: set one`);
  }
}

/** The message of the cloud within the long one of the plugin. */
function messageOf({ message }: Error): string {
  return /^\s*\* (.*)$/m.exec(message)?.[1] ?? message;
}
