/**
 * Writes components/settings/schema-types.ts, the types of the stack config as it is written, from the schemas beside it:
 *   npx ts-node docs/generate-types.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format } from "prettier/standalone";
import { printWidth } from "../.prettierrc.json";
import { paramsOf, vnfOf, type InstanceKind } from "../components/settings/kinds";
import { DEFINITIONS, withoutLinks, type Schema } from "../components/settings/schema-part";
import { wrap } from "./generate";

const HEADER = `/**
 * The stack config as it is written, generated from schema.json and cluster-schema.json:
 *   npx ts-node docs/generate-types.ts
 * The types in model.ts are those of the checked settings.
 */
import type { Fields } from "../kube/objects/object";
import type { LateText, PerhapsSecret, SecretText, WITH_DEFAULT } from "./parsed";
`;

/** What an instance of a kind is. */
const KINDS: Readonly<Record<InstanceKind, string>> = {
  cluster: "A VNF instance that is a cluster of kubeadm on servers.",
  servers: "A VNF instance of servers alone.",
  cnf: "A CNF: a VNF instance of Kubernetes objects, of manifests, of Helm charts or of both.",
};

type Definitions = Readonly<Record<string, Schema>>;

/** Those of the schemas, and the instances of each kind. */
const ALL: Definitions = {
  ...Object.fromEntries((Object.keys(KINDS) as InstanceKind[]).flatMap(instanceOf)),
  ...(DEFINITIONS as Definitions),
};

/** The definitions of an instance of a kind and of its parameters. */
function instanceOf(kind: InstanceKind): [name: string, schema: Schema][] {
  const name = kind === "cnf" ? kind : `${kind}Vnf`;
  const vnf = vnfOf(kind);
  const properties = { ...vnf.properties, additionalParams: { $ref: `#/definitions/${name}Params` } };
  return [
    [name, { ...vnf, description: KINDS[kind], properties }],
    [`${name}Params`, paramsOf(kind)],
  ];
}

/** The objects that have interfaces, by the names of these. */
type Interfaces = Map<string, Schema>;

/** The text of components/settings/schema-types.ts. */
export async function types(): Promise<string> {
  const objects = Object.entries(ALL).filter(([, { properties }]) => properties !== undefined);
  const interfaces: Interfaces = new Map(objects.map(([name, schema]) => [pascal(name), schema]));
  const texts = [HEADER];
  // a Map goes on to what is added on the way
  for (const [name, schema] of interfaces) texts.push(await interfaceOf(name, schema, interfaces));
  return format(texts.join("\n"), { parser: "typescript", plugins: [estree, typescript], printWidth });
}

/** The text of an interface. Objects in it are added to those that have interfaces. */
async function interfaceOf(name: string, schema: Schema, interfaces: Interfaces): Promise<string> {
  const object = { ...objectOf(schema, name, interfaces), description: comment(schema) };
  const printed = await compile(object, name, { bannerComment: "", format: false });
  return printed
    .replaceAll('"[WITH_DEFAULT]"', "[WITH_DEFAULT]")
    .replaceAll(PROPERTY, (line) => `readonly ${line.replaceAll(LIST, "readonly $1[]")}`);
}

/** A property, which stands on a line of its own, and the lists in its type. */
const PROPERTY = /^(?:[\w$]+|"[^"]+"|\[.+?\])\??: .*$/gm;
const LIST = /(\w+|\([^()]*\))\[\]/g;

function objectOf(schema: Schema, name: string, interfaces: Interfaces): JSONSchema {
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = Object.entries(properties).map(
    ([key, part]) => [key, resolved(part), typeOf(part, name + pascal(key), interfaces)] as const,
  );
  const withDefault = known.filter(([, { default: byDefault }]) => byDefault !== undefined);
  const keys = withDefault.map(([key]) => JSON.stringify(key)).join(" | ");
  return {
    type: "object",
    required: [...required],
    properties: {
      ...Object.fromEntries(known.map(([key, part, type]) => [key, { ...type, description: comment(part) }])),
      ...(keys !== "" && { "[WITH_DEFAULT]": { tsType: keys } }),
    },
    additionalProperties: othersOf(
      additionalProperties,
      known.map(([, , type]) => type),
      (values) => typeOf(values, singular(name), interfaces),
    ),
  };
}

