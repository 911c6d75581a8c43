import Ajv, { type ErrorObject, type ValidateFunction } from "ajv";
import { didYouMean } from "../../base/nearest";
import { at, fields, isFields, items, without, type Fields, type KubeObject } from "./object";

/**
 * Returns errors of an object by the schema of its CustomResourceDefinition: values that the API server would reject,
 * and fields that it would drop. Patterns (in Go's syntax), CEL rules and webhooks are left to the API server. Returns
 * none if the CRD does not have this version, or if its schema is invalid.
 */
export function schemaProblems(object: KubeObject, definition: KubeObject): string[] {
  const [, version] = object.apiVersion.split("/");
  const found = items(at(definition, "spec", "versions")).find((one) => at(one, "name") === version);
  const schema = at(found, "schema", "openAPIV3Schema");
  const validate = isFields(schema) ? compiled(schema) : undefined;
  // defaults are filled in, because a required field may have one
  if (validate === undefined || validate(structuredClone(object))) return [];
  const errors = validate.errors ?? [];
  // ajv reports the errors of all alternatives, which are left out
  return errors.filter(({ schemaPath }) => !/\/(anyOf|oneOf)\/\d/.test(schemaPath)).map(problemOf);
}

const validators = new WeakMap<Fields, ValidateFunction | undefined>();

function compiled(schema: Fields): ValidateFunction | undefined {
  if (!validators.has(schema)) validators.set(schema, tryToCompile(schema));
  return validators.get(schema);
}

/** Undefined if the schema has keywords that exist only in OpenAPI. */
function tryToCompile(schema: Fields): ValidateFunction | undefined {
  try {
    const ajv = new Ajv({
      ...{ allErrors: true, useDefaults: true, verbose: true },
      ...{ strict: false, validateSchema: false, validateFormats: false },
    });
    const { properties, ...rest } = closed(schema);
    return ajv.compile({ ...rest, properties: { ...fields(properties), metadata: METADATA } });
  } catch {
    return undefined;
  }
}

/** Schema of labels and annotations, which a CRD does not contain. */
const TEXTS = { type: "object", additionalProperties: { type: "string" } };
const METADATA = { type: "object", properties: { labels: TEXTS, annotations: TEXTS } };

/** Returns a schema that rejects unknown fields, which the API server would drop. */
function closed(schema: unknown): Fields {
  const { properties, items: ofItems, additionalProperties, ...rest } = without(fields(schema), "pattern");
  const isOpen = properties === undefined || rest["x-kubernetes-preserve-unknown-fields"] === true;
  const others = isFields(additionalProperties) ? closed(additionalProperties) : additionalProperties;
  return {
    ...rest,
    ...(isFields(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, closed(part)])),
    }),
    ...(ofItems !== undefined && { items: closed(ofItems) }),
    ...(isOpen ? others !== undefined && { additionalProperties: others } : { additionalProperties: false }),
  };
}

function problemOf({ keyword, instancePath, params, parentSchema, message }: ErrorObject): string {
  const { additionalProperty, missingProperty, allowedValues } = params as Record<string, unknown>;
  switch (keyword) {
    case "additionalProperties": {
      const key = String(additionalProperty);
      const known = Object.keys(fields(fields(parentSchema)["properties"]));
      return `${instancePath}/${key} is not a field of its definition${didYouMean(key, known)}`;
    }
    case "required":
      return `${instancePath}/${String(missingProperty)} is required`;
    case "enum":
      return `${instancePath} must be one of ${items(allowedValues).join(", ")}`;
    default:
      return `${instancePath} ${message ?? `breaks the rule ${keyword}`}`;
  }
}
