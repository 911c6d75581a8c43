import { isFields } from "../kube/objects/object";
import { Secret } from "../base/secret";
import { mapSchema, partOf, resolve, type Schema } from "./schema-part";

/** Wraps each string that the schema marks as a secret. The settings are otherwise those of the stack config. */
export function withSecretTexts(value: unknown, schema: Schema): unknown {
  const known = resolve(schema);
  if (typeof value === "string") return known.writeOnly ? new Secret(value) : value;
  if (Array.isArray(value)) return value.map((item) => withSecretTexts(item, known.items ?? {}));
  if (!isFields(value)) return value;
  const map = mapSchema(known);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withSecretTexts(item, partOf(map, key))]),
  );
}
