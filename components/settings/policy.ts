import Ajv, { type ErrorObject, type SchemaObject, type ValidateFunction } from "ajv";
import type { Finding, Findings, Place } from "../base/findings";
import { jsonData } from "../base/json";
import { isFields } from "../kube/objects/object";
import { yamlData } from "../base/yaml/yaml";
import { ajv } from "./ajv";
import { inOrder, placeAt, shown } from "./faults";
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
 * Records what is against the site's policy: a JSON Schema of `vnfm:vnfs` as the program has it, with defaults, and
 * clusters with the settings of their templates; and under its key `plan` a JSON Schema of what is planned. A secret is
 * `[secret]` in both.
 *
 * @param path value of `vnfm:policy`
 * @param text that of the file, JSON or YAML; undefined where there is none
 * @param settings without those instances that are not valid by themselves
 * @param plan what is planned of each instance, without those of which there is no plan
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
  /** Undefined: there are no rules for the plan. */
  readonly plan: ValidateFunction | undefined;
}

/** @returns what is wrong with the text where it is no policy */
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

/** Returns true if an error only says that a part of a rule was not met, or which part it was. */
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
