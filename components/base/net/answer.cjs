// @ts-check
// What an API answers, as data of known types: whoever runs the API may answer with anything. Plain JavaScript, as
// programs that node runs as they are need it too.
"use strict";
const { isDeeper } = require("../nesting.cjs");
const { parseJson } = require("../parse-json.cjs");

/** An answer that is none of the API that was asked, or of the program. */
class OddAnswer extends Error {}

/** How many maps and lists may be in one another: more than any API has, and few enough for who walks through them. */
const MOST_DEPTH = 200;

/**
 * The type of a value: of a text, of a number, of true or false, of a list, of a map by its fields, of a map of any keys.
 * @typedef {"text" | "number" | "flag" | ListShape | MapShape} Shape
 * @typedef {{ readonly length: number, readonly [index: number]: Shape }} ListShape
 * @typedef {{ readonly [field: string]: Shape }} MapShape
 */

/**
 * The map that an answer has as JSON.
 * @param {string} text @param {string} who has answered, for the message
 * @returns {Record<string, unknown>} @throws OddAnswer where it has something else; nothing of it is in the message
 */
function jsonMap(text, who) {
  const odd = (/** @type {string} */ what) => new OddAnswer(`${who} answers with ${what}`);
  let value;
  try {
    value = parseJson(text, who);
  } catch {
    throw odd(text.trim() === "" ? "nothing" : "something else than JSON");
  }
  if (!isMap(value)) throw odd(`${typeName(value)} in place of a JSON object`);
  if (isDeeper(value, MOST_DEPTH)) throw odd(`JSON of more than ${MOST_DEPTH} maps and lists in one another`);
  return value;
}

/** @param {unknown} value */
function typeName(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A value without what has another type than its shape says: such a field is left out, and such an item of a list. Fields
 * that the shape does not name stay as they are.
 * @param {unknown} value @param {Shape} shape @returns {any} undefined where the value itself has another type
 */
function shaped(value, shape) {
  // half a character is in no text that an API has, and in no URL
  if (shape === "text") return typeof value === "string" && !/\p{Surrogate}/u.test(value) ? value : undefined;
  if (shape === "number") return Number.isFinite(value) ? value : undefined;
  if (shape === "flag") return typeof value === "boolean" ? value : undefined;
  if (isList(shape)) {
    const { 0: ofItems = {} } = shape;
    return Array.isArray(value) ? value.map((item) => shaped(item, ofItems)).filter(isThere) : undefined;
  }
  if (!isMap(value)) return undefined;
  const { [ANY]: ofAll, ...ofFields } = shape;
  const typed = Object.entries(value).map(([key, inner]) => {
    const type = Object.hasOwn(ofFields, key) ? ofFields[key] : ofAll;
    return [key, type === undefined ? inner : shaped(inner, type)];
  });
  return Object.fromEntries(typed.filter(([, inner]) => isThere(inner)));
}

/** The key of a shape that stands for all others. */
const ANY = "*";

/** @param {Shape} shape @returns {shape is ListShape} */
function isList(shape) {
  return Array.isArray(shape);
}

/** @param {unknown} value */
function isThere(value) {
  return value !== undefined;
}

const SHORTEST_CREDENTIAL = 6;

/**
 * A text that another machine has written, for a message: without the credentials that it got, which it may repeat, and
 * no longer than what is read.
 * @param {string} text @param {readonly (string | undefined)[]} credentials @param {number} [most] characters
 */
function quotable(text, credentials, most = 500) {
  // a shorter one is in words of any kind
  const known = credentials.flatMap((one = "") => (one.length >= SHORTEST_CREDENTIAL ? one : []));
  // of a credential that is cut in the middle the first part would remain
  const longest = Math.max(0, ...known.map(({ length }) => length));
  const masked = known.reduce((left, one) => left.replaceAll(one, "[secret]"), text.slice(0, most + longest));
  return masked.slice(0, most).trim();
}

module.exports = { jsonMap, OddAnswer, quotable, shaped };
