import { groupKind, isDefinition } from "./kinds";
import { annotated, at, identity, identityOf, type KubeObject } from "./object";
import { mounted, podTemplate } from "./pods";

const SKIP_AWAIT = "pulumi.com/skipAwait";
const WAIT_FOR = "pulumi.com/waitFor";

/** True as soon as the object's controller has seen its present generation. */
const OBSERVED = "jsonpath={.status.observedGeneration}";
/** True at once: every object has a uid. Unlike skipAwait it leaves the wait at deletion as it is. */
const AT_ONCE = "jsonpath={.metadata.uid}";

/** What says when an object is ready, beside the object itself. */
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

/**
 * The object with the annotation that makes the Kubernetes plugin's wait end where kstatus says Current. A
 * manifest's own annotation stays, so a Job that must have ended says `pulumi.com/waitFor: condition=Complete`.
 */
export function withReadiness(object: KubeObject, context: ReadinessContext): KubeObject {
  const annotations = object.metadata.annotations ?? {};
  if (SKIP_AWAIT in annotations || WAIT_FOR in annotations) return object;
  const [key, value] = annotationOf(object, context) ?? [];
  return key === undefined || value === undefined ? object : annotated(object, key, value);
}

/** Where the plugin's own wait differs from kstatus; undefined where the two agree. */
function annotationOf(object: KubeObject, context: ReadinessContext): [string, string] | undefined {
  if (isDefinition(object)) return [WAIT_FOR, "condition=Established"];
  const replicas = at(object, "spec", "replicas");
  const idle = replicas === 0 || at(object, "spec", "paused") === true;
  switch (groupKind(object)) {
    case "/Service":
    case "networking.k8s.io/Ingress":
      // the plugin waits for endpoints, hence for pods that come after the Service
      return [SKIP_AWAIT, "true"];
    case "/PersistentVolumeClaim":
      // it may be bound only when its first pod is scheduled, and that pod comes after it
      return context.mountedClaims.has(identityOf(object)) ? [SKIP_AWAIT, "true"] : undefined;
    case "apps/Deployment":
      // the plugin wants to see counts of updated pods, which are left out where they are 0
      return idle ? [WAIT_FOR, OBSERVED] : undefined;
    case "/ReplicationController":
    case "apps/ReplicaSet":
      // the plugin does not wait for the one, and for the other 10 minutes, whatever the timeout is
      return [
        WAIT_FOR,
        replicas === 0 ? OBSERVED : `jsonpath={.status.availableReplicas}=${countOf(replicas)}`,
      ];
    case "apps/StatefulSet":
      return isPartitioned(object)
        ? [WAIT_FOR, JSON.stringify([OBSERVED, `jsonpath={.status.readyReplicas}=${countOf(replicas)}`])]
        : undefined;
    case "batch/Job":
      // the plugin waits for its end; kstatus, for its start
      return [WAIT_FOR, at(object, "spec", "suspend") === true ? AT_ONCE : "jsonpath={.status.startTime}"];
    case "apiregistration.k8s.io/APIService":
      return at(object, "spec", "service") === undefined ? undefined : [WAIT_FOR, "condition=Available"];
    default:
      return undefined;
  }
}

/** With a partition the old revision stays, which the plugin waits to see gone. */
function isPartitioned(object: KubeObject): boolean {
  const partition = at(object, "spec", "updateStrategy", "rollingUpdate", "partition");
  return typeof partition === "number" && partition > 0 && at(object, "spec", "replicas") !== 0;
}

/** The API server's default is one. */
function countOf(replicas: unknown): number {
  return typeof replicas === "number" ? replicas : 1;
}
