import { own } from "../own";
import type { VnfSettings } from "../settings/model";
import type { DeploymentFlavour, Vdu } from "../vnfd/model";
import type { PlannedVolume } from "./model";

/** The volumes of each server of a VDU, in the order in which the VDU requires them. */
export function planVolumes(vdu: Vdu, settings: VnfSettings, flavour: DeploymentFlavour): PlannedVolume[] {
  return vdu.volumes.flatMap((name) => {
    const storage = own(flavour.volumes, name);
    if (storage === undefined) return [];
    const { id, sizeGiB, image, volumeType } = storage;
    return [{ storage: id, sizeGiB, image, volumeType, protect: settings.protectVolumes }];
  });
}
