import type { Part } from "../../automation/changes/changes";
import type { Counterexample } from "./counterexample";
import { isObserved, type ProvenPreview } from "./differences";
import { textOf } from "./model";

/** An edit with a preview that was made wrong. */
interface Planted extends Pick<Counterexample, "before" | "after"> {
  readonly fault: string;
  readonly preview: ProvenPreview;
}

/** Maximum number of unchanged resources for which errors are planted: a cluster has hundreds. */
const STAYS = 20;

/** Plants each possible error in a preview: a missing part, a part of an unchanged resource, another action. */
export function plantedFaults({ preview, before, after }: Counterexample): readonly Planted[] {
  const parts = preview.changes.flatMap((change) => change.parts);
  const faulty = (fault: string, wrong: readonly Part[]): Planted => {
    return { fault, preview: { changes: [{ parts: wrong }] }, before, after };
  };
  const seen = parts.filter(({ subject }) => isObserved(subject));
  const named = new Set(seen.map(({ subject }) => textOf(subject)));
  const stays = [...after.values()]
    .filter(({ subject, derivedFrom }) => {
      return derivedFrom === undefined && isObserved(subject) && !named.has(textOf(subject));
    })
    .slice(0, STAYS);
  return [
    // an existing resource, or one that stays, has no changes
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
