import { groupKind } from "./kinds";
import { at, fields, groupOf, text, type KubeObject } from "./object";

/** The group of Cluster API's core; the groups of its providers end with it. */
export const CLUSTER_API = "cluster.x-k8s.io";

/** Kinds whose condition `Available` shows that all their parts exist (contract v1beta2). */
const AVAILABLE = [
  "cluster.x-k8s.io/Cluster",
  "cluster.x-k8s.io/MachineDeployment",
  "cluster.x-k8s.io/MachinePool",
  "controlplane.cluster.x-k8s.io/KubeadmControlPlane",
];

/** Kinds of machines that `spec.replicas` scales. */
export const MACHINE_SETS = [
  "cluster.x-k8s.io/MachineDeployment",
  "cluster.x-k8s.io/MachinePool",
  "cluster.x-k8s.io/MachineSet",
  "controlplane.cluster.x-k8s.io/KubeadmControlPlane",
];

/** Returns true if the object is the Cluster of Cluster API, which stands for a workload cluster. */
export function isCluster(object: KubeObject): boolean {
  return groupKind(object) === "cluster.x-k8s.io/Cluster";
}

/**
 * Returns the time limit for a deletion, if it is longer than the one for readiness: the servers, load balancer
 * and networks of a Cluster are deleted before it.
 */
export function deletionTimeout(object: KubeObject): string | undefined {
  return isCluster(object) ? "30m" : undefined;
}

/** Returns true if an API group is that of Cluster API or of one of its providers. */
export function isGroupOfClusterApi(group: string): boolean {
  return group === CLUSTER_API || group.endsWith(`.${CLUSTER_API}`);
}

/** Returns true if the readiness of an object is its condition `Available`. */
export function hasAvailableCondition(object: KubeObject): boolean {
  return AVAILABLE.includes(groupKind(object));
}

/** Returns true for a template such as an OpenStackMachineTemplate, which has no status: controllers only read it. */
export function isTemplate(object: KubeObject): boolean {
  return isGroupOfClusterApi(groupOf(object)) && object.kind.endsWith("Template");
}

/** Returns true if an object is part of a Cluster by `spec.clusterName`, as a MachineDeployment is. */
export function isPartOf(object: KubeObject, cluster: KubeObject): boolean {
  return (
    isGroupOfClusterApi(groupOf(object)) &&
    at(object, "spec", "clusterName") === cluster.metadata.name &&
    object.metadata.namespace === cluster.metadata.namespace
  );
}

/** Returns the Secret with clouds.yaml that an `identityRef` of CAPO names; undefined for other keys. */
export function identitySecret(key: string, value: unknown): string | undefined {
  const { kind, name } = fields(value);
  return key === "identityRef" && kind === undefined ? text(name) : undefined;
}

/** Name of the Secret with the administrator's kubeconfig, which Cluster API creates in the Cluster's namespace. */
export function kubeconfigSecret(cluster: string): string {
  return `${cluster}-kubeconfig`;
}
