import type { Family } from "./edits";
import { WEB_CNF } from "./cnf";
import { CLUSTER } from "./cluster";
import { SERVERS } from "./servers";

const FAMILIES: readonly Family<unknown>[] = [SERVERS, WEB_CNF, CLUSTER];

/** @throws Error if no family has that name */
export function familyOf(name: string): Family<unknown> {
  const family = FAMILIES.find((one) => one.name === name);
  if (family === undefined) throw new Error(`there are no configs of the name ${name}`);
  return family;
}
