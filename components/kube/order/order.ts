import type { Place } from "../../base/findings";
import { isCluster, isPartOf } from "../objects/cluster-api";
import { definitionOf, groupKind, isBuiltIn, isDefinition } from "../objects/kinds";
import {
  at,
  fields,
  groupOf,
  identity,
  identityOf,
  items,
  shown,
  text,
  type KubeObject,
} from "../objects/object";
import { isWorkload, podTemplate } from "../objects/pods";
import { references } from "./references";
import { closure, findCycle, reduce, reaches, type Graph } from "./graph";

/** An object with its dependencies. */
export interface OrderedObject {
  readonly object: KubeObject;
  /** Objects that must be ready before it. */
  readonly dependsOn: readonly KubeObject[];
  /** Objects that must exist before it, ready or not, and that are deleted after it. */
  readonly madeAfter: readonly KubeObject[];
}

/**
 * Sorts objects: first by reference (an object comes after those that it names), then by the rank of their kinds below,
 * among objects that can affect each other: in one namespace, or in the cluster. Dependencies that others imply are
 * left out, so that independent objects are created at the same time. The result does not depend on the order of the
 * input.
 *
 * A custom resource whose CRD is in the CNF comes after the workloads, because its controller and admission webhook are
 * among them. A custom resource whose CRD exists on the cluster comes before them, because they may need its result (a
 * certificate, a network). A workload that mounts the Secret of a certificate comes after that certificate in either
 * case.
 *
 * Only objects that an object names must be ready before it. Those before it by kind must only exist: an application
 * may wait for a Secret that its operator creates from a later resource. The same applies to objects that a custom
 * resource names, except for workloads that the API server calls.
 *
 * A cycle of references is an error with its path, and nothing is returned.
 */
export function orderObjects(objects: readonly KubeObject[], place: Pick<Place, "fault">): OrderedObject[] {
  const byId = new Map(objects.map((object) => [identityOf(object), object]));
  const ids = [...byId.keys()].sort();
  const sorted = ids.map((id) => byId.get(id) as KubeObject);
  const graph: Graph = new Map(ids.map((id) => [id, new Set<string>()]));
  // those of its edges whose end must be ready
  const ready: Graph = new Map(ids.map((id) => [id, new Set<string>()]));
  for (const object of sorted) {
    for (const id of needs(object, sorted).filter((id) => byId.has(id))) {
      link(graph, identityOf(object), id);
      link(ready, identityOf(object), id);
    }
  }
  const cycle = findCycle(graph);
  if (cycle !== undefined) {
    const path = cycle.map((id) => shown(byId.get(id) as KubeObject)).join(" -> ");
    place.fault(`the objects refer to each other in a circle: ${path}`);
    return [];
  }
  for (const object of sorted) {
    const from = identityOf(object);
    const { called, named } = hints(object, sorted);
    for (const id of [...called, ...named]) {
      if (!byId.has(id) || reaches(graph, id, from)) continue;
      link(graph, from, id);
      if (called.includes(id)) link(ready, from, id);
    }
  }
  const ranks = effectiveRanks(graph, byId, sorted.filter(isDefinition));
  orderByKind(graph, sorted, ranks);
  const isSlow = (id: string): boolean => takesTime(byId.get(id) as KubeObject);
  const reduced = reduce(withReadiness(graph, (from, to) => isSlow(to) && ready.get(from)?.has(to) === true));
  const depths = closure(graph);
  const objectAt = (node: string): KubeObject => byId.get(node.replace(READY, "")) as KubeObject;
  return ids
    .sort((a, b) => (depths.get(a)?.size ?? 0) - (depths.get(b)?.size ?? 0) || (a < b ? -1 : 1))
    .map((id) => {
      const before = [...(reduced.get(id) ?? [])].sort();
      const isMade = (node: string): boolean => isSlow(node.replace(READY, "")) && !node.endsWith(READY);
      return {
        object: objectAt(id),
        dependsOn: before.filter((node) => !isMade(node)).map(objectAt),
        madeAfter: before.filter(isMade).map(objectAt),
      };
    });
}

/** Returns true if an object may exist long before it is ready. */
function takesTime(object: KubeObject): boolean {
  return isWorkload(object) || !isBuiltIn(object) || groupKind(object) === "/PersistentVolumeClaim";
}

/** Suffix for the graph node of an object's readiness; no object's name contains it. */
const READY = "\0ready";

