import { jsonData } from "../../components/base/json";
import { groupKind } from "../../components/kube/objects/kinds";
import {
  at,
  fields,
  isFields,
  items,
  text,
  without,
  type Fields,
  type KubeObject,
} from "../../components/kube/objects/object";

/** Fields of metadata that only a server or a controller writes. */
const SERVER_METADATA = [
  ...["creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers", "generation"],
  ...["managedFields", "ownerReferences", "resourceVersion", "selfLink", "uid"],
];

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const SERVER_ANNOTATIONS = [LAST_APPLIED, "deployment.kubernetes.io/revision"];

/** Fields of built-in kinds that the API server fills in with values of this cluster. */
const ASSIGNED: Readonly<Record<string, readonly string[]>> = {
  "/Service": ["clusterIP", "clusterIPs", "healthCheckNodePort"],
  "/PersistentVolumeClaim": ["volumeName"],
  "/Namespace": ["finalizers"],
};

/**
 * The manifest of an existing object: its declared fields. For an object of `kubectl apply` these are the fields of its
 * manifest; for others all fields that no controller has set. The values are those on the cluster, so that applying the
 * manifest changes nothing.
 */
export function declared(live: KubeObject): KubeObject {
  const ofPeople = withoutControllers(live);
  const applied = lastApplied(live);
  const object = applied === undefined ? withoutAssigned(ofPeople) : alike(ofPeople, applied);
  const annotations = without(object.metadata.annotations ?? {}, ...SERVER_ANNOTATIONS);
  const { labels } = object.metadata;
  const { name, namespace } = live.metadata;
  return {
    ...without(object, "status"),
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...without(object.metadata, ...SERVER_METADATA, "name", "namespace", "annotations", "labels"),
      ...(labels !== undefined && Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
  };
}

/** The manifest that `kubectl apply` stores, if it has the API version of the object. */
function lastApplied(live: KubeObject): KubeObject | undefined {
  try {
    const applied = jsonData(live.metadata.annotations?.[LAST_APPLIED] ?? "", "it") as KubeObject;
    return applied.apiVersion === live.apiVersion && isFields(applied.metadata) ? applied : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The values on the cluster of the fields of a manifest. A list is copied as a whole, as the API may replace it as a
 * whole.
 */
function alike<T>(live: T, manifest: unknown): T {
  if (!isFields(live) || !isFields(manifest)) return live;
  const kept = Object.entries(live).filter(([key]) => Object.hasOwn(manifest, key));
  return Object.fromEntries(kept.map(([key, value]) => [key, alike(value, manifest[key])])) as T;
}

function withoutAssigned(object: KubeObject): KubeObject {
  const assigned = ASSIGNED[groupKind(object)];
  if (assigned === undefined || !isFields(object["spec"])) return object;
  return { ...object, spec: without(object["spec"], ...assigned) };
}

interface ManagedFields {
  readonly manager?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Fields;
}

/**
 * An object without the fields that only controllers have set, according to `metadata.managedFields`, such as the
 * endpoint of a Cluster, or the replicas of an autoscaled object. A writer of the object's status is a controller.
 */
function withoutControllers(live: KubeObject): KubeObject {
  const entries = items(live.metadata["managedFields"]) as readonly ManagedFields[];
  const writers = entries.filter(
    ({ subresource, fieldsV1 }) => subresource === "status" || fields(fieldsV1)["f:status"] !== undefined,
  );
  const controllers = writers.map(({ manager }) => manager);
  const isOfController = ({ manager, subresource }: ManagedFields): boolean =>
    controllers.includes(manager) || (subresource === "scale" && manager?.startsWith("kubectl") !== true);
  const owned = (some: readonly ManagedFields[]): readonly Fields[] =>
    some.map(({ fieldsV1 }) => fields(fieldsV1));
  const others = owned(entries.filter((entry) => !isOfController(entry)));
  // an object that only controllers have written was declared by them
  if (others.length === 0) return live;
  return owned(entries.filter(isOfController)).reduce<KubeObject>(
    (object, set) => cut(object, set, others),
    live,
  );
}

/**
 * Removes the fields of a set from a value, except those that are also in one of the other sets.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/ for the keys: `f:<field>`, `k:<keys of an
 * item>`
 */
function cut<T>(value: T, set: Fields, others: readonly Fields[]): T {
  return Object.entries(set).reduce((object: T, [key, inner]): T => {
    const alsoOf = others.flatMap((other) => (isFields(other[key]) ? [other[key]] : []));
    if (key.startsWith("f:") && isFields(object)) {
      const field = key.slice(2);
      if (!Object.hasOwn(object, field)) return object;
      const isWhole = Object.keys(fields(inner)).length === 0;
      if (isWhole) return alsoOf.length === 0 ? without(object, field) : object;
      const left: unknown = cut(object[field], fields(inner), alsoOf);
      const isEmpty = isFields(left) && Object.keys(left).length === 0;
      return isEmpty && alsoOf.length === 0 ? without(object, field) : { ...object, [field]: left };
    }
    if (key.startsWith("k:") && Array.isArray(object)) {
      const isIt = (item: unknown): boolean =>
        Object.entries(fields(jsonData(key.slice(2), "a key of managedFields"))).every(
          ([name, keyValue]) => at(item, name) === keyValue,
        );
      return object.flatMap((item: unknown) =>
        !isIt(item) ? [item] : alsoOf.length === 0 ? [] : [cut(item, fields(inner), alsoOf)],
      ) as T;
    }
    return object;
  }, value);
}

/** The Helm release of an object, as `<namespace>/<name>`. */
export function releaseOf({ metadata: { annotations = {} } }: KubeObject): string | undefined {
  const name = text(annotations["meta.helm.sh/release-name"]);
  return name && `${annotations["meta.helm.sh/release-namespace"] ?? "default"}/${name}`;
}
