import { groupKind, isBuiltIn } from "./kinds";
import { groupOf, type Fields, type KubeObject } from "./object";

/**
 * Kinds that are posted to a subresource of another object, which has their name. Other kinds that are only posted have
 * no name.
 */
const SUBRESOURCES: Readonly<Record<string, string>> = {
  "/Binding": "pods/*/binding",
  "authentication.k8s.io/TokenRequest": "serviceaccounts/*/token",
  "policy/Eviction": "pods/*/eviction",
};

/** Returns true for a kind that acts on another object, such as an Eviction on a pod. */
export function isOrder(object: KubeObject): boolean {
  return SUBRESOURCES[groupKind(object)] !== undefined;
}

/** Returns the path of an object of a built-in kind on the API. */
function objectPath(object: KubeObject): string {
  return `${collectionPath(object)}/${encodeURIComponent(object.metadata.name ?? "")}`;
}

/**
 * Returns the data that locate an object on the API.
 * @param namespace in which the cluster has created it
 */
export function whereabouts(object: KubeObject, namespace: string | undefined): Fields {
  if (isBuiltIn(object)) return { path: objectPath(object) };
  const { apiVersion, kind, metadata } = object;
  // only the API knows the plural of a custom kind
  return { custom: { apiVersion, kind, name: metadata.name, namespace: namespace ?? metadata.namespace } };
}

/** Returns the path to which a create-only object is posted. */
export function postPath(object: KubeObject): string {
  const subresource = SUBRESOURCES[groupKind(object)];
  if (subresource === undefined) return collectionPath(object);
  const name = encodeURIComponent(object.metadata.name ?? "");
  return `/api/v1/${placeOf(object)}${subresource.replace("*", name)}`;
}

/** Returns the path of the collection of a kind. The plural of all kinds in use here is the kind with an s. */
function collectionPath(object: KubeObject): string {
  const root = groupOf(object) === "" ? "/api" : "/apis";
  return `${root}/${object.apiVersion}/${placeOf(object)}${object.kind.toLowerCase()}s`;
}

function placeOf({ metadata: { namespace } }: KubeObject): string {
  return namespace === undefined ? "" : `namespaces/${encodeURIComponent(namespace)}/`;
}
