import { own } from "../base/own";
import type { InstancePlan } from "./model";

/**
 * A warning about instances of the last run that the stack config no longer has, if the effect may be unexpected: a
 * renamed instance is a new instance, and without any instance the whole stack is deleted.
 * @param former instances of the last run, by name
 * @returns undefined if no instance is deleted, or if others stay and none is new
 */
export function goneWarning(
  plans: readonly InstancePlan[],
  former: Readonly<Record<string, unknown>>,
): string | undefined {
  const names = plans.map(({ name }) => name);
  const gone = Object.keys(former).filter((name) => !names.includes(name));
  const made = names.filter((name) => own(former, name) === undefined);
  if (gone.length === 0) return undefined;
  if (made.length > 0)
    return (
      `vnfm:vnfs: ${gone.join(", ")}, of the last update, no longer exists in the stack config, and ${made.join(", ")} is new. An instance ` +
      "with another name is another instance: everything of the former one is deleted, its servers, volumes and " +
      "objects. If it was only renamed, restore its name"
    );
  if (names.length > 0) return undefined;
  return (
    `vnfm:vnfs: none of the ${gone.length} instances of the last update is in the stack config any more: ${gone.join(", ")}. Everything that the ` +
    "stack created is deleted, servers, volumes and objects"
  );
}
