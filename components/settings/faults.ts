import type { ErrorObject } from "ajv";
import { quoted, textOf, type Finding, type Place } from "../base/findings";
import { didYouMean } from "../base/nearest";
import { own } from "../base/own";
import { withoutUrlPasswords } from "../base/text";
import { toYaml } from "../base/yaml/yaml";
import { FORMATS } from "./formats";
import { hidesSecret, type Schema } from "./schema-part";

/**
 * Records one error per error of ajv, sorted by text, without those of the inner schemas of `anyOf` and
 * `propertyNames`.
 *
 * @param place of the whole value
 * @param encrypted settings whose values are not shown
 */
export function recordErrors(
  errors: readonly ErrorObject[],
  whole: unknown,
  place: Place,
  encrypted: ReadonlySet<string>,
): void {
  const alternatives = errors.filter((error) => error.keyword === "anyOf").map((error) => error.instancePath);
  const hasInner = (path: string) => errors.some(({ instancePath }) => instancePath.startsWith(`${path}/`));
  const found = errors
    .filter((error) => error.keyword !== "anyOf" || !hasInner(error.instancePath))
    .filter((error) => error.keyword === "anyOf" || !alternatives.includes(error.instancePath))
    .filter((error) => error.keyword === "propertyNames" || error.propertyName === undefined)
    .map((error) => {
      const at = placeAt(error.instancePath, whole, place);
      return faultOf(error, at, encrypted.has(at.text) ? "the secret" : shown(error));
    });
  place.findings.add(...inOrder(found));
}

/** Sorts findings by their texts. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

function faultOf(error: ErrorObject, place: Place, value: string): Finding {
  const params = error.params as Record<string, unknown>;
  const schema = error.parentSchema as Schema;
  const form = own(FORMATS, schema.format ?? "")?.form;
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const keys = Object.keys(schema.properties ?? {});
      const instead = own(schema.instead ?? {}, key);
      const known = didYouMean(key, keys) || `; allowed: ${keys.join(", ")}`;
      return place.get(key).finding(`unknown setting${instead === undefined ? known : `; ${instead}`}`);
    }
    case "required":
      return place.get(String(params["missingProperty"])).finding("is required");
    case "propertyNames": {
      const named = own(FORMATS, schema.propertyNames?.format ?? "");
      const isInstance = place.parts.length === 1;
      const rule = isInstance
        ? "is not an instance name; use a-z, 0-9 and -, at most 32"
        : named !== undefined
          ? `is not ${named.form}`
          : `is not a valid name, which must match ${schema.propertyNames?.pattern}`;
      return place.get(String(params["propertyName"])).finding(rule);
    }
    case "enum":
      return place.finding(
        `${value} is not one of ${[...new Set((params["allowedValues"] as unknown[]).map(String))].join(", ")}`,
      );
    case "format":
      return place.finding(`${value} is not ${form}`);
    case "type": {
      const [, way] = form?.split("; ") ?? [];
      return place.finding(`${value} ${error.message ?? "type"}${way === undefined ? "" : `; ${way}`}`);
    }
    case "pattern":
      return place.finding(`${value} must match ${String(params["pattern"])}${asIn(schema)}`);
    case "minLength":
    case "minItems":
    case "minProperties":
      return place.finding("is empty; set a value or remove it");
    case "uniqueItems": {
      const later = Math.max(Number(params["i"]), Number(params["j"]));
      return place.get(later).finding("appears twice; remove one of the two");
    }
    case "anyOf":
      return place.finding(`must be ${schema.title}`);
    default:
      return place.finding(`${value} ${error.message ?? error.keyword}`);
  }
}

/** Examples of a setting in YAML, with quotes around strings that YAML would read as numbers. */
function asIn({ examples = [] }: Schema): string {
  const texts = examples.map((one) => toYaml(one, { lineWidth: 0 }).trimEnd());
  return texts.length === 0 ? "" : `, as in ${texts.join(" or ")}`;
}

/**
 * The place that a JSON pointer refers to.
 * @param place of the whole value
 */
export function placeAt(pointer: string, whole: unknown, place: Place): Place {
  let value = whole;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    place = Array.isArray(value) ? place.get(Number(key)) : place.get(key);
    value = (value as Record<string, unknown>)[key];
  }
  return place;
}

/**
 * The invalid value for a message, without secrets: neither a secret nor a value in place of a map with secrets is
 * shown.
 */
export function shown({ data, parentSchema }: ErrorObject): string {
  if ((parentSchema as Schema).writeOnly) return "the secret";
  if (Array.isArray(data)) return "a list";
  if (typeof data === "object" && data !== null) return "a map";
  if (typeof data !== "string") return String(data);
  if (hidesSecret(parentSchema as Schema)) return "a text";
  // what is a secret wherever it is, in the place of a public key or of an address
  if (data.includes("PRIVATE KEY")) return "a private key";
  return quoted(withoutUrlPasswords(data));
}
