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
  checkScale(path, settings, flavour, faults);
  const counts: Record<string, number> = {};
  for (const vdu of Object.values(flavour.vdus)) {
    const count = countOf(vdu, settings, flavour, level);
    if (count < vdu.minInstances || count > vdu.maxInstances) {
      faults.push(
        `${path}.scale: VDU ${vdu.id} would have ${count} instances; its vdu_profile allows ${vdu.minInstances} to ${vdu.maxInstances}`,
      );
    }
    counts[vdu.id] = count;
  }
  return counts;
}

/** Whether the VNFD says how many instances the VDU has (else a CNF's manifest does). */
export function isGoverned(vdu: Vdu, flavour: DeploymentFlavour): boolean {
  return (
    vdu.initialInstances !== undefined ||
    aspectsOf(vdu, flavour).length > 0 ||
    Object.values(flavour.instantiationLevels).some((level) => level.instances[vdu.id] !== undefined)
  );
}

/** Names of the scaling aspects that change the VDU's instances. */
export function aspectsOf(vdu: Vdu, flavour: DeploymentFlavour): string[] {
  return Object.values(flavour.scalingAspects)
    .filter((aspect) => aspect.deltas[vdu.id] !== undefined)
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

function checkScale(path: string, settings: VnfSettings, flavour: DeploymentFlavour, faults: string[]): void {
  const known = Object.keys(flavour.scalingAspects);
  for (const [aspect, level] of Object.entries(settings.scale ?? {})) {
    const max = own(flavour.scalingAspects, aspect)?.maxScaleLevel;
    if (max === undefined) {
      faults.push(
        `${path}.scale.${aspect}: is no scaling aspect of the VNFD; ${oneOf(known)}${didYouMean(aspect, known)}`,
      );
    } else if (level > max) {
      faults.push(`${path}.scale.${aspect}: scale level ${level} is above the VNFD's max_scale_level ${max}`);
    }
  }
}

function countOf(
  vdu: Vdu,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  level: InstantiationLevel | undefined,
): number {
  const aspects = aspectsOf(vdu, flavour);
  const scaled = aspects.some((aspect) => own(settings.scale ?? {}, aspect) !== undefined);
  const ofLevel = level?.instances[vdu.id];
  if (!scaled && ofLevel !== undefined) return ofLevel;
  return aspects.reduce((count, aspect) => {
    const wanted = own(settings.scale ?? {}, aspect) ?? level?.scaleLevels[aspect] ?? 0;
    const deltas = flavour.scalingAspects[aspect]?.deltas[vdu.id] ?? [];
    return count + deltas.slice(0, wanted).reduce((sum, delta) => sum + delta, 0);
  }, vdu.initialInstances ?? vdu.minInstances);
}
