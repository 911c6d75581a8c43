import { limits } from "../base/limits";
import { own } from "../base/own";
import type { At } from "./at";
import type { InstantiationLevel, ScalingAspect } from "./model";
import { nearest } from "./nearest";
import { targetName, targetNameIfAny, type Policy, type PolicyKind } from "./policies";

type Names = readonly string[];
const ofKind = (policies: readonly Policy[], kind: PolicyKind) => policies.filter((p) => p.kind === kind);

/** Reads ScalingAspects with the VduScalingAspectDeltas of each VDU (SOL001 6.10.2, 6.10.4). */
export function readAspects(policies: readonly Policy[], vdus: Names): Record<string, ScalingAspect> {
  const aspects = ofKind(policies, "ScalingAspects").flatMap((p) => p.properties.get("aspects").entries());
  const known = new Map(aspects);
  const deltas = new Map<string, Map<string, number[]>>();
  const unscalable = new Set<string>();
  const policiesOfDeltas = ofKind(policies, "VduScalingAspectDeltas");
  const scaled = policiesOfDeltas.map((policy) => policy.properties.get("aspect"));
  for (const policy of policiesOfDeltas) {
    const id = targetNameIfAny(policy.properties.get("aspect"), "scaling aspect", [...known.keys()], scaled);
    const aspect = id === undefined ? undefined : known.get(id);
    const targets = targetsOf(policy, vdus);
    if (id === undefined || aspect === undefined) {
      policy.properties.get("deltas").skip();
      continue;
    }
    const perLevel = deltasPerLevel(aspect, policy.properties.get("deltas"));
    if (perLevel === undefined) unscalable.add(id);
    const ofAspect = deltas.get(id) ?? new Map<string, number[]>();
    deltas.set(id, ofAspect);
    for (const { vdu, at } of targets) {
      if (ofAspect.has(vdu)) at.fault(`${vdu} has deltas of the scaling aspect ${id} already`);
      else ofAspect.set(vdu, perLevel ?? []);
    }
  }
  return Object.fromEntries(
    aspects.map(([id, at]) => [
      id,
      {
        id,
        maxScaleLevel: unscalable.has(id) ? 0 : maxLevel(at, true),
        deltas: unscalable.has(id) ? {} : Object.fromEntries(deltas.get(id) ?? []),
      },
    ]),
  );
}

/**
 * Reads the highest level of an aspect.
 * @param report false if it is read a second time, so that an error is recorded once
 */
function maxLevel(aspect: At, report: boolean): number {
  const at = aspect.get("max_scale_level");
  if (!report && !at.isText) return 0;
  const level = at.requiredCount();
  if (level <= limits.scaleLevel) return level;
  if (report) at.fault(`${level} is more than the maximum, ${limits.scaleLevel}`);
  return 0;
}

/**
 * Returns the numbers of instances that each level adds. `step_deltas` of the aspect names one delta per level, or one
 * for all; without it, the policy's only delta applies to all. Undefined if a delta is missing: the VNF can be
 * instantiated, but this aspect cannot be scaled.
 */
function deltasPerLevel(aspect: At, deltas: At): number[] | undefined {
  const numbers = new Map(
    deltas.entries().map(([name, delta]) => [name, delta.get("number_of_instances").requiredCount()]),
  );
  const levels = maxLevel(aspect, false);
  const steps = aspect.get("step_deltas").items();
  if (steps.length === 0 && levels > 0 && numbers.size > 1) {
    aspect
      .get("step_deltas")
      .fault(`is missing; it must assign ${[...numbers.keys()].join(", ")} to the levels`);
  }
  if (steps.length > 1 && steps.length !== levels) {
    aspect
      .get("step_deltas")
      .fault(`has ${steps.length} deltas for ${levels} levels; define one for each level, or one for all`);
  }
  if (numbers.size === 0) {
    deltas.warn("the aspect cannot be scaled: there is no delta");
    aspect.get("step_deltas").skip();
    return undefined;
  }
  const absent = steps.filter((step) => !numbers.has(step.requiredText()));
  for (const step of absent) {
    const known = nearest(step.text() ?? "", [...numbers.keys()]);
    step.warn(`the aspect cannot be scaled: there is no delta ${step.shown()} in ${deltas.node}${known}`);
  }
  if (absent.length > 0) return undefined;
  const named = steps.map((step) => numbers.get(step.text() ?? "") ?? 0);
  const only = [...numbers.values()][0] ?? 0;
  return Array.from({ length: levels }, (_, i) => named[i] ?? named[0] ?? only);
}

