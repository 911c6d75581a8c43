import { own } from "../base/own";
import type { At } from "./at";
import type { DeploymentFlavour, Vdu } from "./model";
import type { Policy } from "./policies";
import type { NodeTemplate } from "./types";

/** The parts of a flavour that determine numbers of instances. */
type Numbers = Pick<DeploymentFlavour, "vdus" | "scalingAspects" | "instantiationLevels">;

/** Lists the scaling aspects that change the number of the VDU's instances. */
export function aspectsOf(vdu: Vdu, { scalingAspects }: Numbers): string[] {
  return Object.values(scalingAspects)
    .filter((aspect) => own(aspect.deltas, vdu.id) !== undefined)
    .map((aspect) => aspect.id);
}

/**
 * Returns the number of a VDU's instances: its VduInitialDelta, else its minimum, plus the deltas of each aspect up to
 * a scale level (SOL001 6.10).
 */
export function instancesAt(vdu: Vdu, numbers: Numbers, levelOf: (aspect: string) => number): number {
  const added = aspectsOf(vdu, numbers).flatMap((aspect) =>
    (own(own(numbers.scalingAspects, aspect)?.deltas ?? {}, vdu.id) ?? []).slice(0, levelOf(aspect)),
  );
  return added.reduce((sum, delta) => sum + delta, vdu.initialInstances ?? vdu.minInstances);
}

/** Warns about contradictory numbers in a VNFD: instantiation works, but scaling may fail. */
export function warnOfNumbers(
  numbers: Numbers,
  policies: readonly Policy[],
  templates: ReadonlyMap<string, NodeTemplate>,
): void {
  for (const vdu of Object.values(numbers.vdus)) {
    const profile = templates.get(vdu.id)?.at.get("properties").get("vdu_profile");
    if (profile !== undefined) warnOfProfile(vdu, numbers, profile);
  }
  for (const { kind, properties, targets } of policies) {
    if (kind === "ScalingAspects") warnOfIdle(numbers, properties.get("aspects").entries());
    if (kind !== "VduInstantiationLevels") continue;
    const vdus = targets.flatMap((target) => own(numbers.vdus, target.text() ?? "") ?? []);
    for (const [id, at] of properties.get("levels").entries()) {
      for (const vdu of vdus) warnOfLevel(vdu, numbers, id, at.get("number_of_instances"));
    }
  }
}

/** Warns if the initial delta, or the highest scale level of an aspect, is outside the vdu_profile. */
function warnOfProfile(vdu: Vdu, numbers: Numbers, profile: At): void {
  const initial = instancesAt(vdu, numbers, () => 0);
  const problem = outside(vdu, initial);
  if (problem !== undefined) {
    profile.warn(`the initial delta of ${vdu.id}, ${initial}, is ${problem}`);
    return;
  }
  for (const aspect of aspectsOf(vdu, numbers)) {
    const highest = own(numbers.scalingAspects, aspect)?.maxScaleLevel ?? 0;
    const most = instancesAt(vdu, numbers, (other) => (other === aspect ? highest : 0));
    const above = outside(vdu, most);
    if (above !== undefined)
      profile.warn(
        `the highest scale level of ${aspect}, ${highest}, gives ${vdu.id} ${most} instances, which is ${above}`,
      );
  }
}

/** Warns about scaling aspects that change no VDU. */
function warnOfIdle({ scalingAspects }: Numbers, places: readonly [string, At][]): void {
  for (const [id, at] of places) {
    const { maxScaleLevel, deltas } = own(scalingAspects, id) ?? { maxScaleLevel: 0, deltas: {} };
    if (maxScaleLevel === 0 || Object.keys(deltas).length > 0) continue;
    at.warn(`no VduScalingAspectDeltas refer to this aspect: scaling it changes no VDU`);
    at.get("step_deltas").skip();
  }
}

/**
 * Warns if an instantiation level's number of instances contradicts its scale levels, or is outside the VDU's profile.
 */
function warnOfLevel(vdu: Vdu, numbers: Numbers, id: string, at: At): void {
  const level = own(numbers.instantiationLevels, id);
  const count = own(level?.instances ?? {}, vdu.id);
  if (level === undefined || count === undefined) return;
  const problem = outside(vdu, count);
  const scaled = instancesAt(vdu, numbers, (aspect) => own(level.scaleLevels, aspect) ?? 0);
  if (problem !== undefined) {
    at.warn(`${count} for ${vdu.id} is ${problem}`);
  } else if (count !== scaled && aspectsOf(vdu, numbers).length > 0) {
    at.warn(
      `${count} for ${vdu.id} contradicts ${scaled}, its initial delta and the deltas up to the scale levels in ` +
        `the scale_info of ${id}; ${count} holds, and scaling counts from it`,
    );
  }
}

function outside({ minInstances, maxInstances }: Vdu, count: number): string | undefined {
  if (count < minInstances) return `less than min_number_of_instances, ${minInstances}`;
  return count > maxInstances ? `more than max_number_of_instances, ${maxInstances}` : undefined;
}
