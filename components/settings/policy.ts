import Ajv, { type ErrorObject, type SchemaObject, type ValidateFunction } from "ajv";
import { jsonData } from "../json";
import { isFields } from "../kube/object";
import { yamlData } from "../yaml";
import { ajv } from "./ajv";
import { settingAt, shown, under } from "./faults";
import type { Settings } from "./model";
import type { Schema } from "./schema-part";

/** Knows the formats of the settings too. Unlike theirs it fills in no defaults, as a policy only checks. */
const POLICIES = {
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  strictTypes: false,
  formats: ajv.formats,
};

/**
 * What of the settings is against the site's policy, a JSON Schema of `vnfm:vnfs` as the program has it: with defaults,
 * and clusters with the settings of their templates. A secret is `[secret]` there.
 *
 * @param path value of `vnfm:policy`
 * @param text that of the file, JSON or YAML; undefined where there is none
 * @param settings without those instances that are not valid by themselves
 */
export function policyFaults(path: string, text: string | undefined, settings: Settings): string[] {
  if (text === undefined) return [`vnfm:policy: there is no file ${JSON.stringify(path)} beside Pulumi.yaml`];
  const validate = compile(text);
  if (typeof validate === "string") return [`vnfm:policy: ${path} is no policy: ${validate}`];
  const { vnfs, clusters } = settings;
  const value = jsonData(JSON.stringify({ ...vnfs, ...clusters }), "vnfm:vnfs");
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).filter((error) => !isOfAnother(error, validate.errors ?? []));
  return [...new Set(errors.map((error) => faultOf(error, value)))].sort();
}

/** @returns what is wrong with the text where it is no JSON Schema */
function compile(text: string): ValidateFunction | string {
  try {
    const schema = yamlData(text, "it");
    return isFields(schema) ? new Ajv(POLICIES).compile(schema as SchemaObject) : "it is no map";
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether an error only says that a part of a rule was not met, or which part it was. */
function isOfAnother(
  { keyword, schemaPath, propertyName }: ErrorObject,
  all: readonly ErrorObject[],
): boolean {
  if (keyword === "if") return true;
  if (keyword === "propertyNames") return all.some((other) => other.propertyName !== undefined);
  const rules = all.filter((other) => ["anyOf", "oneOf"].includes(other.keyword));
  return propertyName === undefined && rules.some((rule) => schemaPath.startsWith(`${rule.schemaPath}/`));
}

/** With the message of the rule, which is its `description`. */
function faultOf(error: ErrorObject, value: unknown): string {
  const { description } = error.parentSchema as Schema;
  const place = settingAt(error.instancePath, value);
  const params = error.params as Readonly<Record<string, unknown>>;
  const rule =
    description ?? (error.keyword === "enum" ? oneOf(params["allowedValues"]) : (error.message ?? ""));
  switch (error.keyword) {
    case "required":
      return `${place}.${String(params["missingProperty"])}: the policy requires it: ${rule}`;
    case "additionalProperties":
      return `${under(place, String(params["additionalProperty"]))}: is against the policy: ${rule}`;
    default:
      return error.propertyName === undefined
        ? `${place}: ${shown(error)} is against the policy: ${rule}`
        : `${under(place, error.propertyName)}: the name is against the policy: ${rule}`;
  }
}

function oneOf(values: unknown): string {
  return `must be one of ${(values as readonly unknown[]).join(", ")}`;
}
