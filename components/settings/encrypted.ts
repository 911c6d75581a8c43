import type { Place } from "../base/findings";
import { at, isFields } from "../kube/objects/object";
import { own } from "../base/own";
import { Secret } from "../base/secret";
import { yamlData } from "../base/yaml/yaml";

/** A value of the config in which each encrypted part is an instance of Secret. */
export interface MarkedValue {
  readonly value: unknown;
  /** Settings that count as encrypted because their value differs from that in the file. */
  readonly unknown: readonly string[];
}

/**
 * Wraps the encrypted parts of a decrypted value. Pulumi only reports that a value contains a secret; the file of the
 * stack config shows where. So the two are compared: a string is plain if the file has the same plain string at that
 * place, otherwise it counts as encrypted. A mistake about the file therefore never exposes a secret. Pulumi decrypts
 * to strings only, so numbers and booleans are plain.
 *
 * @param place of the setting
 * @param written the same value in the file, with `secure: <text>` for an encrypted one
 */
export function markEncrypted(value: unknown, place: Place, written: unknown): MarkedValue {
  const unknown: string[] = [];
  return { value: marked(value, place, written, unknown), unknown };
}

function marked(value: unknown, place: Place, written: unknown, unknown: string[]): unknown {
  if (isEncrypted(written)) return new Secret(typeof value === "string" ? value : JSON.stringify(value));
  if (typeof value === "string") {
    if (isSame(value, written)) return value;
    unknown.push(place.text);
    return new Secret(value);
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(written) ? written : [];
    return value.map((item, i) => marked(item, place.get(i), items[i], unknown));
  }
  if (!isFields(value)) return value;
  const inFile = isFields(written) ? written : {};
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, marked(item, place.get(key), own(inFile, key), unknown)]),
  );
}

/** Reads the value of a key in the file of a stack config; undefined if there is none, or the file is no YAML. */
export function writtenIn(file: string | undefined, key: string): unknown {
  try {
    return at(yamlData(file ?? "", key), "config", key);
  } catch {
    return undefined;
  }
}

/** Returns true if a value of the file is an encrypted one. */
function isEncrypted(written: unknown): boolean {
  return isFields(written) && typeof written["secure"] === "string" && Object.keys(written).length === 1;
}

/** Compares a string with the file's. Pulumi rewrites a date without quotes, so dates are equal if their times are. */
function isSame(value: string, written: unknown): boolean {
  if (typeof written !== "string") return false;
  const isDate = /^\d{4}-\d\d?-\d\d?/.test(written);
  return value === written || (isDate && Date.parse(value) === Date.parse(written));
}

/**
 * A copy of a marked value without Secret wrappers.
 *
 * @param encrypted collects the settings whose values are encrypted
 */
export function plainOf(value: unknown, place: Place, encrypted: Set<string>): unknown {
  if (value instanceof Secret) {
    encrypted.add(place.text);
    return value.revealScalar();
  }
  if (Array.isArray(value)) return value.map((item, i) => plainOf(item, place.get(i), encrypted));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plainOf(item, place.get(key), encrypted)]),
  );
}
