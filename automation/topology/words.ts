import type { Box, Mark } from "./model";

const DONE: Readonly<Record<Mark["action"], string>> = {
  create: "added",
  update: "changed",
  replace: "replaced",
  delete: "deleted",
};

/** Maximum number of names in a drawing. */
const MOST_NAMES = 3;

/** The heading of a box: `network public`, `workerNode × 3`. */
export function headingOf({ kind, name, count }: Box): string {
  if (kind === "network") return `network ${name}`;
  return count === undefined ? name : `${name} × ${count}`;
}

/** Lines below the heading of a box, without its changes. */
export function factLines({ facts, networks }: Box): readonly string[] {
  return [...facts, ...(networks.length === 0 ? [] : [`on ${networks.join(" and ")}`])];
}

/** Describes an action: `added: workerNode-1, workerNode-2, workerNode-3 and 17 more`. */
export function describeMark({ action, names }: Mark): string {
  const more = names.length - MOST_NAMES;
  return `${DONE[action]}: ${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns the action that determines a box's colour: the one with the most serious consequences. */
export function gravest({ marks }: Box): Mark["action"] | undefined {
  const order = ["replace", "delete", "create", "update"] as const;
  return order.find((action) => marks.some((mark) => mark.action === action));
}
