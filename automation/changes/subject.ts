import { nameInPlace, type Place } from "../stack/places";
import { SERVER, type ObjectReference, type Step } from "../stack/steps";
import { endOf, kindOf, type PartKind } from "./kinds";

/**
 * Identity of a resource of a VNF instance: plain data, equal for the same resource in a preview and in a list of the
 * cloud.
 */
export interface Subject {
  /** The VNF instance. Undefined: it belongs to none. */
  readonly vnf?: string;
  /** The VNFC, such as `workerNode-2`. Undefined: it belongs to the whole instance. */
  readonly vnfc?: string;
  readonly kind: PartKind;
  /**
   * Name within its owner: a connection point, a storage, a virtual link, `Deployment web/frontend`. Empty: the only
   * one of its kind.
   */
  readonly key: string;
  /**
   * Reference to a Kubernetes object on the API of the cluster. Undefined for an object that Helm creates from a chart.
   */
  readonly object?: ObjectReference;
}

/** The subject that stands for a VNFC, with all parts that are deleted with its server. */
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
