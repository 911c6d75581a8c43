import type { ErrorObject } from "ajv";
import { didYouMean } from "../nearest";
import { own } from "../own";
import { printableLine } from "../printable.cjs";
import { withoutUrlPasswords } from "../url-password";
import { toYaml } from "../yaml";
import { FORMATS } from "./formats";
import { hidesSecret, type Schema } from "./schema-part";

/**
 * One line per fault; what an `anyOf` or `propertyNames` says of its inner schemas is left out.
 *
 * @param encrypted the settings whose values are not shown
 */
export function describeErrors(
  errors: readonly ErrorObject[],
  vnfs: unknown,
  encrypted: ReadonlySet<string>,
): string[] {
  const alternatives = errors.filter((error) => error.keyword === "anyOf").map((error) => error.instancePath);
  const isSaid = (path: string) => errors.some(({ instancePath }) => instancePath.startsWith(`${path}/`));
  return errors
    .filter((error) => error.keyword !== "anyOf" || !isSaid(error.instancePath))
    .filter((error) => error.keyword === "anyOf" || !alternatives.includes(error.instancePath))
    .filter((error) => error.keyword === "propertyNames" || error.propertyName === undefined)
    .map((error) => {
      const path = settingAt(error.instancePath, vnfs);
      return faultOf(error, path, encrypted.has(path) ? "the secret" : shown(error));
    })
    .sort();
}

function faultOf(error: ErrorObject, path: string, value: string): string {
  const params = error.params as Record<string, unknown>;
  const schema = error.parentSchema as Schema;
  const form = own(FORMATS, schema.format ?? "")?.say;
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const keys = Object.keys(schema.properties ?? {});
      return `${under(path, key)}: unknown setting${didYouMean(key, keys) || `; known are ${keys.join(", ")}`}`;
    }
    case "required":
      return `${path}.${String(params["missingProperty"])}: is required`;
    case "propertyNames": {
      const name = under(path, String(params["propertyName"]));
      return path === "vnfm:vnfs"
        ? `${name}: is no instance name; use a-z, 0-9 and -, at most 32`
        : `${name}: is no name for it, which must match ${schema.propertyNames?.pattern}`;
    }
    case "enum":
      return `${path}: ${value} is not one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
    case "format":
      return `${path}: ${value} is no ${form}`;
    case "type": {
      const [, way] = form?.split("; ") ?? [];
      return `${path}: ${value} ${error.message ?? "type"}${way === undefined ? "" : `; ${way}`}`;
    }
    case "pattern":
      return `${path}: ${value} must match ${String(params["pattern"])}${asIn(schema)}`;
    case "minLength":
    case "minItems":
    case "minProperties":
      return `${path}: is empty; give a value or leave it out`;
    case "uniqueItems":
      return `${path}[${Math.max(Number(params["i"]), Number(params["j"]))}]: is there already; leave one of the two`;
    case "anyOf":
      return `${path}: must be ${schema.title}`;
    default:
      return `${path}: ${value} ${error.message ?? error.keyword}`;
  }
}

/** Examples as they are written: a text that would be a number has quotes. */
function asIn({ examples = [] }: Schema): string {
  const texts = examples.map((one) => toYaml(one, { lineWidth: 0 }).trimEnd());
  return texts.length === 0 ? "" : `, as in ${texts.join(" or ")}`;
}

/** The setting of a JSON pointer. @param root that of the whole value */
export function settingAt(pointer: string, whole: unknown, root = "vnfm:vnfs"): string {
  let path = root;
  let value = whole;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path = Array.isArray(value) ? `${path}[${key}]` : under(path, key);
    value = (value as Record<string, unknown>)[key];
  }
  return path;
}

/** A setting in a map: `.key`, or `["any text"]` so that no key looks like something else. */
export function under(path: string, key: string): string {
  return /^[\w-]{1,64}$/.test(key) ? `${path}.${key}` : `${path}[${quoted(key)}]`;
}

/** Whether a fault is one of an instance, or in it. */
export function isAbout(instance: string, fault: string): boolean {
  const place = under("vnfm:vnfs", instance);
  return fault.startsWith(place) && /^[.:[]/.test(fault.slice(place.length));
}

/** The value in question. Never a secret's, nor what stands in the place of a map that has some. */
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

/** A text of any content on one line. */
function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return printableLine(JSON.stringify(short));
}
