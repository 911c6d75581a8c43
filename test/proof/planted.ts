import type { Part } from "../../automation/changes/changes";
import type { Counterexample } from "./counterexample";
import { isObserved, type ProvenPreview } from "./differences";
import { textOf } from "./model";

/** An edit with a preview that is made wrong. */
interface Planted extends Pick<Counterexample, "before" | "after"> {
  readonly fault: string;
  readonly preview: ProvenPreview;
}

/** Things that stay, of which faults are planted: a cluster has hundreds. */
const STAYS = 20;

/** An edit with each fault that a preview may have: a part less, a part of something that stays, a part of another action. */
export function plantedFaults({ preview, before, after }: Counterexample): readonly Planted[] {
  const parts = preview.changes.flatMap((change) => change.parts);
  const faulty = (fault: string, its: readonly Part[]): Planted => {
    return { fault, preview: { changes: [{ parts: its }] }, before, after };
  };
  const seen = parts.filter(({ subject }) => isObserved(subject));
  const named = new Set(seen.map(({ subject }) => textOf(subject)));
  const stays = [...after.values()]
    .filter(({ subject, derivedFrom }) => {
      return derivedFrom === undefined && isObserved(subject) && !named.has(textOf(subject));
    })
    .slice(0, STAYS);
  return [
    // what is there already, or stays, changes in nothing
    ...seen
      .filter(({ retained }) => !retained)
      .map((part) =>
        faulty(
          `without ${textOf(part.subject)}`,
          parts.filter((one) => one !== part),
        ),
      ),
    ...seen.map((part) =>
      faulty(`another action of ${textOf(part.subject)}`, [
        ...parts.filter((one) => one !== part),
        { subject: part.subject, action: part.action === "replace" ? "update" : "replace" },
      ]),
    ),
    ...stays.flatMap(({ subject }) =>
      (["update", "replace", "delete"] as const).map((action) =>
        faulty(`${action} of ${textOf(subject)}, which stays`, [...parts, { subject, action }]),
      ),
    ),
  ];
}
