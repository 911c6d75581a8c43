import type { Place } from "../base/findings";
import { at, isFields } from "../kube/objects/object";
import { own } from "../base/own";
import { Secret } from "../base/secret";
import { yamlData } from "../base/yaml/yaml";

/** A value of the config whose encrypted parts are instances of Secret. */
export interface MarkedValue {
  readonly value: unknown;
  /** Settings that count as encrypted because the file has no such value, or another one. */
  readonly unknown: readonly string[];
}

/**
 * Marks what of a decrypted value is encrypted. The engine tells a program only that something in a value is; where,
 * the file of the stack config tells. The two are compared: a text is plain where the file has the same text in plain
 * at that place, and else it counts as encrypted. So no mistake about which file it is makes a secret plain. The engine
 * decrypts to texts alone, so numbers and booleans are plain.
 *
 * @param place of the setting
 * @param written the same value as the file has it, with `secure: <text>` in the place of an encrypted one
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

/** The engine writes a date without quotes in a form of its own. */
function isSame(value: string, written: unknown): boolean {
  if (typeof written !== "string") return false;
  const isDate = /^\d{4}-\d\d?-\d\d?/.test(written);
  return value === written || (isDate && Date.parse(value) === Date.parse(written));
}

/**
 * A copy of a marked value with all of it in plain.
 *
 * @param encrypted gets the settings whose values are encrypted
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
