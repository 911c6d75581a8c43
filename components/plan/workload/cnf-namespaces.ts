import type { Place } from "../../base/findings";
import { isDefinition, scopeOf, type Scope } from "../../kube/objects/kinds";
import type { ManifestObject } from "../../kube/manifests/manifests";
import {
  fields,
  groupOf,
  identityOf,
  isFields,
  items,
  shown,
  text,
  without,
  type KubeObject,
} from "../../kube/objects/object";
import type { AdditionalParams } from "../../settings/model";

/** Namespace of objects whose manifest names none, as for kubectl. */
const DEFAULT = "default";

/** Matches Namespaces that every cluster has, or reserves. */
const OF_EVERY_CLUSTER = /^(default|kube-(system|public|node-lease))$/;

type NamespaceSettings = Pick<AdditionalParams, "namespace" | "override_namespace">;

/**
 * Sets the namespace of each object, which is the first of: `namespace` of the settings if it overrides, the manifest's
 * own, `namespace` of the settings, `default`. References to one of the objects by name and namespace follow it to its
 * new namespace.
 */
export function inNamespaces(
  written: readonly ManifestObject[],
  settings: NamespaceSettings,
): ManifestObject[] {
  const definitions = written.map(({ object }) => object).filter(isDefinition);
  const moved: Moved = new Map();
  const placed = written.map((manifest) => {
    const { kind, metadata } = manifest.object;
    const namespace = namespaceFor(manifest.object, scopeOf(manifest.object, definitions), settings);
    if (namespace !== undefined && metadata.name !== undefined)
      moved.set(placeOf(kind, text(metadata.namespace) ?? DEFAULT, metadata.name), namespace);
    return { ...manifest, object: withNamespace(manifest.object, namespace) };
  });
  return placed.map(({ object, ...where }) => {
    const following = followed("", object, moved) as KubeObject;
    return { ...where, object: withSubjects(following, settings.namespace ?? DEFAULT) };
  });
}

/**
 * The Namespace that vnfm creates for the setting `namespace`; undefined without the setting, for a Namespace of every
 * cluster, and for one in the manifests.
 */
export function namespaceOf(
  namespace: string | undefined,
  objects: readonly KubeObject[],
  labels?: Readonly<Record<string, string>>,
): KubeObject | undefined {
  if (namespace === undefined || OF_EVERY_CLUSTER.test(namespace)) return undefined;
  const metadata = { name: namespace, ...(labels && { labels }) };
  const object = { apiVersion: "v1", kind: "Namespace", metadata };
  return objects.some((other) => identityOf(other) === identityOf(object)) ? undefined : object;
}

/** Records labels without a Namespace that vnfm creates for the setting. */
export function checkLabels(
  place: Place,
  labels: Readonly<Record<string, string>> | undefined,
  created: KubeObject | undefined,
): void {
  if (labels !== undefined && created === undefined)
    place.fault(
      "apply only to a namespace that vnfm creates: use one that no manifest defines and that is not in every cluster, as default and kube-system are, or remove them",
    );
}

/**
 * Warnings about namespaces: those of cluster-scoped objects are left out; some objects keep one that differs from the
 * settings'; nothing creates one.
 * @param place of the instance
 * @param placed the result of inNamespaces
 */
export function namespaceWarnings(
  place: Place,
  written: readonly ManifestObject[],
  placed: readonly ManifestObject[],
  settings: NamespaceSettings,
): string[] {
  const clusterScoped = written.flatMap(({ file, object }, i) =>
    text(object.metadata.namespace) !== undefined && placed[i]?.object.metadata.namespace === undefined
      ? [`${place.text}: ${file}: ${object.kind} is cluster-scoped; its metadata.namespace is ignored`]
      : [],
  );
  const objects = placed.map(({ object }) => object);
  const others = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  others.delete(settings.namespace ?? DEFAULT);
  const kept = [...others].flatMap((namespace) => {
    const members = placed.filter(({ object }) => object.metadata.namespace === namespace);
    const isMissing = namespaceOf(namespace, objects) !== undefined;
    return keptWarning(place, namespace, members, isMissing, settings.namespace) ?? [];
  });
  return [...clusterScoped, ...kept];
}

