import { own } from "../base/own";
import clusterSchema from "./cluster-schema.json";
import schema from "./schema.json";

/** The parts of JSON Schema that the schemas of the settings use. */
export interface Schema {
  readonly $ref?: string;
  /** Name of an `anyOf` in messages: what a value must be. */
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly writeOnly?: boolean;
  /**
   * Treatment of an encrypted value, or of one in a map or a list, that is no secret by itself. True: it stays a
   * secret. A text: it is refused; why, and what to do. @default it is refused
   */
  readonly encrypted?: boolean | string;
  /** True if nothing of the plan depends on the value, so that a program may know it only in the run. @default false */
  readonly late?: boolean;
  /** The kinds of VNF instances that have the setting. @default all */
  readonly kinds?: readonly string[];
  /** Settings that a map does not have but other tools do, by their names there, with the setting to write instead. */
  readonly instead?: Readonly<Record<string, string>>;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: { readonly pattern?: string; readonly format?: string };
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The parts of both schemas by name. */
export const DEFINITIONS = { ...schema.definitions, ...clusterSchema.definitions };

/** The schema that a `$ref` stands for. */
export function resolve(part: Schema): Schema {
  const name = part.$ref?.replace("#/definitions/", "");
  return name === undefined ? part : ((DEFINITIONS as Readonly<Record<string, Schema>>)[name] ?? {});
}

/** Returns the alternative of a schema that is a map, or the schema itself if it has no alternatives. */
export function mapSchema(known: Schema): Schema {
  return known.anyOf?.map(resolve).find((alternative) => alternative.properties) ?? known;
}

/** The schema of a value by its key in a map. */
export function partOf({ properties, additionalProperties }: Schema, key: string): Schema {
  const rest = typeof additionalProperties === "object" ? additionalProperties : {};
  return own(properties ?? {}, key) ?? rest;
}

/** The schema of a value in a map or a list, which says of both what becomes of encrypted values. */
export function inner({ encrypted }: Schema, part: Schema = {}): Schema {
  return encrypted === undefined ? part : { encrypted, ...part };
}

/** A description without its links to pages, which lead nowhere from an editor. */
export function withoutLinks(description: string): string {
  return description.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** Returns true if what the schema is of is a secret, or has one in it. */
export function hidesSecret(part: Schema): boolean {
  const { writeOnly, properties, additionalProperties, items, anyOf } = resolve(part);
  const inner = [
    ...Object.values(properties ?? {}),
    ...(items === undefined ? [] : [items]),
    ...(anyOf ?? []),
  ];
  if (typeof additionalProperties === "object") inner.push(additionalProperties);
  return writeOnly === true || inner.some(hidesSecret);
}
