/** Converts answers of an API to data of known types, because a faulty or hostile API may return anything. */
import { jsonData } from "../json";
import { isDeeper } from "../nesting";

/** An answer that the expected API or program would not return. */
export class OddAnswer extends Error {}

/** Maximum depth of maps and lists: more than any API uses, and low enough for recursive code. */
const MOST_DEPTH = 200;

/** The expected type of a value: string, number, boolean, list, map with known fields, or map with any keys. */
export type Shape = "text" | "number" | "flag" | ListShape | MapShape;
type ListShape = { readonly length: number; readonly [index: number]: Shape };
export type MapShape = { readonly [field: string]: Shape };

/**
 * Parses an answer that must be a JSON object.
 * @param who name of the API or program, for the message
 * @throws OddAnswer for other answers; the message does not contain the answer
 */
export function jsonMap(text: string, who: string): Record<string, unknown> {
  const odd = (what: string) => new OddAnswer(`${who} answers with ${what}`);
  let value: unknown;
  try {
    value = jsonData(text, who);
  } catch {
    throw odd(text.trim() === "" ? "nothing" : "something other than JSON");
  }
  if (!isMap(value)) throw odd(`${typeName(value)} instead of a JSON object`);
  if (isDeeper(value, MOST_DEPTH)) throw odd(`JSON with more than ${MOST_DEPTH} nested maps and lists`);
  return value;
}

function typeName(value: unknown) {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns a value without the fields and list items whose type differs from the shape. Fields that are not in the shape
 * are unchanged.
 * @returns undefined if the value itself has another type
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- its type is that of the shape
export function shaped(value: unknown, shape: Shape): any {
  // half a character is in no text that an API has, and in no URL
  if (shape === "text") return typeof value === "string" && !/\p{Surrogate}/u.test(value) ? value : undefined;
  if (shape === "number") return Number.isFinite(value) ? value : undefined;
  if (shape === "flag") return typeof value === "boolean" ? value : undefined;
  if (isList(shape)) {
    const { 0: ofItems = {} } = shape;
    return Array.isArray(value)
      ? value.map((item) => shaped(item, ofItems) as unknown).filter(isThere)
      : undefined;
  }
  if (!isMap(value)) return undefined;
  const { [ANY]: ofAll, ...ofFields } = shape;
  const typed = Object.entries(value).map(([key, inner]) => {
    const type = Object.hasOwn(ofFields, key) ? ofFields[key] : ofAll;
    return [key, type === undefined ? inner : (shaped(inner, type) as unknown)];
  });
  return Object.fromEntries(typed.filter(([, inner]) => isThere(inner)));
}

/** Key of a shape that matches all other keys. */
const ANY = "*";

function isList(shape: Shape): shape is ListShape {
  return Array.isArray(shape);
}

function isThere(value: unknown) {
  return value !== undefined;
}

const SHORTEST_CREDENTIAL = 6;

/**
 * Prepares a text from another machine for a message: shortened, and without credentials that were sent to the machine
 * and that it may repeat.
 * @param most maximum number of characters
 */
export function quotable(text: string, credentials: readonly (string | undefined)[], most: number = 500) {
  // a shorter one is in words of any kind
  const known = credentials.flatMap((one = "") => (one.length >= SHORTEST_CREDENTIAL ? one : []));
  // of a credential that is cut in the middle the first part would remain
  const longest = Math.max(0, ...known.map(({ length }) => length));
  const masked = known.reduce((left, one) => left.replaceAll(one, "[secret]"), text.slice(0, most + longest));
  return masked.slice(0, most).trim();
}
