import type { Place } from "../base/findings";
import { limits } from "../base/limits";
import { didYouMean, notAmong, oneOf } from "../base/nearest";
import { own } from "../base/own";
import type { VnfSettings } from "../settings/model";
import type { DeploymentFlavour, InstantiationLevel, Vdu } from "../vnfd/model";
import { aspectsOf, instancesAt } from "../vnfd/numbers";

/**
 * The number of instances of each VDU: its VduInitialDelta, plus the delta of every scale level up to the requested one
 * (SOL001 6.10). A scale level in the stack config overrides that of the instantiation level. If the instantiation
 * level sets the number of a VDU, scale levels count from there.
 */
export function instanceCounts(
  place: Place,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
): Readonly<Record<string, number>> {
  const level = chosenLevel(place, settings, flavour);
  checkScale(place, settings, flavour, level);
  const counts = Object.values(flavour.vdus).map((vdu): [string, number] => {
    const count = countOf(vdu, settings, flavour, level);
    if (count < vdu.minInstances || count > vdu.maxInstances) {
      originOf(place, vdu, settings, flavour).fault(
        `VDU ${vdu.id} would have ${count} instances; its vdu_profile allows ${vdu.minInstances} to ${vdu.maxInstances}`,
      );
    }
    return [vdu.id, count];
  });
  return Object.fromEntries(counts);
}

/**
 * Records an error if an instance would have more VNFCs than can be planned. @param counts by VDU
 * @returns true in that case
 */
export function areTooMany(place: Place, counts: Readonly<Record<string, number>>): boolean {
  const all = Object.entries(counts);
  const sum = all.reduce((total, [, count]) => total + count, 0);
  if (sum <= limits.instances) return false;
  const [vdu = "", count = 0] = all.sort(([, a], [, b]) => b - a)[0] ?? [];
  place.fault(
    `would have ${sum} VNFCs, ${count} of them of VDU ${vdu}; at most ${limits.instances} are allowed: lower scale or instantiationLevel, or the numbers of the VNFD`,
  );
  return true;
}

/** Returns true if the VNFD sets the number of instances of the VDU; otherwise a manifest of the CNF does. */
export function isGoverned(vdu: Vdu, flavour: DeploymentFlavour): boolean {
  return (
    vdu.initialInstances !== undefined ||
    aspectsOf(vdu, flavour).length > 0 ||
    Object.values(flavour.instantiationLevels).some((level) => own(level.instances, vdu.id) !== undefined)
  );
}

function chosenLevel(
  place: Place,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
): InstantiationLevel | undefined {
  const id = settings.instantiationLevel ?? flavour.defaultInstantiationLevel;
  if (id === undefined) return undefined;
  const level = own(flavour.instantiationLevels, id);
  if (level === undefined) {
    const known = Object.keys(flavour.instantiationLevels);
    place.get("instantiationLevel").fault(notAmong(id, known));
  }
  return level;
}

function checkScale(
  place: Place,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  level: InstantiationLevel | undefined,
): void {
  const known = Object.keys(flavour.scalingAspects);
  const check = (setting: "scale" | "surge", aspect: string, requested: number): void => {
    const at = place.get(setting, aspect);
    const names = Object.keys(settings[setting] ?? {});
    const { maxScaleLevel: max, deltas = {} } = own(flavour.scalingAspects, aspect) ?? {};
    if (max === undefined) {
      at.fault(`is not a scaling aspect of the VNFD; ${oneOf(known)}${didYouMean(aspect, known, names)}`);
    } else if (requested > 0 && max === 0 && Object.keys(deltas).length === 0) {
      at.fault(
        `scale level ${requested} cannot be reached: the VNFD has no VduScalingAspectDeltas for the aspect, or not all of its step_deltas`,
      );
    } else if (requested > max) {
      at.fault(`scale level ${requested} is above the VNFD's max_scale_level ${max}`);
    }
  };
  for (const [aspect, requested] of Object.entries(settings.scale ?? {})) check("scale", aspect, requested);
  for (const [aspect, more] of Object.entries(settings.surge ?? {})) {
    // a level that is too high without the surge has an error already
    check("surge", aspect, more === 0 ? 0 : scaleLevelOf(aspect, settings, level) + more);
  }
}

/** The scale level of an aspect without its surge: that of `scale`, else that of the instantiation level, else 0. */
export function scaleLevelOf(
  aspect: string,
  settings: VnfSettings,
  level: InstantiationLevel | undefined,
): number {
  return own(settings.scale ?? {}, aspect) ?? own(level?.scaleLevels ?? {}, aspect) ?? 0;
}

function countOf(
  vdu: Vdu,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  level: InstantiationLevel | undefined,
): number {
  const levelOf = (aspect: string): number =>
    scaleLevelOf(aspect, settings, level) + (own(settings.surge ?? {}, aspect) ?? 0);
  const ofLevel = own(level?.instances ?? {}, vdu.id);
  if (ofLevel === undefined) return instancesAt(vdu, flavour, levelOf);
  const levels = level?.scaleLevels ?? {};
  return (
    ofLevel +
    instancesAt(vdu, flavour, levelOf) -
    instancesAt(vdu, flavour, (aspect) => own(levels, aspect) ?? 0)
  );
}

/** The setting that determines the number of instances of a VDU; the instance itself if only the VNFD does. */
function originOf(place: Place, vdu: Vdu, settings: VnfSettings, flavour: DeploymentFlavour): Place {
  const scaled = aspectsOf(vdu, flavour).some((aspect) =>
    [settings.scale, settings.surge].some((levels) => own(levels ?? {}, aspect) !== undefined),
  );
  if (scaled) return place.get("scale");
  return settings.instantiationLevel === undefined ? place : place.get("instantiationLevel");
}

/** Numbers of instances by VDU, for the VDUs that the VNFD governs. */
export function governedCounts(
  flavour: DeploymentFlavour,
  counts: Readonly<Record<string, number>>,
): Record<string, number> {
  const governed = Object.values(flavour.vdus).filter((vdu) => isGoverned(vdu, flavour));
  return Object.fromEntries(governed.map((vdu) => [vdu.id, own(counts, vdu.id) ?? 0]));
}
