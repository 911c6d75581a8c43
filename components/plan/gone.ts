import { own } from "../base/own";
import type { InstancePlan } from "./model";

/**
 * A warning about instances of the last run that the stack config no longer has, if the effect may surprise: an
 * instance with another name is a new instance, and without any instance the whole stack is deleted.
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
      `vnfm:vnfs: ${gone.join(", ")}, of the last run, is not there any more, and ${made.join(", ")} is new. An instance ` +
      "with another name is another instance: what the former one has made is deleted, its servers, volumes and " +
      "objects. If it was only renamed, give it its name back"
    );
  if (names.length > 0) return undefined;
  return (
    `vnfm:vnfs: none of the ${gone.length} instances of the last run is there any more: ${gone.join(", ")}. All that the ` +
    "stack has made is deleted, servers, volumes and objects"
  );
}
