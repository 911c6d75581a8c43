import { didYouMean, oneOf } from "../components/nearest";
import { Fault, UsageFault } from "./fault";
import type { Allowance } from "./guard";
import { intentOf, vnfOf, type IntendedVnf } from "./intent";
import { membersOf } from "./members";
import { operate, type Conduct, type Operation, type Outcome } from "./operation";
import type { PulumiStack } from "./pulumi";
import { assertJoinable, mastersOf } from "./quorum";
import { editValue, type Edit, type Vnfs } from "./stack-config";
import { own } from "../components/own";

/** A scale level, or how far from the present one. */
export type LevelChange =
  { readonly aspect: string; readonly level: number } | { readonly aspect: string; readonly by: number };

/**
 * Scales a VNF instance: sets scale levels in the stack config, and applies that.
 *
 * @param stack of the project in the current folder
 * @param levels at least one, each of another aspect
 * @throws UsageFault if there is no such VNF instance or aspect, Fault if no master can join though one would;
 * otherwise as `operate` does
 */
export function scale(
  stack: PulumiStack,
  vnf: string,
  levels: readonly LevelChange[],
  conduct: Conduct = {},
): Promise<Outcome> {
  return operate(
    stack,
    async (vnfs) => {
      const operation = planScale(vnfs, vnf, levels);
      const masters = mastersOf(vnfOf(intentOf(editValue(vnfs, operation.edits)), vnf));
      if (masters.length < 2) return operation;
      const members = membersOf(await stack.export(), vnf);
      const first = masters.find((key) => !members.has(key));
      if (first === undefined) return operation;
      const now = vnfOf(intentOf(vnfs), vnf);
      return { ...operation, warnings: await assertJoinable(stack, now, first, conduct.signal) };
    },
    conduct,
  );
}

/** The edit that scales, and the VNFCs that are above the new levels: they may go. */
export function planScale(vnfs: Vnfs, name: string, levels: readonly LevelChange[]): Operation {
  const vnf = vnfOf(intentOf(vnfs), name);
  const edits = levels.map((change): Edit => {
    return { vnf: name, path: ["scale", change.aspect], value: levelOf(vnf, change) };
  });
  const wanted = vnfOf(intentOf(editValue(vnfs, edits)), name);
  return { edits, allowance: leaving(wanted, levels) };
}

function levelOf({ name, flavour, scaleLevels }: IntendedVnf, change: LevelChange): number {
  const { aspect } = change;
  const known = Object.keys(flavour.scalingAspects);
  if (!known.includes(aspect))
    throw new UsageFault(
      `${name} has no scaling aspect "${aspect}"; ${oneOf(known)}${didYouMean(aspect, known)}`,
    );
  if ("level" in change) return change.level;
  const present = own(scaleLevels, aspect) ?? 0;
  const level = present + change.by;
  if (level < 0) throw new Fault(`${name}: ${aspect} is at scale level ${present} and cannot go to ${level}`);
  return level;
}

function leaving({ name, flavour, vnfcs }: IntendedVnf, levels: readonly LevelChange[]): Allowance {
  const vdus = levels.flatMap(({ aspect }) => Object.keys(own(flavour.scalingAspects, aspect)?.deltas ?? {}));
  return {
    vnf: name,
    actions: ["delete"],
    mayGo: (part) => vdus.includes(part.replace(/-\d+$/, "")) && !vnfcs.includes(part),
  };
}
