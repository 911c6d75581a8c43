/** Examples of the schemas, which the reference, editors and types show, are right. */
import type { SchemaObject } from "ajv";
import { ajv } from "../../../components/settings/ajv";
import { recordErrors } from "../../../components/settings/faults";
import { DEFINITIONS, resolve, type Schema } from "../../../components/settings/schema-part";
import { recorded } from "../places";

/** Each part of the schemas by its path, without what a `$ref` leads to. */
const parts = Object.entries(DEFINITIONS as unknown as Readonly<Record<string, Schema>>).flatMap(
  ([name, part]) => partsOf(name, part),
);

function partsOf(path: string, part: Schema): [path: string, part: Schema][] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = part;
  return [
    [path, part],
    ...Object.entries(properties).flatMap(([name, inner]) => partsOf(`${path}.${name}`, inner)),
    ...(typeof additionalProperties === "object" ? partsOf(`${path}.*`, additionalProperties) : []),
    ...(items === undefined ? [] : partsOf(`${path}[]`, items)),
    ...anyOf.flatMap((one, i) => partsOf(`${path}|${i}`, one)),
  ];
}

const examples = parts.flatMap(([path, part]) =>
  (part.examples ?? []).map((example) => [path, example, part] as const),
);

it.each(examples)("%s: %j", (_, example, part) => {
  const schema = { type: "object", properties: { example: part }, definitions: DEFINITIONS };
  const validate = ajv.compile(schema as SchemaObject);
  const value = structuredClone({ example });
  validate(value);
  const faults = recorded((found) =>
    recordErrors(validate.errors ?? [], value, found.at("vnfm:vnfs"), new Set()),
  );
  expect(faults).toEqual([]);
});

it("are there for each setting that is an object, a list or a text of some form", () => {
  const settings = parts.flatMap(([path, { properties = {} }]) =>
    Object.entries(properties).map(([name, part]) => ({
      path: `${path}.${name}`,
      ...resolve(part),
      ...part,
    })),
  );
  const isSecret = ({ writeOnly, items }: Schema) => writeOnly === true || items?.writeOnly === true;
  const without = settings
    // who copies a key from a page has none
    .filter((part) => !isSecret(part))
    .filter(
      ({ type, anyOf, format, pattern }) =>
        type === "object" || type === "array" || anyOf || format || pattern,
    )
    .filter((part) => part.examples === undefined);
  expect(without.map(({ path }) => path)).toEqual([]);
});
