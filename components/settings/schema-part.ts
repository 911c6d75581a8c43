import { own } from "../base/own";
import clusterSchema from "./cluster-schema.json";
import schema from "./schema.json";

/** The keywords of JSON Schema that the schemas of the settings use. */
export interface Schema {
  readonly $ref?: string;
  /** Description of an `anyOf` for messages: "must be <title>". */
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
   * True: an encrypted value, also one in a map or a list, stays a secret. A string: an encrypted value is an error,
   * and this is the reason with the solution. @default an encrypted value is an error
   */
  readonly encrypted?: boolean | string;
  /** True if no plan depends on the value, so that a program may know it only during the run. @default false */
  readonly late?: boolean;
  /** Kinds of VNF instances to which the setting applies. @default all */
  readonly kinds?: readonly string[];
  /** Settings of other tools that this map does not have: by their names there, which setting to use instead. */
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

/** The definitions of both schemas, by name. */
export const DEFINITIONS = { ...schema.definitions, ...clusterSchema.definitions };

/** The schema itself, or the definition that its `$ref` refers to. */
export function resolve(part: Schema): Schema {
  const name = part.$ref?.replace("#/definitions/", "");
  return name === undefined ? part : ((DEFINITIONS as Readonly<Record<string, Schema>>)[name] ?? {});
}

/** Returns the alternative of a schema that is a map, or the schema itself if it has no alternatives. */
export function mapSchema(known: Schema): Schema {
  return known.anyOf?.map(resolve).find((alternative) => alternative.properties) ?? known;
}

/** The schema of a map's value under a key. */
export function partOf({ properties, additionalProperties }: Schema, key: string): Schema {
  const rest = typeof additionalProperties === "object" ? additionalProperties : {};
  return own(properties ?? {}, key) ?? rest;
}

/** The schema of a value in a map or a list, which inherits the treatment of encrypted values. */
export function inner({ encrypted }: Schema, part: Schema = {}): Schema {
  return encrypted === undefined ? part : { encrypted, ...part };
}

/** A description without links to pages, which an editor cannot open. */
export function withoutLinks(description: string): string {
  return description.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** Returns true if the value of a schema is a secret, or contains one. */
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
