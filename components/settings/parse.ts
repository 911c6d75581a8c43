import Ajv, { type ErrorObject, type SchemaObject } from "ajv";
import { parseCidr } from "../cidr";
import { didYouMean } from "../nearest";
import { Secret } from "../secret";
import { SettingsFault, type Settings } from "./model";
import schema from "./schema.json";

/** Checked settings, and what the operator should know though it is no fault. */
export interface ParsedSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/**
 * Checks the value of `vnfm:vnfs` against schema.json, fills in its defaults and wraps its secrets.
 * @throws SettingsFault with every fault.
 */
export function parseSettings(vnfs: unknown): ParsedSettings {
  const ajv = new Ajv({ allErrors: true, useDefaults: true, verbose: true, allowUnionTypes: true });
  ajv.addFormat("cidr", (text: string) => parseCidr(text) !== undefined);
  ajv.addFormat("http-url", (text: string) => /^https?:\/\//.test(text) && URL.canParse(text));
  ajv.addFormat("absolute-path", isAbsolutePath);
  const validate = ajv.compile(schema as SchemaObject);
  const value = structuredClone(vnfs);
  if (!validate(value)) throw new SettingsFault(describe(validate.errors ?? []));
  const warnings: string[] = [];
  const settings = refine(value, schema, "vnfm:vnfs", warnings);
  return { settings: { vnfs: settings as Settings["vnfs"] }, warnings };
}

/** In characters that fstab, exports and ganesha.conf take as they are, written in one way only. */
function isAbsolutePath(text: string): boolean {
  return /^(\/[A-Za-z0-9._-]+)+$/.test(text) && !/\/\.{1,2}(\/|$)/.test(text);
}

interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Wraps what the schema marks writeOnly, clears the host bits of CIDRs. */
function refine(value: unknown, schemaOfValue: Schema, path: string, warnings: string[]): unknown {
  const known = resolve(schemaOfValue);
  if (typeof value === "string") {
    if (known.writeOnly) return new Secret(value);
    return known.format === "cidr" ? withoutHostBits(value, path, warnings) : value;
  }
  if (Array.isArray(value)) {
    return value.map((item, i) => refine(item, known.items ?? {}, `${path}[${i}]`, warnings));
  }
  if (typeof value !== "object" || value === null) return value;
  const objectSchema = known.anyOf?.find((alternative) => alternative.properties) ?? known;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const rest =
        typeof objectSchema.additionalProperties === "object" ? objectSchema.additionalProperties : {};
      return [key, refine(item, objectSchema.properties?.[key] ?? rest, `${path}.${key}`, warnings)];
    }),
  );
}

function resolve(part: Schema): Schema {
  const name = part.$ref?.replace("#/definitions/", "");
  return name === undefined ? part : ((schema.definitions as Record<string, Schema>)[name] ?? {});
}

function withoutHostBits(text: string, path: string, warnings: string[]): string {
  const canonical = parseCidr(text)?.text ?? text;
  if (canonical !== text) warnings.push(`${path}: ${text} has host bits set; ${canonical} is used`);
  return canonical;
}

/** One line per fault; what an `anyOf` or `propertyNames` says of its inner schemas is left out. */
function describe(errors: readonly ErrorObject[]): string[] {
  const alternatives = errors.filter((error) => error.keyword === "anyOf").map((error) => error.instancePath);
  return errors
    .filter((error) => error.keyword === "anyOf" || !alternatives.includes(error.instancePath))
    .filter((error) => error.keyword === "propertyNames" || error.propertyName === undefined)
    .map(faultOf)
    .sort();
}

function faultOf(error: ErrorObject): string {
  const path = `vnfm:vnfs${error.instancePath.replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".")}`;
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const keys = Object.keys((error.parentSchema as Schema).properties ?? {});
      return `${path}.${key}: unknown setting${didYouMean(key, keys) || `; known are ${keys.join(", ")}`}`;
    }
    case "required":
      return `${path}.${String(params["missingProperty"])}: is required`;
    case "propertyNames":
      return `${path}.${String(params["propertyName"])}: is no instance name; use a-z, 0-9 and -, at most 32`;
    case "enum":
      return `${path}: ${shown(error)} is not one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
    case "format":
      return `${path}: ${shown(error)} is no ${FORMATS[String(params["format"])] ?? String(params["format"])}`;
    case "pattern":
      return `${path}: ${shown(error)} must match ${String(params["pattern"])}`;
    case "anyOf":
      return `${path}: must be the name of a VNF of this stack, or an object with a kubeconfig`;
    default:
      return `${path}: ${shown(error)} ${error.message ?? error.keyword}`;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  cidr: "CIDR; write address/prefix length, as in 10.244.0.0/16",
  "http-url": "URL; write http://host:port",
  "absolute-path": "absolute path of letters, digits, . _ and - without parts . and .. or a last slash",
};

/** The value in question, never a secret's. */
function shown(error: ErrorObject): string {
  if ((error.parentSchema as Schema).writeOnly) return "the secret";
  const text = JSON.stringify(error.data) ?? "undefined";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
