import { closest, distance } from "fastest-levenshtein";

/**
 * What a fault says after a name that does not exist: the nearest of the names that do, or all of them
 * where none is near.
 */
export function nearest(name: string, known: readonly string[]): string {
  if (known.length === 0) return "; there is none";
  const best = closest(name, known);
  if (distance(name.toLowerCase(), best.toLowerCase()) <= Math.max(2, name.length / 3)) {
    return `; did you mean ${JSON.stringify(best)}?`;
  }
  const some = known.slice(0, 10).join(", ");
  return `; there is ${some}${known.length > 10 ? ", ..." : ""}`;
}
