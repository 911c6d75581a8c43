import { definitionOf, groupKind, isBalanced, isBuiltIn, isDefinition } from "../objects/kinds";
import { at, fields, identityOf, items, type KubeObject } from "../objects/object";
import { imagesOf } from "../objects/pods";
import { references } from "./references";

/** Services that the objects of a CNF provide for other objects: storage classes, load balancers and volumes. */
export interface Provided {
  readonly definitions: readonly KubeObject[];
  readonly identities: ReadonlySet<string>;
  /** True if one of the classes is the default for PVCs without a class. */
  readonly hasDefaultClass: boolean;
  /** True if there is a controller that creates and deletes load balancers for Services. */
  readonly balances: boolean;
  /** Names of the CSI drivers. */
  readonly drivers: readonly string[];
}

export function providedBy(objects: readonly KubeObject[]): Provided {
  return {
    definitions: objects.filter(isDefinition),
    identities: new Set(objects.map(identityOf)),
    hasDefaultClass: objects.some(isDefaultClass),
    balances: objects.flatMap(imagesOf).some((image) => BALANCING.test(image)),
    drivers: objects
      .filter((object) => groupKind(object) === "storage.k8s.io/CSIDriver")
      .flatMap(({ metadata }) => metadata.name ?? []),
  };
}

/**
 * Returns true if an object uses something that `provided` offers and its own CNF does not: mostly a controller, which
 * also cleans up after the object's deletion.
 * @param own objects of the same CNF, such as a Namespace that both contain
 */
export function isProvided(object: KubeObject, provided: Provided, own: Provided): boolean {
  if (!isBuiltIn(object) && definitionOf(object, provided.definitions) !== undefined) return true;
  if (references(object).some((id) => provided.identities.has(id) && !own.identities.has(id))) return true;
  if (provided.balances && isBalanced(object)) return true;
  return provided.hasDefaultClass && claims(object).some((claim) => isOfDefaultClass(claim));
}

/** Images of controllers of Services of type LoadBalancer. */
const BALANCING = /(cloud-controller-manager|kube-vip-cloud-provider|metallb\/controller)(:|@|$)/;

function isDefaultClass(object: KubeObject): boolean {
  const annotation = object.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"];
  return groupKind(object) === "storage.k8s.io/StorageClass" && annotation === "true";
}

/** The PVCs in an object: the object itself, or the templates of a StatefulSet. */
function claims(object: KubeObject): unknown[] {
  if (groupKind(object) === "/PersistentVolumeClaim") return [object];
  return [...items(at(object, "spec", "volumeClaimTemplates"))];
}

function isOfDefaultClass(claim: unknown): boolean {
  const spec = fields(at(claim, "spec"));
  return spec["storageClassName"] === undefined && spec["volumeName"] === undefined;
}
