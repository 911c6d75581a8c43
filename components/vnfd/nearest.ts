import { didYouMean } from "../nearest";

/**
 * What a fault says after a name that does not exist: the nearest of the names that do, or the first of
 * them where none is near.
 */
export function nearest(name: string, known: readonly string[]): string {
  if (known.length === 0) return "; there is none";
  const some = known.slice(0, 10).join(", ");
  return didYouMean(name, known) || `; there is ${some}${known.length > 10 ? ", ..." : ""}`;
}
