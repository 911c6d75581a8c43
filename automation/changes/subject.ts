import { nameInPlace, type Place } from "../stack/places";
import { SERVER, type ObjectReference, type Step } from "../stack/steps";
import { endOf, kindOf, type Kind } from "./kinds";

/** Identity of a resource of a VNF instance. Made of the preview, and of what the cloud lists, it is the same. Plain data. */
export interface Subject {
  /** The VNF instance. Undefined: it belongs to none. */
  readonly vnf?: string;
  /** Such as `workerNode-2`. Undefined: it is of the instance as a whole. */
  readonly vnfc?: string;
  readonly kind: Kind;
  /** Name within its owner: a connection point, a storage, a virtual link, `Deployment web/frontend`. Empty: the only one of its kind. */
  readonly key: string;
  /** Reference by which the API of the cluster knows a Kubernetes object. Undefined for an object that Helm makes of a chart. */
  readonly object?: ObjectReference;
}

/** The VNFC itself, with all that comes and goes with its server. */
export function subjectOfVnfc(vnf: string | undefined, vnfc: string): Subject {
  return { ...(vnf !== undefined && { vnf }), vnfc, kind: "vnfc", key: "" };
}

export function subjectOf(resource: Step & Place): Subject {
  const { vnf, vnfc, reference } = resource;
  return {
    ...(vnf !== undefined && { vnf }),
    ...(vnfc !== undefined && { vnfc }),
    kind: kindOf(resource),
    key: keyOf(resource),
    ...(reference !== undefined && { object: reference }),
  };
}

function keyOf(resource: Step & Place): string {
  const { type, object } = resource;
  if (type === SERVER) return "";
  if (object !== undefined) return object;
  const name = nameInPlace(resource);
  return kindOf(resource) === "resource" ? [endOf(type), name].filter(Boolean).join(" ") : name;
}
