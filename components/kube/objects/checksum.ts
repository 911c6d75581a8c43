import { createHash } from "node:crypto";
import { marksIn, withMarksOfTexts } from "./attributes";
import { annotated, at, identity, identityOf, type Fields, type KubeObject } from "./object";
import { isRolled, mounted, podTemplate, withTemplateAnnotation } from "./pods";

/**
 * Annotation of a pod template: the sha256 of the ConfigMaps and Secrets of the CNF that its pods use, followed by the
 * placeholders in them for values of other instances, which the sha256 does not include.
 */
export const CHECKSUM = "vnfm.io/configuration-checksum";

/**
 * Annotation of a workload that vnfm has adopted: the checksum of the ConfigMaps and Secrets with which its pods
 * started.
 */
export const STARTED_WITH = "vnfm.io/started-with-configuration";

/**
 * Adds a checksum of its ConfigMaps and Secrets to a workload's pod template, so that a change of these replaces
 * exactly the pods that use them: environment variables and subPath mounts would never see the change. Jobs and bare
 * Pods stay as they are, because the checksum would replace the objects themselves. Adopted pods stay until their
 * configuration changes.
 */
export function withChecksum(object: KubeObject, byIdentity: ReadonlyMap<string, KubeObject>): KubeObject {
  const checksum = checksumOf(object, byIdentity);
  if (checksum === undefined || object.metadata.annotations?.[STARTED_WITH] === checksum) return object;
  return withTemplateAnnotation(object, CHECKSUM, checksum);
}

/**
 * Annotates each workload with a checksum of the ConfigMaps and Secrets among the objects that its running pods use.
 * withChecksum then replaces no pods until one of these ConfigMaps or Secrets changes.
 */
export function inUse(objects: readonly KubeObject[]): readonly KubeObject[] {
  const byIdentity = new Map(objects.map((object) => [identityOf(object), object]));
  return objects.map((object) => {
    const checksum = checksumOf(object, byIdentity);
    return checksum === undefined ? object : annotated(object, STARTED_WITH, checksum);
  });
}

/** @returns undefined if its pods use no configuration, or are not replaced when it changes */
function checksumOf(object: KubeObject, byIdentity: ReadonlyMap<string, KubeObject>): string | undefined {
  if (!isRolled(object)) return undefined;
  const used = new Map<string, Fields>();
  for (const { kind, name } of mounted(podTemplate(object)?.["spec"])) {
    const id = identity("", kind, object.metadata.namespace, name);
    const found = kind === "PersistentVolumeClaim" ? undefined : byIdentity.get(id);
    if (found !== undefined) used.set(id, contentOf(found));
  }
  if (used.size === 0) return undefined;
  const content = [...used].sort(([a], [b]) => (a < b ? -1 : 1));
  return [digest(content), ...marksIn(JSON.stringify(content)).map(withMarksOfTexts)].join(" ");
}

/** Returns the sha256 of plain data, independent of the order of keys. */
export function digest(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

function contentOf(object: KubeObject): Fields {
  return {
    data: at(object, "data"),
    binaryData: at(object, "binaryData"),
    stringData: at(object, "stringData"),
  };
}

/** Writes JSON with sorted keys, so that equal content results in equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
    .join(",")}}`;
}