/** Adds a node for the readiness of each object, which depends on the object. */
function withReadiness(graph: Graph, isReady: (from: string, to: string) => boolean): Graph {
  const nodes: Graph = new Map();
  for (const [id, before] of graph) {
    nodes.set(id, new Set([...before].map((other) => (isReady(id, other) ? other + READY : other))));
    nodes.set(id + READY, new Set([id]));
  }
  return nodes;
}

/** Adds a dependency, unless an object would depend on itself. */
function link(graph: Graph, from: string, to: string): void {
  if (from !== to) graph.get(from)?.add(to);
}

/** Returns the objects without which the creation of an object fails, or never ends. */
function needs(object: KubeObject, all: readonly KubeObject[]): string[] {
  const definition = isBuiltIn(object) ? undefined : definitionOf(object, all.filter(isDefinition));
  const named = isBuiltIn(object)
    ? references(object)
    : [identity("", "Namespace", undefined, object.metadata.namespace ?? "")];
  return [...named, ...(definition === undefined ? [] : [identityOf(definition)]), ...producers(object, all)];
}

/** Objects that should be created before an object, unless this closes a cycle. */
interface Hints {
  /** Workloads that the API server calls for the object, which must be ready. */
  readonly called: readonly string[];
  /** Objects that must exist, but need not be ready. */
  readonly named: readonly string[];
}

function hints(object: KubeObject, all: readonly KubeObject[]): Hints {
  const named = references(object);
  const services = named.filter((id) => id.startsWith("/Service/"));
  if (isServed(object)) return { called: behind(services, all), named: [] };
  if (isBuiltIn(object)) return { called: [], named: [] };
  return {
    called: [...admission(object, all), ...aggregation(object, all)],
    named: [...named, ...parts(object, all)],
  };
}

/**
 * Lists the machines of a Cluster. When a Cluster is deleted, its controller deletes them in the right order, so the
 * Cluster is created last and deleted first.
 */
function parts(object: KubeObject, all: readonly KubeObject[]): string[] {
  return isCluster(object) ? all.filter((other) => isPartOf(other, object)).map(identityOf) : [];
}

/** Returns true for objects that make the API server call a Service, such as webhooks. */
function isServed(object: KubeObject): boolean {
  return /WebhookConfiguration$/.test(object.kind) || object.kind === "APIService";
}

/** Lists the webhooks for objects of the kind, and the workloads that convert its versions. */
function admission(object: KubeObject, all: readonly KubeObject[]): string[] {
  const checks = (hook: unknown): boolean =>
    items(at(hook, "rules")).some((rule) => items(at(rule, "apiGroups")).includes(groupOf(object)));
  const hooks = all.filter((other) => isServed(other) && items(other["webhooks"]).some(checks));
  const definition = definitionOf(object, all.filter(isDefinition));
  const service = fields(at(definition, "spec", "conversion", "webhook", "clientConfig", "service"));
  const conversion = identity("", "Service", text(service["namespace"]), text(service["name"]) ?? "");
  return [...hooks.map(identityOf), ...behind([conversion], all)];
}

/** Returns the APIService that serves objects of the kind. */
function aggregation(object: KubeObject, all: readonly KubeObject[]): string[] {
  return all
    .filter((other) => groupKind(other) === "apiregistration.k8s.io/APIService")
    .filter((other) => at(other, "spec", "group") === groupOf(object))
    .map(identityOf);
}

/** Lists the workloads whose pods Services select. */
function behind(services: readonly string[], all: readonly KubeObject[]): string[] {
  return all
    .filter((other) => services.includes(identityOf(other)))
    .flatMap((service) => {
      const selector = Object.entries(fields(at(service, "spec", "selector")));
      return all.filter((other) => {
        const labels = fields(at(podTemplate(other), "metadata", "labels"));
        const isThere = other.metadata.namespace === service.metadata.namespace && isWorkload(other);
        return isThere && selector.length > 0 && selector.every(([key, value]) => labels[key] === value);
      });
    })
    .map(identityOf);
}

/** Lists custom resources whose controller creates the Secrets that the object's pods mount. */
function producers(object: KubeObject, all: readonly KubeObject[]): string[] {
  const secrets = references(object).filter((id) => isWorkload(object) && id.startsWith("/Secret/"));
  if (secrets.length === 0) return [];
  return all
    .filter((other) => {
      const name = producedSecret(other);
      return name !== undefined && secrets.includes(identity("", "Secret", other.metadata.namespace, name));
    })
    .map(identityOf);
}

