/**
 * Transformations of a variable's value in a manifest, such as `${X^^}`, as in github.com/drone/envsubst, which
 * clusterctl uses. Lengths and positions are in bytes of UTF-8, as there.
 */

/** Changes the value of a variable. */
export type Substitution = (value: string) => string;

/** Operators without an argument, by their text. */
const CASES: Readonly<Record<string, Substitution>> = {
  "^": (value) => value.replace(/^[^]/u, (first) => first.toUpperCase()),
  "^^": (value) => value.toUpperCase(),
  ",": (value) => value.replace(/^[^]/u, (first) => first.toLowerCase()),
  ",,": (value) => value.toLowerCase(),
};

/** Returns the substitution of an operator that changes the case of letters, such as `^^`. */
export const caseOf = (operator: string): Substitution => CASES[operator] ?? ((value) => value);

export const lengthOf: Substitution = (value) => String(Buffer.byteLength(value));

/**
 * Returns a substitution by a substring of the value.
 * @param position from 0; a negative one counts from the end
 * @param length @default up to the end
 */
export function partOf(position: number, length?: number): Substitution {
  return (value) => {
    const bytes = Buffer.from(value);
    const from = position < 0 ? Math.max(bytes.length + position, 0) : position;
    return bytes.subarray(from, length === undefined ? bytes.length : from + length).toString();
  };
}

/**
 * Returns a substitution that removes a prefix (`#`, `##`) or suffix (`%`, `%%`) that matches a shell pattern: the
 * shortest match, or with a double operator the longest.
 */
export function without(operator: string, pattern: string): Substitution {
  const glob = globOf(pattern);
  if (glob === undefined) return (value) => value;
  const isEnd = operator.startsWith("%");
  const isLongest = operator.length === 2;
  return (value) => {
    const characters = [...value];
    const lengths = isEnd
      ? matchingBeginnings([...characters].reverse(), [...glob].reverse())
      : matchingBeginnings(characters, glob);
    const length = (isLongest ? lengths.at(-1) : lengths[0]) ?? 0;
    const kept = isEnd ? characters.slice(0, characters.length - length) : characters.slice(length);
    return kept.join("");
  };
}

/** An element of a pattern: `any` matches every text, a function one character for which it returns true. */
type Token = "any" | ((character: string) => boolean);

/** Parses a shell pattern: `*`, `?`, `[a-z]`, `[^a-z]`, `\\c`. @returns undefined if a bracket is not closed */
function globOf(pattern: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const left = /\*|\?|\\([^])|\[(\^?)((?:\\[^]|[^\]\\])+)\]|([^[\\])/uy;
  while (left.lastIndex < pattern.length) {
    const [part, escaped, not, members, plain] = left.exec(pattern) ?? [];
    if (part === undefined) return undefined;
    if (part === "*") tokens.push("any");
    else if (part === "?") tokens.push(() => true);
    else if (members !== undefined) tokens.push(classOf(members, not === "^"));
    else tokens.push((character) => character === (escaped ?? plain));
  }
  return tokens;
}

function classOf(members: string, isNegated: boolean): (character: string) => boolean {
  const ranges = [...members.matchAll(/\\?([^])(?:-\\?([^]))?/gu)].map(
    ([, low = "", high = low]) => [low, high] as const,
  );
  return (character) => ranges.some(([low, high]) => low <= character && character <= high) !== isNegated;
}

/**
 * Lists the lengths of the prefixes of a text that match a pattern, the shortest first, without the empty one. The text
 * is read once, with the set of all possible positions in the pattern.
 */
function matchingBeginnings(text: readonly string[], tokens: readonly Token[]): readonly number[] {
  const lengths: number[] = [];
  let places = behindAny(new Set([0]), tokens);
  for (const [i, character] of text.entries()) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === "any") next.add(place);
      else if (token?.(character)) next.add(place + 1);
    }
    places = behindAny(next, tokens);
    if (places.has(tokens.length)) lengths.push(i + 1);
  }
  return lengths;
}

/** Adds the positions after each `*`, which may match an empty text. */
function behindAny(places: Set<number>, tokens: readonly Token[]): Set<number> {
  // the loop also visits elements that it adds to the set
  for (const place of places) if (tokens[place] === "any") places.add(place + 1);
  return places;
}

/**
 * Returns a substitution that replaces a text: its first occurrence (`/`), all (`//`), at the beginning (`/#`), or at
 * the end (`/%`).
 */
export function replaced(operator: string, from: string, to: string): Substitution {
  return (value) => {
    switch (operator) {
      case "//":
        return from === "" ? value : value.split(from).join(to);
      case "/#":
        return value.startsWith(from) ? to + value.slice(from.length) : value;
      case "/%":
        return value.endsWith(from) ? value.slice(0, value.length - from.length) + to : value;
      default:
        return value.replace(from, () => to);
    }
  };
}
