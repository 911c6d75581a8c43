import { isTemplate, hasAvailableCondition } from "../objects/cluster-api";
import { groupKind, isBalanced, isBuiltIn, isDefinition } from "../objects/kinds";
import { annotated, at, identity, identityOf, type KubeObject } from "../objects/object";
import { mounted, podTemplate } from "../objects/pods";

const SKIP_AWAIT = "pulumi.com/skipAwait";
/** Annotation with the condition after which the Kubernetes plugin considers an object as created. */
export const WAIT_FOR = "pulumi.com/waitFor";

/** Condition that is true at once, because every object has a uid. Unlike skipAwait, deletions are still awaited. */
const AT_ONCE = "jsonpath={.metadata.uid}";

/** Condition that a Service of type LoadBalancer has an address. */
const HAS_ADDRESS = "jsonpath={.status.loadBalancer.ingress}";

/** Adds the condition that the object has an address, unless its manifest has a condition. */
export function withAddressAwaited(object: KubeObject): KubeObject {
  const annotations = object.metadata.annotations ?? {};
  return annotations[WAIT_FOR] === AT_ONCE ? annotated(object, WAIT_FOR, HAS_ADDRESS) : object;
}

/** Facts about the CNF that determine an object's readiness. */
export interface ReadinessContext {
  /** Identities of the PersistentVolumeClaims that pods of this CNF mount. */
  readonly mountedClaims: ReadonlySet<string>;
}

export function readinessContext(objects: readonly KubeObject[]): ReadinessContext {
  const claims = objects.flatMap((object) =>
    mounted(podTemplate(object)?.["spec"])
      .filter(({ kind }) => kind === "PersistentVolumeClaim")
      .map(({ kind, name }) => identity("", kind, object.metadata.namespace, name)),
  );
  return { mountedClaims: new Set(claims) };
}

/** Conditions to wait for in addition to the Kubernetes plugin's wait: see statusOf in client/status.ts. */
export type Awaited = "ready" | "complete" | "available" | "initialized";

export interface Readiness {
  /** The object, with an annotation about the end of the plugin's wait. */
  readonly object: KubeObject;
  readonly awaited: Awaited | undefined;
}

/**
 * Decides how to wait for an object. vnfm itself waits for objects with pods or volumes, because the plugin's wait
 * hides the reason of a failure, and for custom resources, because the plugin does not wait for these. For all other
 * objects the plugin's wait suffices. A manifest's own annotation stays, except on a Job that must have ended.
 */
export function readinessOf(object: KubeObject, context: ReadinessContext): Readiness {
  const annotations = object.metadata.annotations ?? {};
  if (groupKind(object) === "batch/Job" && annotations[WAIT_FOR] === "condition=Complete")
    return { object: annotated(object, WAIT_FOR, AT_ONCE), awaited: "complete" };
  if (SKIP_AWAIT in annotations || WAIT_FOR in annotations) return { object, awaited: undefined };
  if (isTemplate(object)) return { object, awaited: undefined };
  if (!isBuiltIn(object)) return { object, awaited: hasAvailableCondition(object) ? "available" : "ready" };
  if (isAwaited(object, context)) return { object: annotated(object, WAIT_FOR, AT_ONCE), awaited: "ready" };
  const [key, value] = annotationOf(object) ?? [];
  const isPlain = key === undefined || value === undefined;
  return { object: isPlain ? object : annotated(object, key, value), awaited: undefined };
}

const AWAITED = [
  "/Pod",
  "/ReplicationController",
  "apps/DaemonSet",
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
];

function isAwaited(object: KubeObject, context: ReadinessContext): boolean {
  // a claim that is mounted may be bound only when its first pod is scheduled, and that pod comes after it
  const isOwnClaim =
    groupKind(object) === "/PersistentVolumeClaim" && !context.mountedClaims.has(identityOf(object));
  return isOwnClaim || AWAITED.includes(groupKind(object));
}

/** Returns the annotation for objects whose wait by the plugin differs from kstatus; undefined if the two agree. */
function annotationOf(object: KubeObject): [string, string] | undefined {
  if (isDefinition(object)) return [WAIT_FOR, "condition=Established"];
  switch (groupKind(object)) {
    case "/Service":
      // its deletion is waited for, which gives the balancer back
      if (isBalanced(object)) return [WAIT_FOR, AT_ONCE];
      return [SKIP_AWAIT, "true"];
    case "networking.k8s.io/Ingress":
      // the plugin waits for endpoints, hence for pods that come after the Service
      return [SKIP_AWAIT, "true"];
    case "/PersistentVolumeClaim":
      return [SKIP_AWAIT, "true"];
    case "batch/Job":
      // the plugin waits for its end; kstatus, for its start
      return [WAIT_FOR, at(object, "spec", "suspend") === true ? AT_ONCE : "jsonpath={.status.startTime}"];
    case "apiregistration.k8s.io/APIService":
      return at(object, "spec", "service") === undefined ? undefined : [WAIT_FOR, "condition=Available"];
    default:
      return undefined;
  }
}
