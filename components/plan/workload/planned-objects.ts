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
  /** Resource name: `<instance>-<kind>-[<namespace>/]<name>`; a custom kind has its group too. */
  readonly key: string;
  /** The object, ready to apply. */
  readonly object: KubeObject;
  /** Keys of the objects that must be ready before it is created. */
  readonly dependsOn: readonly string[];
  /** Keys of the objects that must exist before it is created, ready or not. */
  readonly madeAfter: readonly string[];
  /** True if its content is secret: it is a Secret, or the stack config encrypts a part of it. */
  readonly secret: boolean;
  /**
   * True if it stays when the CNF is deleted, because it may have existed before or contain other objects: a Namespace
   * that is in no manifest.
   */
  readonly retain: boolean;
  /** Paths of fields that others decide once the object exists, such as `spec.replicas`. */
  readonly ignoreChanges: readonly string[];
  /** The condition to wait for in addition to the Kubernetes provider's own. Undefined: none. */
  readonly awaited: Awaited | undefined;
  /** True if it is applied together with others of its kind, and the state does not contain its text. */
  readonly bundled: boolean;
  /** Time limit for its deletion, such as `30m`. Undefined: that for becoming ready. */
  readonly deletionTimeout: string | undefined;
  /** True if the API answers its creation but stores nothing: a review, or an action such as an Eviction. */
  readonly createOnly: boolean;
}

/**
 * Plans the objects of one owner: their order, what to wait for, and which of them stay. A circle of references is
 * recorded; the plan is empty then.
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
    /** Trigger value: a new one replaces the pods. */
    readonly token?: string | undefined;
    /** The object that stays when the others are deleted. */
    readonly retained?: KubeObject | undefined;
    /** Identities of objects with encrypted content. @default none */
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

/** Paths of the fields of an object that others change once it exists. */
function decidedByOthers(object: KubeObject, all: readonly KubeObject[]): string[] {
  return [
    // if their only owner gave the replicas up, there would be 1 until the autoscaler sets more
    ...(autoscaler(object, all) === undefined ? [] : ["spec.replicas"]),
    ...(groupKind(object) === "apps/StatefulSet" ? [REVISION_HISTORY_LIMIT] : []),
  ];
}
