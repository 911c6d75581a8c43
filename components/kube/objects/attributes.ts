import { createHash } from "node:crypto";
import type { Finding, Place } from "../../base/findings";
import { isCreateOnly, isDefinition } from "./kinds";
import { isFields, without, type KubeObject } from "./object";

/** A value among the outputs of another instance of the stack. It is known only during the run. */
export interface Attribute {
  /** Placeholder of the value in the plan. */
  readonly mark: string;
  readonly instance: string;
  /** Keys in the outputs of the instance. For an entry of a list, its index from 0, or its name. */
  readonly path: readonly (string | number)[];
  /** The setting that uses the attribute. */
  readonly setting: Finding["place"];
}

/** Value of an attribute. */
export type Scalar = string | number | boolean;

/** TOSCA's function for a value that is known only during the run; here its node is an instance. */
const FUNCTION = "get_attribute";

/**
 * Replaces each `{ get_attribute: [instance, key, ...] }` in values by a placeholder. Charts insert values into names
 * and quotes, so placeholders consist of letters, digits and hyphens.
 *
 * @param place of the values
 * @param found gets the attributes of the placeholders
 */
export function withMarks<T>(
  values: Readonly<Record<string, T>>,
  place: Place,
  found: Attribute[],
): Record<string, Marked<T>> {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, marked(value, place.get(key), found) as Marked<T>]),
  );
}

/** Type of values whose `get_attribute` calls are replaced. */
type Marked<T> = Exclude<T, { readonly get_attribute: unknown }>;

function marked(value: unknown, place: Place, found: Attribute[]): unknown {
  if (Array.isArray(value)) return value.map((item, i) => marked(item, place.get(i), found));
  if (!isFields(value)) return value;
  const keys = Object.keys(value);
  if (keys.length !== 1 || keys[0] !== FUNCTION) return withMarks(value, place, found);
  const attribute = attributeOf(value[FUNCTION], place);
  if (attribute === undefined) {
    place.get(FUNCTION).fault("must be a list: the name of an instance, then the keys in its outputs");
    return "";
  }
  found.push(attribute);
  return attribute.mark;
}

function attributeOf(written: unknown, place: Place): Attribute | undefined {
  if (!Array.isArray(written)) return undefined;
  const [instance, ...path] = written as readonly unknown[];
  const isPath = path.every((key) => typeof key === "string" || Number.isSafeInteger(key));
  if (typeof instance !== "string" || path.length === 0 || !isPath) return undefined;
  const setting = place.get(FUNCTION).parts;
  return { mark: markOf(written), instance, path: path as Attribute["path"], setting };
}

/**
 * Returns the placeholder for a value that is known only during the run.
 * @param what identifies the value, as plain data
 */
export function markOf(what: unknown): string {
  return `${OF_VALUE}${createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 16)}`;
}

/** Prefixes of placeholders: for a value, and for a value as a string. */
const OF_VALUE = "vnfm-attribute-";
const OF_TEXT = "vnfm-text-of-attribute-";
const MARK = new RegExp(`(?:${OF_VALUE}|${OF_TEXT})([0-9a-f]{16})`, "g");

/** Replaces placeholders by those for strings, so that a number becomes a string even if it is the whole text. */
export function withMarksOfTexts(text: string): string {
  return text.replaceAll(MARK, `${OF_TEXT}$1`);
}

/** The placeholders in a text, each once. */
export function marksIn(text: string): string[] {
  return [...new Set([...text.matchAll(MARK)].map(([, hash]) => `${OF_VALUE}${hash}`))];
}

/**
 * Replaces placeholders in a text by their values.
 * @returns the value itself, with its type, if the text is only a placeholder
 */
export function filled(text: string, values: ReadonlyMap<string, Scalar>): Scalar {
  const whole = values.get(text);
  if (whole !== undefined) return whole;
  return text.replaceAll(MARK, (mark, hash) => String(values.get(`${OF_VALUE}${hash}`) ?? mark));
}

/** Returns the error about an object with placeholders in fields that the plan needs. */
export function attributeProblem(object: KubeObject): string | undefined {
  const place = Object.entries(partsByPlan(object)).find(([, part]) => hasMark(part))?.[0];
  return place === undefined
    ? undefined
    : `get_attribute is in ${place}, which must be known before the update; write the value itself`;
}

function partsByPlan(object: KubeObject): Record<string, unknown> {
  if (isDefinition(object)) return { "a CustomResourceDefinition": object };
  if (isCreateOnly(object)) return { "what the API returns and does not store": object };
  return { metadata: without(object.metadata, "annotations"), "the key of a mapping": keysIn(object) };
}

function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysIn)];
}

/** Returns true if a value contains a placeholder at any depth. */
export function hasMark(value: unknown): boolean {
  return marksIn(JSON.stringify(value) ?? "").length > 0;
}
