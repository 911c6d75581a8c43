import { distance } from "fastest-levenshtein";

/**
 * Returns a hint for a mistyped name: `; did you mean "scale"?`, or an empty string if no name is similar.
 * @param taken names that are already used next to it, and therefore not suggested
 */
export function didYouMean(name: string, known: readonly string[], taken: readonly string[] = []): string {
  const inUse = new Set(taken);
  const [nearest] = known
    .filter((other) => !inUse.has(other))
    .slice(0, MOST_NAMES)
    .map((other) => ({ other, mistakes: mistakesOf(name, other) }))
    .filter(({ mistakes }) => mistakes !== undefined)
    .sort((a, b) => (a.mistakes ?? 0) - (b.mistakes ?? 0));
  return nearest === undefined ? "" : `; did you mean "${nearest.other}"?`;
}

/** Limits of the comparison, which would take too long otherwise: number of names, and length of a name. */
const MOST_NAMES = 1_000;
const LONGEST = 200;

/** Returns the allowed names for an error message. */
export function oneOf(known: readonly string[]): string {
  return known.length === 0 ? "none is defined" : `one of ${[...known].sort().join(", ")}`;
}

/** Returns the error about a name that is not allowed, with the most similar allowed one. */
export function notAmong(name: string, known: readonly string[]): string {
  return known.length === 0
    ? `there is no "${name}"; none is defined`
    : `"${name}" is not ${oneOf(known)}${didYouMean(name, known)}`;
}

/**
 * Counts the wrong letters in a mistyped name; undefined if it is another name. Names of one family, such as `VDU1` and
 * `VDU2` or `master_instance` and `worker_instance`, are similar without being mistyped. Therefore numbers must be
 * equal, and only the differing words count: a third of their letters may be wrong.
 */
function mistakesOf(name: string, other: string): number | undefined {
  if (Math.max(name.length, other.length) > LONGEST) return undefined;
  if (numbers(name) !== numbers(other)) return undefined;
  const [a, b] = differing(words(name), words(other));
  const mistakes = distance(a, b);
  return mistakes <= Math.round(a.length / 3) ? mistakes : undefined;
}

const numbers = (name: string): string => (name.match(/\d+/g) ?? []).join(" ");
const words = (name: string): string[] => name.toLowerCase().match(/\d+|\p{L}+/gu) ?? [];

/** Returns two lists of words without their common beginning and end. */
function differing(a: readonly string[], b: readonly string[]): [string, string] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const between = (list: readonly string[]) => list.slice(start, list.length - end).join("");
  return [between(a), between(b)];
}
