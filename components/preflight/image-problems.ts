import { Findings, type Finding, type Place } from "../base/findings";
import type { Flavor } from "../openstack/session";
import { withServers, type InstancePlan, type PlannedServer } from "../plan/model";
import type { Cloud } from "./cloud";
import { flavorOf } from "./flavors";
import { flavorsIn, imagesOf, type Image } from "./resources";
import type { ServerProblem } from "./server-needs";

/**
 * Problems with images that are not active, or too large for a disk or the memory of a flavor; each image is requested
 * once.
 */
export async function imageProblems(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly ServerProblem[]> {
  const uses = withServers(plans).flatMap(({ name, servers }) =>
    servers.flatMap((server) => usesOfImages(server, new Findings().instance(name))),
  );
  const problems = [...new Set(uses.map(({ image }) => image))].map(async (nameOrId) => {
    const [image, flavors] = await Promise.all([imageOf(nameOrId, cloud), flavorsIn(cloud)]);
    const usesOfImage = uses.filter((use) => use.image === nameOrId);
    return image === undefined ? [] : usesOfImage.flatMap((use) => problemsOf(use, image, flavors));
  });
  return (await Promise.all(problems)).flat();
}

/** A disk with the content of an image: the server's own, by its flavor, or a volume. */
interface ImageUse {
  readonly image: string;
  /** The setting with the image. */
  readonly setting: Place;
  /** The setting of the instance. */
  readonly place: Place;
  readonly server: PlannedServer;
  /** Undefined: the disk is the server's own. */
  readonly volume: { readonly storage: string; readonly sizeGiB: number } | undefined;
}

function usesOfImages(server: PlannedServer, place: Place): ImageUse[] {
  const { bootVolume, volumes, image, vdu } = server;
  const own = { image, setting: place.get("images", vdu.id), place, server };
  return [
    { ...own, volume: bootVolume },
    ...volumes.flatMap((volume): ImageUse[] =>
      volume.image === undefined
        ? []
        : [{ image: volume.image, setting: place.get("images", volume.storage), place, server, volume }],
    ),
  ];
}

/**
 * @returns undefined unless there is exactly one, which the lookup by name reports
 */
export async function imageOf(nameOrId: string, cloud: Cloud): Promise<Image | undefined> {
  const [one, another] = await imagesOf(nameOrId, cloud);
  return another === undefined ? one : undefined;
}

function problemsOf(use: ImageUse, image: Image, flavors: readonly Flavor[]): ServerProblem[] {
  const { server } = use;
  const { image: nameOrId, volume, place } = use;
  const disk = {
    flavor: flavorOf(server.flavor, flavors),
    ofFlavor: place.get("flavors", server.vdu.id),
    volume: volume && { name: `volume ${volume.storage}`, sizeGiB: volume.sizeGiB, setting: place },
  };
  const findings =
    image.status === "active"
      ? tooSmall(nameOrId, image, disk)
      : [use.setting.finding(notActive(nameOrId, image))];
  return findings.map((finding) => ({ finding, servers: [server.name] }));
}

/** The error about an image that is not active. */
export function notActive(nameOrId: string, { id, status }: Image): string {
  const wayOut = status === "deactivated" ? `activate it (openstack image set --activate ${id}) or ` : "";
  return `the image "${nameOrId}" is ${status}, and a server is made of an active one only: ${wayOut}name another`;
}

/** The disk for an image, and the flavor of its server. */
export interface ImageDisk {
  /** Undefined: the cloud has none, or several, with that name. */
  readonly flavor: Flavor | undefined;
  /** The setting of the flavor. */
  readonly ofFlavor: Place;
  /** Undefined: the disk is that of the flavor. */
  readonly volume: { readonly name: string; readonly sizeGiB: number; readonly setting: Place } | undefined;
}

/** Findings about a disk or memory that is too small for an image. */
export function tooSmall(
  nameOrId: string,
  image: Image,
  { flavor, ofFlavor: flavors, volume }: ImageDisk,
): Finding[] {
  const ofFlavor = `the flavor "${flavor?.name ?? ""}"`;
  // with a flavor of 0 GiB Nova makes the disk as large as the image
  const [at, owner, disk] =
    volume === undefined
      ? [flavors, ofFlavor, flavor?.disk || Infinity]
      : [volume.setting, `the ${volume.name}`, volume.sizeGiB];
  const memory = flavor?.ram ?? Infinity;
  const needs = (amount: string) => `and the image "${nameOrId}" needs ${amount}`;
  return [
    ...(disk < leastDisk(image)
      ? [at.finding(`${owner} has ${disk} GiB of disk, ${needs(`${leastDisk(image)} GiB`)}`)]
      : []),
    ...(memory < image.min_ram
      ? [flavors.finding(`${ofFlavor} has ${memory} MiB of memory, ${needs(`${image.min_ram} MiB`)}`)]
      : []),
  ];
}

/** The minimum disk in GiB, which has to contain the image too. */
function leastDisk({ min_disk: least, size, virtual_size: virtual }: Image): number {
  return Math.max(least, Math.ceil(Math.max(size ?? 0, virtual ?? 0) / 2 ** 30));
}
