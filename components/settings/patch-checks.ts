import type { Place } from "../base/findings";
import { fields, items, text } from "../kube/objects/object";
import { own } from "../base/own";

/**
 * Records errors in patches of a cluster that their schema cannot express.
 * @param patches of any shape
 */
export function checkPatches(patches: unknown, place: Place): void {
  items(patches).forEach((patch, i) => {
    const { mergePatch, jsonPatch } = fields(patch);
    if ((mergePatch === undefined) === (jsonPatch === undefined))
      place.get(i).fault("needs either a mergePatch or a jsonPatch");
    items(jsonPatch).forEach((operation, j) =>
      checkOperation(fields(operation), place.get(i, "jsonPatch", j)),
    );
  });
}

/** Required fields of each operation of a JSON patch, in addition to its path. */
const WITH: Readonly<Record<string, readonly string[]>> = {
  add: ["value"],
  remove: [],
  replace: ["value"],
  move: ["from"],
  copy: ["from"],
  test: ["value"],
};

function checkOperation(operation: Readonly<Record<string, unknown>>, place: Place): void {
  const op = text(operation["op"]) ?? "";
  const needed = own(WITH, op);
  if (needed === undefined) return;
  for (const key of ["value", "from"]) {
    const isThere = operation[key] !== undefined;
    if (needed.includes(key) && !isThere) place.get(key).fault(`is required with "${op}"`);
    if (!needed.includes(key) && isThere) place.get(key).fault(`is not for "${op}"; remove it`);
  }
}
