import { own } from "../../base/own";
import type { VnfSettings } from "../../settings/model";
import type { DeploymentFlavour, Vdu, VirtualBlockStorage } from "../../vnfd/model";
import type { PlannedBootVolume, PlannedVolume } from "../model";

/** The volumes of a server of a VDU beside its boot volume, in the order in which the VDU requires them. */
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

/** The volume that a server of a VDU boots from. */
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

/** The image that the servers of a VDU are made of, by its name or id: of the stack config, else of the VNFD. */
export function imageOf(vdu: Vdu, settings: VnfSettings, flavour: DeploymentFlavour): string | undefined {
  const images = settings.images ?? {};
  const boot = bootStorageOf(vdu, flavour);
  return own(images, vdu.id) ?? (boot && own(images, boot.id)) ?? vdu.image ?? boot?.image;
}

/** Of a VDU and the storages that it requires, those with a SwImage for which nobody has named an image. */
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

/** Returns true if it is made of an image, be it one that the stack config is to name. */
export function hasImage({ image, unnamedImage }: Vdu | VirtualBlockStorage): boolean {
  return image !== undefined || unnamedImage !== undefined;
}

/** A VDU without an image of its own boots from the first of its storages that has one (SOL001 6.8.4). */
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