function producedSecret(object: KubeObject): string | undefined {
  switch (groupKind(object)) {
    case "cert-manager.io/Certificate":
      return text(at(object, "spec", "secretName"));
    case "external-secrets.io/ExternalSecret":
      return text(at(object, "spec", "target", "name")) ?? object.metadata.name;
    case "bitnami.com/SealedSecret":
      return object.metadata.name;
    default:
      return undefined;
  }
}

const FOREIGN_CUSTOM = 4;
const WORKLOAD = 5;
const OWN_CUSTOM = 7;

/** Ranks of kinds in the order of creation. Other kinds have the rank of workloads. */
const RANKS: Readonly<Record<string, number>> = {
  "/Namespace": 0,
  "/LimitRange": 1,
  "/ResourceQuota": 1,
  "apiextensions.k8s.io/CustomResourceDefinition": 1,
  "networking.k8s.io/IngressClass": 1,
  "node.k8s.io/RuntimeClass": 1,
  "resource.k8s.io/DeviceClass": 1,
  "scheduling.k8s.io/PriorityClass": 1,
  "storage.k8s.io/CSIDriver": 1,
  "storage.k8s.io/StorageClass": 1,
  "/ConfigMap": 2,
  "/PersistentVolume": 2,
  "/Secret": 2,
  "/ServiceAccount": 2,
  "rbac.authorization.k8s.io/ClusterRole": 2,
  "rbac.authorization.k8s.io/Role": 2,
  "/PersistentVolumeClaim": 3,
  "/Service": 3,
  "networking.k8s.io/NetworkPolicy": 3,
  "policy/PodDisruptionBudget": 3,
  "rbac.authorization.k8s.io/ClusterRoleBinding": 3,
  "rbac.authorization.k8s.io/RoleBinding": 3,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": 6,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": 6,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": 6,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": 6,
  "apiregistration.k8s.io/APIService": 6,
};

function rankOf(object: KubeObject, definitions: readonly KubeObject[]): number {
  const rank = RANKS[groupKind(object)];
  if (rank !== undefined) return rank;
  if (isBuiltIn(object)) return WORKLOAD;
  return definitionOf(object, definitions) === undefined ? FOREIGN_CUSTOM : OWN_CUSTOM;
}

/**
 * Returns ranks in which no object is below those that it refers to. An edge by kind always leads to a lower rank, and
 * an edge by reference never to a higher one, so edges by kind cannot close a cycle.
 */
function effectiveRanks(
  graph: Graph,
  byId: ReadonlyMap<string, KubeObject>,
  definitions: readonly KubeObject[],
): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const [id, before] of closure(graph)) {
    const all = [id, ...before].map((each) => rankOf(byId.get(each) as KubeObject, definitions));
    ranks.set(id, Math.max(...all));
  }
  return ranks;
}

function orderByKind(graph: Graph, objects: readonly KubeObject[], ranks: ReadonlyMap<string, number>): void {
  for (const later of objects) {
    const id = identityOf(later);
    for (const earlier of objects) {
      const before = identityOf(earlier);
      const isLower = (ranks.get(before) ?? 0) < (ranks.get(id) ?? 0);
      if (isLower && matters(earlier, later)) link(graph, id, before);
    }
  }
}

/** Kinds that affect an object without being named in it, such as by admission. */
const FOUND_BY: Readonly<Record<string, readonly string[]>> = {
  "/PersistentVolume": ["storage.k8s.io/StorageClass"],
  "/PersistentVolumeClaim": [
    "/LimitRange",
    "/PersistentVolume",
    "/ResourceQuota",
    "storage.k8s.io/CSIDriver",
    "storage.k8s.io/StorageClass",
  ],
};

/** Returns true if an object of an earlier kind can affect one of a later kind that does not name it. */
function matters(earlier: KubeObject, later: KubeObject): boolean {
  const [kind, laterKind] = [groupKind(earlier), groupKind(later)];
  // what only stands there is made at once, save that a claim finds volumes and classes without a name
  if ((RANKS[laterKind] ?? WORKLOAD) < FOREIGN_CUSTOM) return FOUND_BY[laterKind]?.includes(kind) ?? false;
  // those who name it wait for it; a claim may even wait for its first pod
  if (["/PersistentVolume", "/PersistentVolumeClaim", "/Namespace"].includes(kind)) return false;
  if (isBuiltIn(earlier) && RANKS[kind] === undefined && !isWorkload(earlier)) return false;
  const [one, other] = [earlier.metadata.namespace, later.metadata.namespace];
  return one === undefined || other === undefined || one === other;
}
