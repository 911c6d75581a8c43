import { didYouMean, oneOf } from "../nearest";
import { own } from "../own";
import type { VnfSettings } from "../settings/model";
import type { DeploymentFlavour, InstantiationLevel, Vdu } from "../vnfd/model";

/**
 * How many instances each VDU has: its VduInitialDelta, plus what each scale level up to the wanted one adds
 * (SOL001 6.10). A scale level in the stack config wins over the instantiation level's.
 * Appends what is wrong to `faults`, each line beginning with a setting under `path`.
 */
export function instanceCounts(
  path: string,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  faults: string[],
): Readonly<Record<string, number>> {
  const level = chosenLevel(path, settings, flavour, faults);
  checkScale(path, settings, flavour, level, faults);
  const counts = Object.values(flavour.vdus).map((vdu): [string, number] => {
    const count = countOf(vdu, settings, flavour, level);
    if (count < vdu.minInstances || count > vdu.maxInstances) {
      faults.push(
        `${path}.scale: VDU ${vdu.id} would have ${count} instances; its vdu_profile allows ${vdu.minInstances} to ${vdu.maxInstances}`,
      );
    }
    return [vdu.id, count];
  });
  return Object.fromEntries(counts);
}

/** Whether the VNFD says how many instances the VDU has (else a CNF's manifest does). */
export function isGoverned(vdu: Vdu, flavour: DeploymentFlavour): boolean {
  return (
    vdu.initialInstances !== undefined ||
    aspectsOf(vdu, flavour).length > 0 ||
    Object.values(flavour.instantiationLevels).some((level) => own(level.instances, vdu.id) !== undefined)
  );
}

/** Names of the scaling aspects that change the VDU's instances. */
export function aspectsOf(vdu: Vdu, flavour: DeploymentFlavour): string[] {
  return Object.values(flavour.scalingAspects)
    .filter((aspect) => own(aspect.deltas, vdu.id) !== undefined)
    .map((aspect) => aspect.id);
}

function chosenLevel(
  path: string,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  faults: string[],
): InstantiationLevel | undefined {
  const id = settings.instantiationLevel ?? flavour.defaultInstantiationLevel;
  if (id === undefined) return undefined;
  const level = own(flavour.instantiationLevels, id);
  if (level === undefined) {
    const known = Object.keys(flavour.instantiationLevels);
    faults.push(`${path}.instantiationLevel: "${id}" is not ${oneOf(known)}${didYouMean(id, known)}`);
  }
  return level;
}

function checkScale(
  path: string,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  level: InstantiationLevel | undefined,
  faults: string[],
): void {
  const known = Object.keys(flavour.scalingAspects);
  const check = (setting: "scale" | "surge", aspect: string, wanted: number): void => {
    const given = Object.keys(settings[setting] ?? {});
    const max = own(flavour.scalingAspects, aspect)?.maxScaleLevel;
    if (max === undefined) {
      faults.push(
        `${path}.${setting}.${aspect}: is no scaling aspect of the VNFD; ${oneOf(known)}${didYouMean(aspect, known, given)}`,
      );
    } else if (wanted > max) {
      faults.push(
        `${path}.${setting}.${aspect}: scale level ${wanted} is above the VNFD's max_scale_level ${max}`,
      );
    }
  };
  for (const [aspect, wanted] of Object.entries(settings.scale ?? {})) check("scale", aspect, wanted);
  for (const [aspect, more] of Object.entries(settings.surge ?? {})) {
    // a level that is too high by itself has been said
    check("surge", aspect, more === 0 ? 0 : levelOf(aspect, settings, level) + more);
  }
}

/** The aspect's scale level, without a surge. */
function levelOf(aspect: string, settings: VnfSettings, level: InstantiationLevel | undefined): number {
  return own(settings.scale ?? {}, aspect) ?? own(level?.scaleLevels ?? {}, aspect) ?? 0;
}

function countOf(
  vdu: Vdu,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  level: InstantiationLevel | undefined,
): number {
  const aspects = aspectsOf(vdu, flavour);
  /** What the steps of an aspect add, from a level on. */
  const added = (aspect: string, from: number, steps: number): number =>
    (own(own(flavour.scalingAspects, aspect)?.deltas ?? {}, vdu.id) ?? [])
      .slice(from, from + steps)
      .reduce((sum, delta) => sum + delta, 0);
  const surge = aspects.reduce((sum, aspect) => {
    return sum + added(aspect, levelOf(aspect, settings, level), own(settings.surge ?? {}, aspect) ?? 0);
  }, 0);
  const scaled = aspects.some((aspect) => own(settings.scale ?? {}, aspect) !== undefined);
  const ofLevel = own(level?.instances ?? {}, vdu.id);
  if (!scaled && ofLevel !== undefined) return ofLevel + surge;
  return aspects.reduce(
    (count, aspect) => count + added(aspect, 0, levelOf(aspect, settings, level)),
    (vdu.initialInstances ?? vdu.minInstances) + surge,
  );
}
