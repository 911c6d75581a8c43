import { own } from "../../base/own";
import type { VnfSettings } from "../../settings/model";
import type { DeploymentFlavour, Vdu, VirtualBlockStorage } from "../../vnfd/model";
import type { PlannedBootVolume, PlannedVolume } from "./model";

/** The volumes of a VDU's server in addition to its boot volume, in the order of the VDU's requirements. */
export function planVolumes(
  vdu: Vdu,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  availabilityZone: string | undefined,
): PlannedVolume[] {
  const boot = bootStorageOf(vdu, flavour);
  return storagesOf(vdu, flavour)
    .filter((storage) => storage !== boot)
    .map((storage) => ({
      ...planVolume(storage, settings),
      availabilityZone,
      image: own(settings.images ?? {}, storage.id) ?? storage.image,
    }));
}

/** The boot volume of a server of a VDU. */
export function planBootVolume(
  vdu: Vdu,
  image: string,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  availabilityZone: string | undefined,
): PlannedBootVolume | undefined {
  const storage = bootStorageOf(vdu, flavour);
  return (
    storage && { ...planVolume(storage, settings), availabilityZone, image, isKept: settings.keepBootVolumes }
  );
}

/** Name or id of the image for the servers of a VDU: from the stack config, else from the VNFD. */
export function imageOf(vdu: Vdu, settings: VnfSettings, flavour: DeploymentFlavour): string | undefined {
  const images = settings.images ?? {};
  const boot = bootStorageOf(vdu, flavour);
  return own(images, vdu.id) ?? (boot && own(images, boot.id)) ?? vdu.image ?? boot?.image;
}

/** The parts of a VDU, the VDU itself and its storages, that have a SwImage but no named image. */
export function unnamedImages(
  vdu: Vdu,
  { images = {} }: VnfSettings,
  flavour: DeploymentFlavour,
): { readonly id: string; readonly swImage: string }[] {
  const boot = bootStorageOf(vdu, flavour);
  return [vdu, ...storagesOf(vdu, flavour)].flatMap((part) => {
    const { id, unnamedImage: swImage } = part;
    const named = own(images, id) ?? (part === boot ? own(images, vdu.id) : undefined);
    return swImage === undefined || named !== undefined ? [] : [{ id, swImage }];
  });
}

/** Returns true if it has an image, or needs one in the stack config. */
export function hasImage({ image, unnamedImage }: Vdu | VirtualBlockStorage): boolean {
  return image !== undefined || unnamedImage !== undefined;
}

/** The boot storage of a VDU without an image: the first of its storages with one (SOL001 6.8.4). */
function bootStorageOf(vdu: Vdu, flavour: DeploymentFlavour): VirtualBlockStorage | undefined {
  return hasImage(vdu) ? undefined : storagesOf(vdu, flavour).find(hasImage);
}

function storagesOf(vdu: Vdu, flavour: DeploymentFlavour): VirtualBlockStorage[] {
  return vdu.volumes.flatMap((name) => own(flavour.volumes, name) ?? []);
}

function planVolume(
  { id, sizeGiB, volumeType }: VirtualBlockStorage,
  settings: VnfSettings,
): Omit<PlannedVolume, "image" | "availabilityZone"> {
  return { storage: id, sizeGiB, volumeType, protect: settings.protectVolumes };
}
