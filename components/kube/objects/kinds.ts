import { own } from "../../base/own";
import { at, groupOf, type KubeObject } from "./object";

/** Kinds of Kubernetes itself, by API group. All others are custom resources. */
const NAMESPACED: Readonly<Record<string, readonly string[]>> = {
  "": [
    "Binding",
    "ConfigMap",
    "Endpoints",
    "Event",
    "LimitRange",
    "PersistentVolumeClaim",
    "Pod",
    "PodTemplate",
    "ReplicationController",
    "ResourceQuota",
    "Secret",
    "Service",
    "ServiceAccount",
  ],
  apps: ["ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"],
  "authentication.k8s.io": ["TokenRequest"],
  "authorization.k8s.io": ["LocalSubjectAccessReview"],
  autoscaling: ["HorizontalPodAutoscaler"],
  batch: ["CronJob", "Job"],
  "certificates.k8s.io": [],
  "coordination.k8s.io": ["Lease", "LeaseCandidate"],
  "discovery.k8s.io": ["EndpointSlice"],
  "events.k8s.io": ["Event"],
  "networking.k8s.io": ["Ingress", "NetworkPolicy"],
  policy: ["Eviction", "PodDisruptionBudget"],
  "rbac.authorization.k8s.io": ["Role", "RoleBinding"],
  "resource.k8s.io": ["ResourceClaim", "ResourceClaimTemplate"],
  "storage.k8s.io": ["CSIStorageCapacity"],
};

const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  "": ["ComponentStatus", "Namespace", "Node", "PersistentVolume"],
  "admissionregistration.k8s.io": [
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingWebhookConfiguration",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
  ],
  "apiextensions.k8s.io": ["CustomResourceDefinition"],
  "apiregistration.k8s.io": ["APIService"],
  "authentication.k8s.io": ["SelfSubjectReview", "TokenReview"],
  "authorization.k8s.io": ["SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"],
  "certificates.k8s.io": ["CertificateSigningRequest", "ClusterTrustBundle"],
  "flowcontrol.apiserver.k8s.io": ["FlowSchema", "PriorityLevelConfiguration"],
  "internal.apiserver.k8s.io": ["StorageVersion"],
  "networking.k8s.io": ["IPAddress", "IngressClass", "ServiceCIDR"],
  "node.k8s.io": ["RuntimeClass"],
  "rbac.authorization.k8s.io": ["ClusterRole", "ClusterRoleBinding"],
  "resource.k8s.io": ["DeviceClass", "ResourceSlice"],
  "scheduling.k8s.io": ["PriorityClass"],
  "storage.k8s.io": ["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"],
  "storagemigration.k8s.io": ["StorageVersionMigration"],
};

const CREATE_ONLY: Readonly<Record<string, readonly string[]>> = {
  "": ["Binding"],
  "authentication.k8s.io": ["SelfSubjectReview", "TokenRequest", "TokenReview"],
  "authorization.k8s.io": [
    "LocalSubjectAccessReview",
    "SelfSubjectAccessReview",
    "SelfSubjectRulesReview",
    "SubjectAccessReview",
  ],
  policy: ["Eviction"],
};

type GroupKind = Pick<KubeObject, "apiVersion" | "kind">;

/** The key of a kind, `<group>/<kind>`; the core group is empty. */
export function groupKind(object: GroupKind): string {
  return `${groupOf(object)}/${object.kind}`;
}

/**
 * Returns true if the kind is one of Kubernetes itself. Its API group counts: a Service of Knative is a custom
 * resource.
 */
export function isBuiltIn(object: GroupKind): boolean {
  return has(NAMESPACED, object) || has(CLUSTER_SCOPED, object);
}

/** Returns true if objects of the kind can only be created: the API server answers, and does not store them. */
export function isCreateOnly(object: GroupKind): boolean {
  return has(CREATE_ONLY, object);
}

/** Scope of a kind. `unknown`: a custom resource whose CRD is not part of the CNF. */
export type Scope = "namespaced" | "cluster" | "unknown";

/**
 * The scope of an object's kind.
 * @param definitions the CNF's own CRDs
 */
export function scopeOf(object: GroupKind, definitions: readonly KubeObject[]): Scope {
  if (has(CLUSTER_SCOPED, object) || FOREIGN_CLUSTER_SCOPED.includes(groupKind(object))) return "cluster";
  if (has(NAMESPACED, object)) return "namespaced";
  const definition = definitionOf(object, definitions);
  if (definition === undefined) return "unknown";
  return at(definition, "spec", "scope") === "Cluster" ? "cluster" : "namespaced";
}

/** The CustomResourceDefinition of an object's kind. */
export function definitionOf(object: GroupKind, definitions: readonly KubeObject[]): KubeObject | undefined {
  return definitions.find((definition) => {
    const kind = at(definition, "spec", "names", "kind");
    return at(definition, "spec", "group") === groupOf(object) && kind === object.kind;
  });
}

export function isDefinition(object: GroupKind): boolean {
  return groupKind(object) === "apiextensions.k8s.io/CustomResourceDefinition";
}

/** Returns true for a Service of type LoadBalancer that gets its address from a load balancer controller. */
export function isBalanced(object: KubeObject): boolean {
  return groupKind(object) === "/Service" && at(object, "spec", "type") === "LoadBalancer";
}

/** Returns true for a Service with a port or an address outside of the cluster. */
export function isReachedFromOutside(object: KubeObject): boolean {
  const type = String(at(object, "spec", "type"));
  return groupKind(object) === "/Service" && ["NodePort", "LoadBalancer"].includes(type);
}

/** Cluster-scoped custom kinds whose CRDs usually exist on the cluster, so that no CNF contains them. */
const FOREIGN_CLUSTER_SCOPED: readonly string[] = [
  "cert-manager.io/ClusterIssuer",
  "cilium.io/CiliumClusterwideNetworkPolicy",
  "crd.projectcalico.org/GlobalNetworkPolicy",
  "crd.projectcalico.org/IPPool",
  "external-secrets.io/ClusterSecretStore",
  "gateway.networking.k8s.io/GatewayClass",
  "kyverno.io/ClusterPolicy",
  "projectcalico.org/GlobalNetworkPolicy",
  "projectcalico.org/IPPool",
  "snapshot.storage.k8s.io/VolumeSnapshotClass",
  "snapshot.storage.k8s.io/VolumeSnapshotContent",
];

function has(table: Readonly<Record<string, readonly string[]>>, object: GroupKind): boolean {
  return own(table, groupOf(object))?.includes(object.kind) ?? false;
}