function keptWarning(
  place: Place,
  namespace: string,
  members: readonly ManifestObject[],
  isMissing: boolean,
  ofSettings: string | undefined,
): string | undefined {
  const [first, ...more] = members.map((member) => `${shown(member.object)} (${placeInFile(member)})`);
  const objects = more.length === 0 ? first : `${first} and ${more.length} more`;
  const condition = `no manifest creates the namespace ${namespace}: it must exist on the cluster`;
  const params = place.get("additionalParams");
  if (ofSettings !== undefined) {
    const naming = more.length === 0 ? "its manifest sets" : "their manifests set";
    const kept = `${params.get("namespace").text}: ${ofSettings} is not that of ${objects}: ${naming} another`;
    const way = `override_namespace: true creates all objects in ${ofSettings}`;
    return [kept, way, ...(isMissing ? [condition] : [])].join("; ");
  }
  return isMissing
    ? `${params.text}: ${condition}, for ${objects}; add a Namespace to the manifests, or set namespace and override_namespace`
    : undefined;
}

function placeInFile({ file, line }: ManifestObject): string {
  return line === undefined ? file : `${file}:${line}`;
}

/**
 * The namespace of an object. A kind of unknown scope, which may be cluster-scoped, gets one only from the manifest or
 * the settings.
 */
function namespaceFor(
  object: KubeObject,
  scope: Scope,
  { namespace, override_namespace: overrides = false }: NamespaceSettings,
): string | undefined {
  if (scope === "cluster") return undefined;
  const own = text(object.metadata.namespace);
  const fallback = scope === "namespaced" ? DEFAULT : undefined;
  return (overrides ? (namespace ?? own) : (own ?? namespace)) ?? fallback;
}

function withNamespace(object: KubeObject, namespace: string | undefined): KubeObject {
  const metadata = without(object.metadata, "namespace");
  return { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } };
}

/** The new namespaces of objects, by the place that their manifests give them. */
type Moved = Map<string, string>;

function placeOf(kind: string, namespace: string, name: string): string {
  return [kind, namespace, name].join("/");
}

/** Kinds of references without a kind, by the last part of the reference's key. */
const REFERRED: readonly (readonly [key: RegExp, kind: string])[] = [
  [/^service$/i, "Service"],
  [/secretRef$/i, "Secret"],
  [/configMapRef$/i, "ConfigMap"],
  [/claimRef$/i, "PersistentVolumeClaim"],
];

/** Updates the references in a value of an object to the new namespaces. @param key of the value */
function followed(key: string, value: unknown, moved: Moved): unknown {
  if (Array.isArray(value)) return value.map((item) => followed(key, item, moved));
  if (!isFields(value)) return value;
  const inner = Object.entries(value).map(
    ([innerKey, of]) => [innerKey, followed(innerKey, of, moved)] as const,
  );
  const { kind, namespace, name } = value;
  const what = text(kind) ?? REFERRED.find(([pattern]) => pattern.test(key))?.[1];
  if (what === undefined || text(namespace) === undefined || text(name) === undefined)
    return Object.fromEntries(inner);
  const now = moved.get(placeOf(what, String(namespace), String(name))) ?? namespace;
  return { ...Object.fromEntries(inner), namespace: now };
}

/**
 * Adds the namespace of a binding to its service accounts without one, as kustomize does: the API server refuses a
 * subject without a namespace.
 */
function withSubjects(object: KubeObject, namespace: string): KubeObject {
  const isBinding = object.kind === "RoleBinding" || object.kind === "ClusterRoleBinding";
  if (!isBinding || groupOf(object) !== "rbac.authorization.k8s.io") return object;
  const own = text(object.metadata.namespace) ?? namespace;
  const subjects = items(object["subjects"])
    .map(fields)
    .map((subject) => {
      return subject["kind"] === "ServiceAccount" ? { namespace: own, ...subject } : subject;
    });
  return { ...object, subjects };
}
