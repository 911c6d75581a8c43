import type { Place } from "../../base/findings";
import { bundled } from "../../kube/objects/bundle";
import { withChecksum } from "../../kube/objects/checksum";
import { deletionTimeout } from "../../kube/objects/cluster-api";
import { REVISION_HISTORY_LIMIT } from "../../kube/objects/immutable";
import { groupKind, isCreateOnly } from "../../kube/objects/kinds";
import { identityOf, type KubeObject } from "../../kube/objects/object";
import { orderObjects } from "../../kube/order/order";
import { withHealToken } from "../../kube/objects/pods";
import { readinessContext, readinessOf, type Awaited } from "../../kube/order/readiness";
import { autoscaler } from "./cnf-vdus";
import { keyOf } from "./keys";

export interface PlannedObject {
  /** Resource name: `<instance>-<kind>-[<namespace>/]<name>`, the kind with its group where it is a custom one. */
  readonly key: string;
  /** Ready to apply. */
  readonly object: KubeObject;
  /** Keys of the objects that must be ready before. */
  readonly dependsOn: readonly string[];
  /** Keys of those that need only be made before. */
  readonly madeAfter: readonly string[];
  /** True if its content is secret: it is a Secret, or something in it is encrypted in the stack config. */
  readonly secret: boolean;
  /**
   * True if it stays when the CNF goes: a Namespace that stands in no manifest may have others in it, or have been
   * there before.
   */
  readonly retain: boolean;
  /** Paths of fields that others decide once the object is there, such as `spec.replicas`. */
  readonly ignoreChanges: readonly string[];
  /** What is waited for beyond the Kubernetes plugin's wait; undefined is nothing. */
  readonly awaited: Awaited | undefined;
  /** True if it is made with others of its kind, and the state has none of its text. */
  readonly bundled: boolean;
  /** How long it may take to go, such as `30m`. Undefined: as long as it may take to be ready. */
  readonly deletionTimeout: string | undefined;
  /** True if the API answers its creation and keeps nothing: a review, or an order such as an Eviction. */
  readonly createOnly: boolean;
}

/**
 * How objects of one owner are made: in which order, what is waited for, what stays. A circle of references is a fault,
 * and there are none then.
 */
export function planObjects(
  owner: string,
  objects: readonly KubeObject[],
  owning: Pick<Place, "fault">,
  {
    token,
    retained,
    secrets = new Set(),
  }: {
    /** A new one replaces the pods. */
    readonly token?: string | undefined;
    /** The one that stays when the others go. */
    readonly retained?: KubeObject | undefined;
    /** Identities of those that have something encrypted in them. @default none */
    readonly secrets?: ReadonlySet<string>;
  } = {},
): PlannedObject[] {
  const readiness = readinessContext(objects);
  const inBundle = bundled(objects);
  const byIdentity = new Map(objects.map((object) => [identityOf(object), object]));
  return orderObjects(objects, owning).map(({ object, dependsOn, madeAfter }) => ({
    key: keyOf(owner, object),
    ...readinessOf(withHealToken(withChecksum(object, byIdentity), token), readiness),
    dependsOn: dependsOn.map((before) => keyOf(owner, before)),
    madeAfter: madeAfter.map((before) => keyOf(owner, before)),
    secret: groupKind(object) === "/Secret" || secrets.has(identityOf(object)),
    retain: object === retained,
    ignoreChanges: decidedByOthers(object, objects),
    bundled: inBundle.has(object),
    deletionTimeout: deletionTimeout(object),
    createOnly: isCreateOnly(object),
  }));
}

/** Paths of the fields that the object has and that are not this object's to change once it is there. */
function decidedByOthers(object: KubeObject, all: readonly KubeObject[]): string[] {
  return [
    // given up by the only one who owns them, the replicas would be 1 until the autoscaler asks for more
    ...(autoscaler(object, all) === undefined ? [] : ["spec.replicas"]),
    ...(groupKind(object) === "apps/StatefulSet" ? [REVISION_HISTORY_LIMIT] : []),
  ];
}
