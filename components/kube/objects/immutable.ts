import { own } from "../../base/own";
import { groupKind } from "./kinds";
import { at, fields, without, type Fields, type KubeObject } from "./object";

/**
 * Returns the immutable fields of an object: if one of them changes, the object must be deleted and re-created.
 * Undefined for kinds that can be updated in place, and for kinds that the Kubernetes plugin replaces by itself, also
 * in a preview: a Deployment or a DaemonSet whose selector changes.
 */
export function immutableContent(object: KubeObject): Fields | undefined {
  return own(IMMUTABLE, groupKind(object))?.(object);
}

/** A field of a StatefulSet that the API can change, although the Kubernetes plugin would replace the object. */
export const REVISION_HISTORY_LIMIT = "spec.revisionHistoryLimit";

/**
 * Returns the number of revisions that a StatefulSet's manifest keeps. Undefined: it has no such field, or is no
 * StatefulSet.
 */
export function revisionHistoryLimit(object: KubeObject): unknown {
  return groupKind(object) === "apps/StatefulSet" ? at(object, "spec", "revisionHistoryLimit") : undefined;
}

type Part = (object: KubeObject) => Fields | undefined;

/** Returns a selector of the object's fields with these names; undefined if it has none of them. */
function only(...names: readonly string[]): Part {
  return (object) => some(object, names);
}

/** Returns a selector of the spec's fields with these names; undefined if it has none of them. */
function specOnly(...names: readonly string[]): Part {
  return (object) => some(fields(object["spec"]), names);
}

/** Returns a selector of the spec without the fields with these names. */
function specExcept(...names: readonly string[]): Part {
  return (object) => without(fields(object["spec"]), ...names);
}

function some(value: Fields, names: readonly string[]): Fields | undefined {
  const entries = names.map((name) => [name, at(value, name)]).filter(([, field]) => field !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Fields);
}

/** Immutable fields by `<group>/<kind>`, from the validation of Kubernetes 1.33 (`pkg/apis/<group>/validation`). */
const IMMUTABLE: Readonly<Record<string, Part>> = {
  "/PersistentVolume": specExcept(
    "accessModes",
    "capacity",
    "claimRef",
    "mountOptions",
    "persistentVolumeReclaimPolicy",
    "storageClassName",
    "volumeAttributesClassName",
  ),
  "/PersistentVolumeClaim": specExcept("resources", "volumeAttributesClassName"),
  // the API lets images and a few more change, but a CNF is promised another pod for any change of a pod
  "/Pod": specExcept(),
  // where a Service gives its own address up, the API keeps that address
  "/Service": specOnly("clusterIP", "clusterIPs"),
  "apps/ControllerRevision": only("data"),
  "apps/ReplicaSet": specOnly("selector"),
  "apps/StatefulSet": specExcept(
    "minReadySeconds",
    "ordinals",
    "persistentVolumeClaimRetentionPolicy",
    "replicas",
    "revisionHistoryLimit",
    "template",
    "updateStrategy",
  ),
  "batch/Job": specExcept(
    "activeDeadlineSeconds",
    "backoffLimit",
    "maxFailedIndexes",
    "suspend",
    "ttlSecondsAfterFinished",
  ),
  "certificates.k8s.io/CertificateSigningRequest": specExcept(),
  "certificates.k8s.io/ClusterTrustBundle": specOnly("signerName"),
  "discovery.k8s.io/EndpointSlice": only("addressType"),
  "networking.k8s.io/IngressClass": specOnly("controller"),
  "node.k8s.io/RuntimeClass": only("handler"),
  "rbac.authorization.k8s.io/ClusterRoleBinding": only("roleRef"),
  "rbac.authorization.k8s.io/RoleBinding": only("roleRef"),
  "resource.k8s.io/ResourceClaim": specExcept(),
  "resource.k8s.io/ResourceClaimTemplate": specExcept(),
  "scheduling.k8s.io/PriorityClass": only("preemptionPolicy", "value"),
  "storage.k8s.io/CSIDriver": specExcept(
    "fsGroupPolicy",
    "podInfoOnMount",
    "requiresRepublish",
    "seLinuxMount",
    "storageCapacity",
    "tokenRequests",
  ),
  "storage.k8s.io/CSIStorageCapacity": only("nodeTopology", "storageClassName"),
  "storage.k8s.io/StorageClass": only("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"),
  "storage.k8s.io/VolumeAttachment": specExcept(),
  "storage.k8s.io/VolumeAttributesClass": only("driverName", "parameters"),
};
