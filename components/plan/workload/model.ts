import type { Attribute } from "../../kube/objects/attributes";
import type { KubeObject } from "../../kube/objects/object";
import type { PlannedVnfc } from "./cnf-vdus";
import type { PlannedObject } from "./planned-objects";
import type { PlannedRelease } from "./planned-release";

/** Kind and API version of an object. */
export type ApiKind = Pick<KubeObject, "apiVersion" | "kind">;

/** The Kubernetes objects of a CNF. Plain data: the same settings and package give the same plan. */
export interface CnfPlan {
  readonly instance: string;
  /** Namespace of the objects that name none. */
  readonly namespace: string;
  /** Objects in an order that respects dependsOn and madeAfter. */
  readonly objects: readonly PlannedObject[];
  /** Releases in the order of their installation, after all objects. */
  readonly releases: readonly PlannedRelease[];
  readonly vnfcs: readonly PlannedVnfc[];
  /** Attributes of other instances that its objects and the values of its releases contain. @default none */
  readonly attributes?: readonly Attribute[];
  /** Kinds of its custom resources that the stack does not define. @default none */
  readonly undefinedKinds?: readonly ApiKind[];
  /** Messages for the operator that are no errors. */
  readonly warnings: readonly string[];
}