/** The type of the settings beside the known ones, which for TypeScript is one of these too. */
function othersOf(
  others: Schema["additionalProperties"],
  known: readonly JSONSchema[],
  type: (values: Schema) => JSONSchema,
): JSONSchema | false {
  if (others === false) return false;
  if (typeof others !== "object") return { tsType: "unknown" };
  return known.length === 0 ? type(others) : { anyOf: [type(others), ...known, { tsType: "undefined" }] };
}

/** The type of a value. @param place name of an interface for an object in it that is no definition */
function typeOf(part: Schema, place: string, interfaces: Interfaces): JSONSchema {
  const schema = resolved(part);
  const name = part.$ref === undefined ? place : pascal(nameOf(part.$ref));
  const { type, properties, additionalProperties, items, encrypted } = schema;
  if (schema.writeOnly === true) return { tsType: "SecretText" };
  if (schema.late === true) return { tsType: "LateText" };
  if (schema.anyOf !== undefined)
    return { anyOf: schema.anyOf.flatMap(alternatives).map((one) => alternativeOf(one, name, interfaces)) };
  if (properties !== undefined) {
    if (!interfaces.has(name)) interfaces.set(name, schema);
    return { tsType: name };
  }
  if (typeof additionalProperties === "object") {
    const values = encrypted === true ? { encrypted, ...additionalProperties } : additionalProperties;
    return { type: "object", additionalProperties: typeOf(values, singular(name), interfaces) };
  }
  if (type === "object") return { tsType: "Fields" };
  if (type === "array") return { type, items: typeOf(items ?? {}, singular(name), interfaces) };
  if (schema.enum !== undefined) return { enum: [...schema.enum] as (string | boolean)[] };
  if (type === undefined) return { tsType: "unknown" };
  const scalars = [type].flat().map((one) => scalarOf(one, encrypted === true));
  return scalars.length === 1 ? (scalars[0] ?? {}) : { anyOf: scalars };
}

function scalarOf(type: string, isPerhapsSecret: boolean): JSONSchema {
  const scalar = type === "integer" ? "number" : type;
  return isPerhapsSecret && ["string", "number", "boolean"].includes(scalar)
    ? { tsType: `PerhapsSecret<${scalar}>` }
    : { type: type as "string" | "integer" | "boolean" };
}

/** One of several types of a value: of an object that has no name the settings are there. */
function alternativeOf(part: Schema, name: string, interfaces: Interfaces): JSONSchema {
  return part.$ref === undefined && part.properties !== undefined
    ? objectOf(part, name, interfaces)
    : typeOf(part, name, interfaces);
}

/** The objects that one with several lists of required settings can be. */
function alternatives(part: Schema): Schema[] {
  const { oneOf = [], properties = {} } = part;
  if (oneOf.length === 0) return [part];
  return oneOf.map(({ required = [], maxProperties }) => {
    const ofOthers = oneOf.flatMap((one) => one.required ?? []).filter((key) => !required.includes(key));
    const isAll = required.length === maxProperties;
    const keys = Object.keys(properties).filter((key) =>
      isAll ? required.includes(key) : !ofOthers.includes(key),
    );
    const its = Object.fromEntries(keys.map((key) => [key, properties[key] ?? {}]));
    return { type: "object", required, additionalProperties: false, properties: its };
  });
}

/** A description as a comment: its default is a tag, and examples are. */
function comment({ description = "", default: byDefault, examples = [] }: Schema): string {
  const [text = "", words] = withoutLinks(description).split(/ ?Default: (?=[^:]*$)/);
  const value = byDefault === undefined ? words?.replace(/\.$/, "") : JSON.stringify(byDefault);
  return [
    ...(text === "" ? [] : [wrap(text, "", WIDTH)]),
    ...(value === undefined ? [] : [wrap(`@default ${value}`, "", WIDTH)]),
    ...examples.map((example) => `@example ${JSON.stringify(example)}`),
  ].join("\n");
}

/** Room for a comment's text, with a property's ` * ` in front. */
const WIDTH = 104;

function resolved(part: Schema): Schema {
  return part.$ref === undefined ? part : { ...ALL[nameOf(part.$ref)], ...part };
}

const nameOf = (ref: string): string => ref.replace("#/definitions/", "");

/** The name of an interface by that of a setting. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** The name of what a list or map of this name has. */
const singular = (name: string): string => name.replace(/s$/, "");

if (require.main === module)
  void types().then((text) => writeFileSync(join(__dirname, "../components/settings/schema-types.ts"), text));
