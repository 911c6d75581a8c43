import type { Flavor, OpenStack } from "../openstack/session";
import { withServers, type InstancePlan, type PlannedFlavor, type PlannedServer } from "../plan/model";
import { isUuid } from "../uuid";
import type { ServerProblem } from "./server-needs";

type Cloud = Pick<OpenStack, "get" | "flavors">;

/** Images that are not active, and those that a disk or the memory of a flavor is too small for; each is asked for once. */
export async function imageProblems(
  plans: readonly InstancePlan[],
  cloud: Cloud,
): Promise<readonly ServerProblem[]> {
  const uses = withServers(plans).flatMap(({ name, servers }) =>
    servers.flatMap((server) => usesOfImages(server, `vnfm:vnfs.${name}`)),
  );
  const problems = [...new Set(uses.map(({ image }) => image))].map(async (asked) => {
    const [image, flavors] = await Promise.all([imageOf(asked, cloud), cloud.flavors()]);
    const its = uses.filter((use) => use.image === asked);
    return image === undefined ? [] : its.flatMap((use) => problemsOf(use, image, flavors));
  });
  return (await Promise.all(problems)).flat();
}

/** A disk that is made of an image: a server's own, by its flavor, or a volume. */
interface ImageUse {
  readonly image: string;
  /** That names the image. */
  readonly setting: string;
  readonly path: string;
  readonly server: PlannedServer;
  /** Undefined: the disk is the server's own. */
  readonly volume: { readonly storage: string; readonly sizeGiB: number } | undefined;
}

function usesOfImages(server: PlannedServer, path: string): ImageUse[] {
  const { bootVolume, volumes, image, vdu } = server;
  const own = { image, setting: `${path}.images.${vdu.id}`, path, server };
  return [
    { ...own, volume: bootVolume },
    ...volumes.flatMap((volume): ImageUse[] =>
      volume.image === undefined
        ? []
        : [{ image: volume.image, setting: `${path}.images.${volume.storage}`, path, server, volume }],
    ),
  ];
}

/** An image as Glance has it; its sizes are in bytes, its least disk in GiB, its least memory in MiB. */
export interface Image {
  readonly id: string;
  readonly status: string;
  readonly min_disk: number;
  readonly min_ram: number;
  readonly size: number | null;
  readonly virtual_size: number | null;
}

/** The images of a name or, where none has it, the one of that id. */
export async function imagesOf<T = Image>(
  asked: string,
  cloud: Pick<OpenStack, "get">,
): Promise<readonly T[]> {
  const path = `/v2/images?name=${encodeURIComponent(asked)}`;
  const byName = (await cloud.get<{ images: readonly T[] }>("image", path))?.images ?? [];
  if (byName.length > 0 || !isUuid(asked)) return byName;
  const byId = await cloud.get<T>("image", `/v2/images/${asked}`);
  return byId === undefined ? [] : [byId];
}

/** @returns undefined where there is not exactly one, of which the lookup by name tells */
export async function imageOf(asked: string, cloud: Pick<OpenStack, "get">): Promise<Image | undefined> {
  const [one, another] = await imagesOf(asked, cloud);
  return another === undefined ? one : undefined;
}

function problemsOf(use: ImageUse, image: Image, flavors: readonly Flavor[]): ServerProblem[] {
  const { server } = use;
  const texts =
    image.status === "active"
      ? tooSmall(use, image, flavorOf(server.flavor, flavors))
      : [`${use.setting}: ${notActive(use.image, image)}`];
  return texts.map((text) => ({ text, servers: [server.name] }));
}

/** What is wrong with an image that is there. */
export function notActive(asked: string, { id, status }: Image): string {
  const wayOut = status === "deactivated" ? `activate it (openstack image set --activate ${id}) or ` : "";
  return `the image "${asked}" is ${status}, and a server is made of an active one only: ${wayOut}name another`;
}

/** What is too small for an image: the disk that it goes to, or the memory. */
function tooSmall(use: ImageUse, image: Image, flavor: Flavor | undefined): string[] {
  const { image: asked, volume, path, server } = use;
  const ofFlavor = `${path}.flavors.${server.vdu.id}: the flavor "${flavor?.name ?? ""}"`;
  // Nova makes the disk of a flavor of 0 GiB as large as the image
  const [owner, disk] =
    volume === undefined
      ? [ofFlavor, flavor?.disk || Infinity]
      : [`${path}: the volume ${volume.storage}`, volume.sizeGiB];
  const memory = flavor?.ram ?? Infinity;
  const needs = (amount: string) => `and the image "${asked}" needs ${amount}`;
  return [
    ...(disk < leastDisk(image)
      ? [`${owner} has ${disk} GiB of disk, ${needs(`${leastDisk(image)} GiB`)}`]
      : []),
    ...(memory < image.min_ram
      ? [`${ofFlavor} has ${memory} MiB of memory, ${needs(`${image.min_ram} MiB`)}`]
      : []),
  ];
}

/** In GiB; what is in the image must have room too. */
function leastDisk({ min_disk: least, size, virtual_size: virtual }: Image): number {
  return Math.max(least, Math.ceil(Math.max(size ?? 0, virtual ?? 0) / 2 ** 30));
}

/** @returns undefined where there is not exactly one */
function flavorOf(asked: PlannedFlavor, flavors: readonly Flavor[]): Flavor | undefined {
  const found = flavors.filter(({ id, name, vcpus, ram, disk }) => {
    switch (asked.kind) {
      case "name":
        return name === asked.name || id === asked.name;
      case "size":
        return (
          vcpus === asked.vcpus && ram === asked.ramMiB && (asked.diskGiB === 0 || disk === asked.diskGiB)
        );
    }
  });
  return found.length === 1 ? found[0] : undefined;
}
