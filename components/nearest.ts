import { closest, distance } from "fastest-levenshtein";

/** A hint for a mistyped name: `; did you mean "scale"?`, or nothing where no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const nearest = closest(name, known);
  return distance(name, nearest) <= Math.max(2, name.length / 3) ? `; did you mean "${nearest}"?` : "";
}

/** The names that are allowed, for an error message. */
export function oneOf(known: readonly string[]): string {
  return known.length === 0 ? "none is defined" : `one of ${[...known].sort().join(", ")}`;
}
