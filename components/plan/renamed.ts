import { own } from "../own";
import type { InstancePlan } from "./model";

/**
 * What an operator may not expect who has given an instance another name: it is another instance, and the former one
 * goes. Undefined where no instance goes, or none is new.
 *
 * @param former instances of the last run, by name
 */
export function renameWarning(
  plans: readonly InstancePlan[],
  former: Readonly<Record<string, unknown>>,
): string | undefined {
  const names = plans.map(({ name }) => name);
  const gone = Object.keys(former).filter((name) => !names.includes(name));
  const made = names.filter((name) => own(former, name) === undefined);
  if (gone.length === 0 || made.length === 0) return undefined;
  return (
    `vnfm:vnfs: ${gone.join(", ")}, of the last run, is not there any more, and ${made.join(", ")} is new. An instance ` +
    "with another name is another instance: what the former one has made is deleted, its servers, volumes and " +
    "objects. If it was only renamed, give it its name back"
  );
}
