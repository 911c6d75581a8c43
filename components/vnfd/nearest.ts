import { didYouMean } from "../base/nearest";

/**
 * Suggests an existing name in a message about one that does not exist: the nearest, or the first if none is similar.
 * @param taken names that are already used next to it, and therefore not suggested
 */
export function nearest(name: string, known: readonly string[], taken: readonly string[] = []): string {
  const inUse = new Set(taken);
  const free = [...new Set(known)].filter((other) => !inUse.has(other));
  if (free.length === 0) return known.length === 0 ? "; there is none" : "; there is no other";
  const some = free.slice(0, 10).join(", ");
  return didYouMean(name, free) || `; there is ${some}${free.length > 10 ? ", ..." : ""}`;
}
