import type { Change } from "../changes/changes";
import { nameOfSubject } from "../changes/words";
import type { Mark } from "./model";

const ACTIONS = ["create", "update", "replace", "delete"] as const;

/** Groups changes by their action. */
export function marksOf(changes: readonly Change[]): readonly Mark[] {
  return ACTIONS.flatMap((action) => {
    const matching = changes.filter((change) => doneBy(change) === action);
    // objects are what a CNF is known by; its other resources are how they are made
    const named = [...matching].sort((a, b) => Number(isOther(a)) - Number(isOther(b)));
    return matching.length === 0 ? [] : [{ action, names: [...new Set(named.map(nameOf))] }];
  });
}

/** Returns the action of a change. A left-over resource that an earlier run has replaced counts as deleted. */
function doneBy({ action }: Change): Mark["action"] {
  return action === "discard" ? "delete" : action;
}

function isOther({ subject }: Change): boolean {
  return subject.kind !== "object";
}

function nameOf({ subject }: Change): string {
  return subject.vnfc ?? nameOfSubject(subject);
}
