import Ajv from "ajv";
import schema from "../../automation/changes/preview.schema.json";

/** Returns the schema with `additionalProperties: false` in each object. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  return "properties" in part ? { additionalProperties: false, ...inner } : inner;
}

const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
  closed(schema) as object,
);

/** Validates a document against the schema of vnfm.preview/1. @returns the errors; none if it is valid */
export function previewFaults(document: unknown): readonly string[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath}: ${message} ${JSON.stringify(params)}`;
  });
}
