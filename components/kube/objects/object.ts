import { own } from "../../base/own";
import { Secret } from "../../base/secret";

/** A Kubernetes object as plain data. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A mapping of unknown content. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the value if it is a mapping, else an empty one. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns true if the value is a mapping. A Secret counts as a single value. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

/** Returns the value if it is a list, else an empty one. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a string that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value at a path of keys. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner: unknown, key) => fields(inner)[key], value);
}

/** A mapping without some of its keys. */
export function without<T extends Fields>(value: T, ...keys: readonly string[]): T {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) as T;
}

/** Merges maps key by key. Other values, also lists, are replaced by those in `over`. */
export function merge(base: object, over: object): Fields {
  const merged = Object.entries(over).map(([key, value]: [string, unknown]) => {
    const before: unknown = own(base as Fields, key);
    return [key, isFields(before) && isFields(value) ? merge(before, value) : value];
  });
  return { ...base, ...(Object.fromEntries(merged) as Fields) };
}

/** API group of an apiVersion; the core group is empty. */
export function groupOf({ apiVersion }: Pick<KubeObject, "apiVersion">): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

/**
 * Returns the identity of an object on a cluster. It does not contain the version, because the API stores one object
 * for all versions of a kind.
 */
export function identityOf(object: KubeObject): string {
  return identity(groupOf(object), object.kind, object.metadata.namespace, object.metadata.name ?? "");
}

/** The identity as of identityOf, from its parts. */
export function identity(group: string, kind: string, namespace: string | undefined, name: string): string {
  return [group, kind, namespace ?? "", name].join("/");
}

/** Returns an object's name for messages: `Deployment web/frontend`. */
export function shown({ kind, metadata }: KubeObject): string {
  const name = metadata.name ?? metadata.generateName ?? "";
  return `${kind} ${metadata.namespace === undefined ? name : `${metadata.namespace}/${name}`}`.trim();
}

/** The object with one more annotation. */
export function annotated(object: KubeObject, key: string, value: string): KubeObject {
  const annotations = { ...object.metadata.annotations, [key]: value };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
