import type { Finding, Place } from "../base/findings";
import type { Flavor } from "../openstack/session";
import type { CloudNeed, ImageDisk } from "../plan/cloud-need";
import type { Cloud } from "./cloud";
import { flavorOf } from "./flavors";
import { flavorsIn, type Image } from "./resources";

/**
 * Findings about an image that is not active, or too large for a disk or the memory of a flavor.
 * @param place of the instance
 */
export async function imageProblems(
  { name, setting, disks = [] }: CloudNeed,
  image: Image,
  place: Place,
  cloud: Cloud,
): Promise<Finding[]> {
  if (image.status === undefined) return [];
  if (image.status !== "active") return [place.get(...setting).finding(notActive(name, image))];
  const flavors = await flavorsIn(cloud);
  return disks.flatMap((disk) => tooSmall(name, image, disk, flavorOf(disk.flavor, flavors), place));
}

/** The error about an image that is not active. */
export function notActive(nameOrId: string, { id, status }: Image): string {
  const wayOut = status === "deactivated" ? `activate it (openstack image set --activate ${id}) or ` : "";
  return `the image "${nameOrId}" is ${status}, and a server can be created only from an active one: ${wayOut}use another`;
}

/** Findings about a disk or memory that is too small for an image. */
function tooSmall(
  nameOrId: string,
  image: Image,
  { ofFlavor: settingOfFlavor, volume }: ImageDisk,
  flavor: Flavor | undefined,
  place: Place,
): Finding[] {
  const flavors = place.get(...settingOfFlavor);
  const ofFlavor = `the flavor "${flavor?.name ?? ""}"`;
  // with a flavor of 0 GiB Nova makes the disk as large as the image
  const [at, owner, disk] =
    volume === undefined
      ? [flavors, ofFlavor, flavor?.disk || Infinity]
      : [place.get(...volume.setting), `the ${volume.name}`, volume.sizeGiB];
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

/** Smallest disk for an image in GiB: its `min_disk`, or its size if that is larger. */
function leastDisk({ min_disk: least, size, virtual_size: virtual }: Image): number {
  return Math.max(least, Math.ceil(Math.max(size ?? 0, virtual ?? 0) / 2 ** 30));
}
