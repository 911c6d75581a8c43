import * as openstack from "@pulumi/openstack";
import * as pulumi from "@pulumi/pulumi";
import { Offer, offerKey, type OfferedItem } from "../deploy/openstack/offer";
import { inRelease } from "../deploy/openstack/provider-release";
import { assertAnswer } from "../base/fault";
import { Findings, type Place } from "../base/findings";
import { withServers, type InstancePlan } from "../plan/model";
import type { PlannedFlavor, SizedFlavor } from "../plan/servers/model";
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
  /** @throws Error unless exactly one flavor matches */
  readonly flavorId: (args: openstack.compute.GetFlavorArgs) => Promise<string>;
  /** Ids of the flavors of a size with the required extra specs; none if the cloud does not answer. */
  readonly flavorIdsWith: (planned: SizedFlavor) => Promise<readonly string[]>;
  /** Names of existing servers of the instances. */
  readonly serversThere: (plans: readonly InstancePlan[]) => Promise<readonly string[]>;
}

/**
 * Looks up the images and flavors of the VNF instances, each once: by name, else by id. A missing image or flavor is
 * only a warning if all its servers exist, as they no longer need it.
 * @throws SettingsFault with every ambiguous name, and every missing image or flavor of a new server
 */
export async function readOffer(plans: readonly InstancePlan[], lookup: Lookup): Promise<Offer> {
  const requests = requestsOf(plans);
  const answers = await Promise.all(
    [...requests].map(async ([key, { look, ...request }]) => {
      try {
        return { key, ...request, found: await look(lookup) };
      } catch (error) {
        assertAnswer(error);
        return { key, ...request, error };
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

/** An error about a name that several resources have. */
class SeveralError extends Error {}

/**
 * Lookups through the provider plugin. The plugin does not report names of servers and extra specs of flavors, so vnfm
 * queries the cloud for these itself.
 * @param opts of the plugin's lookups. @default they use the stack's cloud
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

interface Request {
  readonly look: (lookup: Lookup) => Promise<OfferedItem>;
  /** Settings with this image or flavor. */
  readonly settings: readonly Place[];
  /** Names of the servers that use it. */
  readonly servers: readonly string[];
}

function requestsOf(plans: readonly InstancePlan[]): ReadonlyMap<string, Request> {
  const requests = new Map<string, Request>();
  const request = (key: string, setting: Place, users: readonly string[], look: Request["look"]): void => {
    const { settings, servers } = requests.get(key) ?? { settings: [], servers: [] };
    requests.set(key, { look, settings: [...settings, setting], servers: [...servers, ...users] });
  };
  for (const { name: instance, cloudNeeds } of withServers(plans)) {
    const place = new Findings().instance(instance);
    for (const { kind, name, setting, servers, disks = [] } of cloudNeeds) {
      if (kind !== "image") continue;
      request(offerKey("image", name), place.get(...setting), servers, (lookup) => findImage(name, lookup));
      for (const { flavor, ofFlavor } of disks)
        request(offerKey("flavor", flavor), place.get(...ofFlavor), servers, (lookup) =>
          findFlavor(flavor, lookup),
        );
    }
  }
  return requests;
}

/**
 * Looks up an image. If Glance does not list it for the project, such as a hidden one, only its id works, and is not
 * checked.
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

/** The cloud's own message, from the longer message of the plugin. */
function messageOf({ message }: Error): string {
  return /^\s*\* (.*)$/m.exec(message)?.[1] ?? message;
}