/** Reads VduInitialDelta (SOL001 6.10.3): numbers of instances by VDU at scale level 0. */
export function readInitialDeltas(policies: readonly Policy[], vdus: Names): Map<string, number> {
  const initial = new Map<string, number>();
  for (const policy of ofKind(policies, "VduInitialDelta")) {
    const count = policy.properties.get("initial_delta").get("number_of_instances").requiredCount();
    for (const { vdu, at } of targetsOf(policy, vdus)) {
      if (initial.has(vdu)) at.fault(`${vdu} has an initial delta already`);
      else initial.set(vdu, count);
    }
  }
  return initial;
}

/** Reads InstantiationLevels with VduInstantiationLevels (SOL001 6.10.5, 6.10.6), and the default level. */
export function readLevels(
  policies: readonly Policy[],
  aspects: Readonly<Record<string, ScalingAspect>>,
  vdus: Names,
): { levels: Record<string, InstantiationLevel>; defaultLevel: string | undefined } {
  const policiesOfLevels = ofKind(policies, "InstantiationLevels");
  const places = policiesOfLevels.flatMap((p) => p.properties.get("levels").entries());
  const ids = places.map(([id]) => id);
  const instances = new Map(ids.map((id) => [id, new Map<string, number>()]));
  for (const policy of ofKind(policies, "VduInstantiationLevels")) {
    const targets = targetsOf(policy, vdus);
    const entries = policy.properties.get("levels").entries();
    const names = entries.map(([id, at]) => at.asName(id));
    for (const [id, at] of entries) {
      const count = at.get("number_of_instances").requiredCount();
      if (targetNameIfAny(at.asName(id), "instantiation level", ids, names) === undefined) continue;
      for (const { vdu } of targets) instances.get(id)?.set(vdu, count);
    }
  }
  const levels = places.map(([id, at]): [string, InstantiationLevel] => [
    id,
    {
      id,
      scaleLevels: Object.fromEntries(scaleLevels(at.get("scale_info").entries(), aspects)),
      instances: Object.fromEntries(instances.get(id) ?? []),
    },
  ]);
  const named = policiesOfLevels.map((p) => p.properties.get("default_level")).find((at) => at.exists);
  if (named === undefined && ids.length > 1)
    policiesOfLevels[0]?.properties
      .get("default_level")
      .warn(`is missing: unless instantiationLevel is set to one of ${ids.join(", ")}, none of them is used`);
  const defaultLevel =
    named === undefined
      ? ids.length === 1
        ? ids[0]
        : undefined
      : targetName(named, "instantiation level", ids);
  return { levels: Object.fromEntries(levels), defaultLevel };
}

/** Returns the scale levels of existing aspects. */
function scaleLevels(
  info: readonly [string, At][],
  aspects: Readonly<Record<string, ScalingAspect>>,
): [string, number][] {
  const names = info.map(([id, place]) => place.asName(id));
  return info.flatMap(([id, place]): [string, number][] => {
    const at = place.get("scale_level");
    const level = at.requiredCount();
    if (targetNameIfAny(place.asName(id), "scaling aspect", Object.keys(aspects), names) === undefined)
      return [];
    const { maxScaleLevel: max, deltas } = own(aspects, id) ?? { maxScaleLevel: 0, deltas: {} };
    // such an aspect cannot be scaled, which is reported already
    if (max === 0 && Object.keys(deltas).length === 0) return [];
    if (level > max) at.fault(`${level} is more than max_scale_level of ${id}, ${max}`);
    return [[id, level]];
  });
}

function targetsOf(policy: Policy, vdus: Names): { vdu: string; at: At }[] {
  if (policy.targets.length === 0) policy.at.get("targets").missing();
  return policy.targets.flatMap((at) => {
    const vdu = targetNameIfAny(at, "VDU", vdus, policy.targets);
    return vdu === undefined ? [] : [{ vdu, at }];
  });
}
