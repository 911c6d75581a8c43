import { didYouMean } from "../base/nearest";

/**
 * What a fault says after a name that does not exist: the nearest of the names that do, or the first of
 * them where none is near.
 * @param taken names that are in use beside it already, which it is therefore not meant to be
 */
export function nearest(name: string, known: readonly string[], taken: readonly string[] = []): string {
  const inUse = new Set(taken);
  const free = [...new Set(known)].filter((other) => !inUse.has(other));
  if (free.length === 0) return known.length === 0 ? "; there is none" : "; there is no other";
  const some = free.slice(0, 10).join(", ");
  return didYouMean(name, free) || `; there is ${some}${free.length > 10 ? ", ..." : ""}`;
}
