import { resolve, withoutLinks, type Schema } from "../settings/schema-part";

/**
 * A type of a property in the schema of a Pulumi package:
 * https://www.pulumi.com/docs/iac/guides/building-extending/packages/schema
 */
export interface Type {
  readonly type?: string;
  readonly items?: Type;
  readonly additionalProperties?: Type;
  readonly oneOf?: readonly Type[];
  readonly $ref?: string;
}

export interface Property extends Type {
  readonly description?: string;
  readonly secret?: boolean;
}

export interface ObjectType {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

/** Object types by their tokens. */
export type Types = Record<string, ObjectType>;

/** A value of any type. */
export const ANY: Type = { $ref: "pulumi.json#/Any" };

/**
 * New names of types that have the name of a component: the type of the component's arguments would have the same name.
 */
const RENAMED: Readonly<Record<string, string>> = { Servers: "ServerSettings" };

/**
 * Returns the type of an object of the settings.
 *
 * @param name prefix for names of nested objects that are not definitions
 * @param types gets these objects
 */
export function objectOf({ properties = {}, required = [] }: Schema, name: string, types: Types): ObjectType {
  const entries = Object.entries(properties).map(([key, part]) => {
    const known = { ...resolve(part), ...part };
    const description = describe(known);
    return [
      key,
      {
        ...typeOf(part, `${name}${pascal(key)}`, types),
        ...(description !== "" && { description }),
        ...(known.writeOnly && { secret: true }),
      },
    ] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    ...(required.length > 0 && { required }),
  };
}

/** Adds to a description what Pulumi's types cannot express: allowed values, default, an example. */
function describe({ description = "", enum: values, default: byDefault, examples }: Schema): string {
  const example = examples?.[0];
  return [
    withoutLinks(description),
    ...(values === undefined ? [] : [`One of: ${values.map(code).join(", ")}.`]),
    ...(byDefault === undefined ? [] : [`Default: ${code(byDefault)}.`]),
    ...(example === undefined ? [] : [`Example: ${code(example)}`]),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;

function typeOf(part: Schema, name: string, types: Types): Type {
  const known = resolve(part);
  const union = unionOf(known);
  if (union.length > 1) {
    const members = union.map((member) => typeOf(member, name, types)).flatMap((one) => one.oneOf ?? [one]);
    const distinct = new Map(members.map((member) => [JSON.stringify(member), member]));
    return distinct.size === 1 ? (members[0] ?? ANY) : { oneOf: [...distinct.values()] };
  }
  const [single = known] = union;
  switch (single.type) {
    case "string":
    case "boolean":
    case "integer":
    case "number":
      return { type: single.type };
    case "array":
      return { type: "array", items: typeOf(single.items ?? {}, singular(name), types) };
    case "object":
      return mapOf(single, part.$ref === undefined ? name : pascal(nameOf(part.$ref)), types);
    default:
      return single.$ref === undefined ? ANY : typeOf(single, name, types);
  }
}

/** Returns the possible schemas of a value: alternatives, types in a list, types of allowed values. */
function unionOf({ anyOf, type, enum: values, ...others }: Schema): readonly Schema[] {
  if (anyOf !== undefined) return anyOf;
  if (Array.isArray(type)) return (type as string[]).map((each) => ({ ...others, type: each }));
  if (type === undefined && values !== undefined)
    return values.map((value) => ({ type: typeOfValue(value) }));
  return [];
}

function typeOfValue(value: unknown): string {
  return typeof value === "number" ? "integer" : typeof value;
}

function mapOf(known: Schema, name: string, types: Types): Type {
  const { properties, additionalProperties } = known;
  if (properties === undefined) {
    const item = typeof additionalProperties === "object" ? additionalProperties : {};
    return { type: "object", additionalProperties: typeOf(item, singular(name), types) };
  }
  // Pulumi has no type of an object that may have further properties
  if (additionalProperties !== false) return { type: "object", additionalProperties: ANY };
  const token = `vnfm:index:${RENAMED[name] ?? name}`;
  if (types[token] === undefined) {
    types[token] = { type: "object", properties: {} }; // one that has itself in it ends here
    types[token] = objectOf(known, name, types);
  }
  return { $ref: `#/types/${token}` };
}

const nameOf = (ref: string): string => ref.replace("#/definitions/", "");

/** Returns the singular of a list's or map's name, for its items. */
const singular = (name: string): string => name.replace(/s$/, "");

function pascal(words: string): string {
  return words.replaceAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
}
