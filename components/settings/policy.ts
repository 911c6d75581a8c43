import Ajv, { type ErrorObject, type SchemaObject, type ValidateFunction } from "ajv";
import type { Finding, Findings, Place } from "../base/findings";
import { jsonData } from "../base/json";
import { isFields } from "../kube/objects/object";
import { yamlData } from "../base/yaml/yaml";
import { ajv } from "./ajv";
import { inOrder, placeAt, shown } from "./faults";
import type { Settings } from "./model";
import type { Schema } from "./schema-part";

/** Options of ajv for policies: the formats of the settings, but no defaults, as a policy only checks. */
const POLICIES = {
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  strictTypes: false,
  formats: ajv.formats,
};

/**
 * Records violations of the site's policy, which is a JSON Schema for `vnfm:vnfs` after parsing, with defaults and
 * merged templates. Its key `plan` contains a second JSON Schema, for the plan of each instance. Secrets are `[secret]`
 * in both.
 *
 * @param path value of `vnfm:policy`
 * @param text content of the file, JSON or YAML; undefined if the file does not exist
 * @param settings without instances that have errors
 * @param plan overview of each instance that could be planned
 */
export function checkPolicy(
  path: string,
  text: string | undefined,
  { vnfs, clusters }: Settings,
  plan: Readonly<Record<string, object>>,
  faults: Findings,
): void {
  const place = faults.at("vnfm:policy");
  if (text === undefined) return place.fault(`there is no file ${JSON.stringify(path)} next to Pulumi.yaml`);
  const policy = compile(text);
  if (typeof policy === "string") return place.fault(`${path} is not a policy: ${policy}`);
  checkAgainst(policy.settings, { ...vnfs, ...clusters }, faults.at("vnfm:vnfs"));
  if (policy.plan !== undefined) checkAgainst(policy.plan, plan, faults.at("plan"));
}

interface Policy {
  readonly settings: ValidateFunction;
  /** Undefined: the policy has no rules for the plan. */
  readonly plan: ValidateFunction | undefined;
}

/** @returns the error if the text is not a policy */
function compile(text: string): Policy | string {
  try {
    const schema = yamlData(text, "it");
    if (!isFields(schema)) return "it is not a map";
    const { plan, ...settings } = schema;
    if (plan !== undefined && !isFields(plan)) return "plan is not a map";
    const compiled = (part: SchemaObject) => new Ajv(POLICIES).compile(part);
    // both have the definitions of the file
    const { definitions = {} } = settings;
    return { settings: compiled(settings), plan: plan && compiled({ definitions, ...plan }) };
  } catch (error) {
    return (error as Error).message;
  }
}

/** @param place of the whole value */
function checkAgainst(validate: ValidateFunction, whole: object, place: Place): void {
  const value = jsonData(JSON.stringify(whole), place.text);
  if (validate(value)) return;
  const errors = (validate.errors ?? []).filter((error) => !isOfAnother(error, validate.errors ?? []));
  place.findings.add(
    ...inOrder(errors.map((error) => faultOf(error, placeAt(error.instancePath, value, place)))),
  );
}

/**
 * Returns true for an error that only repeats another one: it is about the inner schema of a rule, or about the rule
 * around one.
 */
function isOfAnother(
  { keyword, schemaPath, propertyName }: ErrorObject,
  all: readonly ErrorObject[],
): boolean {
  if (keyword === "if") return true;
  if (keyword === "propertyNames") return all.some((other) => other.propertyName !== undefined);
  const rules = all.filter((other) => ["anyOf", "oneOf"].includes(other.keyword));
  return propertyName === undefined && rules.some((rule) => schemaPath.startsWith(`${rule.schemaPath}/`));
}

/** The error with the rule's `description` as its message. */
function faultOf(error: ErrorObject, place: Place): Finding {
  const { description } = error.parentSchema as Schema;
  const params = error.params as Readonly<Record<string, unknown>>;
  const rule =
    description ?? (error.keyword === "enum" ? oneOf(params["allowedValues"]) : (error.message ?? ""));
  switch (error.keyword) {
    case "required":
      return place.get(String(params["missingProperty"])).finding(`the policy requires it: ${rule}`);
    case "additionalProperties":
      return place.get(String(params["additionalProperty"])).finding(`violates the policy: ${rule}`);
    default:
      return error.propertyName === undefined
        ? place.finding(`${shown(error)} violates the policy: ${rule}`)
        : place.get(error.propertyName).finding(`the name violates the policy: ${rule}`);
  }
}

function oneOf(values: unknown): string {
  return `must be one of ${(values as readonly unknown[]).join(", ")}`;
}
