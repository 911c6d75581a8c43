import {
  identitySecret,
  isCluster,
  isGroupOfClusterApi,
  isPartOf,
} from "../../components/kube/objects/cluster-api";
import { at, fields, groupOf, isFields, text, type KubeObject } from "../../components/kube/objects/object";

/** A reference to an object by its kind, in the namespace of the referring object. */
export interface Reference {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** Kinds of Cluster API that refer to their Cluster, and that operators declare together with it. */
export const PARTS_OF_CLUSTER = ["MachineDeployment", "MachinePool", "MachineHealthCheck"];

/**
 * The objects of Cluster API and its providers that an object refers to: templates, a control plane, an infrastructure.
 */
export function referencesOf(object: KubeObject): readonly Reference[] {
  return find(object["spec"], (value) => {
    const { kind, name, apiGroup, apiVersion } = value;
    const group = text(apiGroup) ?? (text(apiVersion) && groupOf({ apiVersion: String(apiVersion) }));
    if (
      group === undefined ||
      !isGroupOfClusterApi(group) ||
      text(kind) === undefined ||
      text(name) === undefined
    )
      return [];
    return [{ group, kind: String(kind), name: String(name) }];
  });
}

/** Returns true for an object that was declared as a part of a Cluster. */
export function isDeclaredPart(object: KubeObject, cluster: KubeObject): boolean {
  return PARTS_OF_CLUSTER.includes(object.kind) && isPartOf(object, cluster);
}

/** The reason why a Cluster cannot be adopted; undefined if it can. */
export function unadoptable(object: KubeObject): string | undefined {
  if (!isCluster(object) || at(object, "spec", "topology") === undefined) return undefined;
  return "is created from a ClusterClass (spec.topology), whose controllers write its objects";
}

/** Names of the Secrets that an object uses, in its namespace. */
export function secretsOf(object: KubeObject): readonly string[] {
  const named = find(object, (value) => [
    ...["secretName"].flatMap((key) => text(value[key]) ?? []),
    ...["secretRef", "secretKeyRef", "secret"].flatMap((key) => text(fields(value[key])["name"]) ?? []),
    ...Object.entries(value).flatMap(([key, inner]) => identitySecret(key, inner) ?? []),
    ...(Array.isArray(value["imagePullSecrets"])
      ? value["imagePullSecrets"].flatMap((one) => text(fields(one)["name"]) ?? [])
      : []),
  ]);
  return [...new Set(named)];
}

/** Collects the results of `look` for a value and all values in it. */
function find<T>(
  value: unknown,
  look: (value: Readonly<Record<string, unknown>>) => readonly T[],
): readonly T[] {
  if (Array.isArray(value)) return value.flatMap((item) => find(item, look));
  if (!isFields(value)) return [];
  return [...look(value), ...Object.values(value).flatMap((inner) => find(inner, look))];
}
