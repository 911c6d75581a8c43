import { fields } from "../../components/kube/objects/object";
import { didYouMean, oneOf } from "../../components/base/nearest";
import { Fault, UsageFault } from "../fault";
import { vduOf } from "../stack/places";
import { ofVnfcs, type Allowance } from "./guard";
import { intentOf, vnfOf, type IntendedVnf } from "../stack/intent";
import { membersOf } from "./members";
import type { Run } from "../run";
import { operate, type Operation, type Outcome } from "./operation";
import type { PulumiStack } from "../stack/pulumi";
import { assertJoinable, mastersOf } from "./quorum";
import { editValue, type Edit, type StackSettings } from "../stack/stack-config";
import { own } from "../../components/base/own";

/**
 * A scale level of an aspect, or the replicas of a node group of a cluster from a template; or the difference from the
 * current one.
 */
export type LevelChange =
  { readonly aspect: string; readonly level: number } | { readonly aspect: string; readonly by: number };

/**
 * Scales a VNF instance: sets scale levels in the stack config, and applies them.
 * @param levels at least one, each of another aspect
 * @throws UsageFault if there is no such VNF instance or aspect, Fault if a master would join and cannot; otherwise as
 * `operate` does
 */
export function scale(
  stack: PulumiStack,
  vnf: string,
  levels: readonly LevelChange[],
  run: Run,
): Promise<Outcome> {
  return operate(
    stack,
    async (now) => {
      const { settings } = now;
      const operation = planScale(settings, vnf, levels);
      const masters = mastersOf(vnfOf(intentOf(editValue(settings, operation.edits)), vnf));
      if (masters.length < 2) return operation;
      const members = membersOf(await now.state(), vnf);
      const first = masters.find((key) => !members.has(key));
      if (first === undefined) return operation;
      const present = vnfOf(intentOf(settings), vnf);
      return { ...operation, warnings: await assertJoinable(now, present, first, run.signal) };
    },
    run,
  );
}

/**
 * The edits for scaling. They allow the deletion of the VNFCs above the new levels, and remove the trigger values of
 * these.
 */
export function planScale(settings: StackSettings, name: string, levels: readonly LevelChange[]): Operation {
  const vnf = vnfOf(intentOf(settings), name);
  const edits = levels.map((change): Edit => {
    const { aspect } = change;
    const path =
      vnf.flavour === undefined
        ? (["nodeGroups", aspect, "replicas"] as const)
        : (["scale", aspect] as const);
    return { vnf: name, path, value: levelOf(vnf, change) };
  });
  const after = vnfOf(intentOf(editValue(settings, edits)), name);
  return { edits: [...edits, ...staleTokens(settings, vnf, after)], allowance: leaving(after, levels) };
}

/** Edits that remove the trigger values of deleted VNFCs, because the plan would warn about them. */
function staleTokens({ vnfs }: StackSettings, before: IntendedVnf, after: IntendedVnf): Edit[] {
  const { name: vnf } = after;
  const tokens = Object.keys(fields(own(vnfs, vnf)?.["heal"]));
  const stale = tokens.filter((key) => before.vnfcs.includes(key) && !after.vnfcs.includes(key));
  if (stale.length === tokens.length && stale.length > 0) return [{ vnf, path: ["heal"], value: undefined }];
  return stale.map((key) => ({ vnf, path: ["heal", key], value: undefined }));
}

function levelOf({ name, flavour, scaleLevels }: IntendedVnf, change: LevelChange): number {
  const { aspect } = change;
  const known = Object.keys(scaleLevels);
  if (!known.includes(aspect)) {
    const what = flavour === undefined ? "node group" : "scaling aspect";
    throw new UsageFault(`${name} has no ${what} "${aspect}"; ${oneOf(known)}${didYouMean(aspect, known)}`);
  }
  if ("level" in change) return change.level;
  const present = own(scaleLevels, aspect) ?? 0;
  const level = present + change.by;
  if (level < 0)
    throw new Fault(`${name}: ${aspect} is at scale level ${present} and cannot be scaled to ${level}`);
  return level;
}

function leaving({ name, flavour, vnfcs }: IntendedVnf, levels: readonly LevelChange[]): Allowance {
  const vdus = levels.flatMap(({ aspect }) =>
    Object.keys(own(flavour?.scalingAspects ?? {}, aspect)?.deltas ?? {}),
  );
  return {
    vnf: name,
    actions: ["delete"],
    mayGo: ofVnfcs((vnfc) => vdus.includes(vduOf(vnfc)) && !vnfcs.includes(vnfc)),
  };
}
