import { Secret } from "../../base/secret";
import { fields, isFields } from "../../kube/objects/object";

/** Values of a chart by their keys; nested values are in maps. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Adds a value under a key of `helm install --set`: `a.b` is b in the map a, and `\.` a dot in a key.
 * @returns the error text if the key is invalid
 */
export function setValue(values: Values, key: string, value: unknown): Values | string {
  if (/[[\]{},]/.test(key)) return `"${key}" has a list or several keys; write it under values`;
  const [first = "", ...rest] = key.split(/(?<!\\)\./).map((part) => part.replace(/\\(.)/g, "$1"));
  if ([first, ...rest].some((part) => part === "")) return `"${key}" has an empty part`;
  return setAt(values, [first, ...rest], value);
}

function setAt(values: Values, [first = "", ...rest]: readonly string[], value: unknown): Values {
  const inner = rest.length === 0 ? value : setAt(fields(values[first]), rest, value);
  return { ...values, [first]: inner };
}

/** Applies `change` to each value, also in maps and lists. */
export function mapValues(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValues(item, change));
  if (!isFields(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapValues(item, change)]));
}

/** Returns true if a secret is among the values. */
export function hasSecret(value: unknown): boolean {
  let found = false;
  mapValues(value, (leaf) => (found ||= leaf instanceof Secret));
  return found;
}
