import {
  identitySecret,
  isCluster,
  isGroupOfClusterApi,
  isPartOf,
} from "../../components/kube/objects/cluster-api";
import { at, fields, groupOf, isFields, text, type KubeObject } from "../../components/kube/objects/object";

/** An object by its kind, in the namespace of the object that names it. */
export interface Reference {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** The kinds of Cluster API that name their Cluster, and that a person declares beside it. */
export const PARTS_OF_CLUSTER = ["MachineDeployment", "MachinePool", "MachineHealthCheck"];

/** The objects of Cluster API and its providers that an object names: templates, a control plane, an infrastructure. */
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

/** Returns true if a person has declared an object as a part of a Cluster. */
export function isDeclaredPart(object: KubeObject, cluster: KubeObject): boolean {
  return PARTS_OF_CLUSTER.includes(object.kind) && isPartOf(object, cluster);
}

/** Why a Cluster cannot be adopted; undefined where it can. */
export function unadoptable(object: KubeObject): string | undefined {
  if (!isCluster(object) || at(object, "spec", "topology") === undefined) return undefined;
  return "is made by a ClusterClass (spec.topology), whose controllers write its objects";
}

/** Names of the Secrets that an object uses, which are in its namespace. */
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

/** What is found in a value and in all that is in it. */
function find<T>(
  value: unknown,
  look: (value: Readonly<Record<string, unknown>>) => readonly T[],
): readonly T[] {
  if (Array.isArray(value)) return value.flatMap((item) => find(item, look));
  if (!isFields(value)) return [];
  return [...look(value), ...Object.values(value).flatMap((inner) => find(inner, look))];
}
