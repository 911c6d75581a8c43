/** Pure functions that explain why an object with a deletion timestamp still exists, from data of the API. */

/** Time in which the kubelet may still end a pod after its grace period, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Reasons of Kubernetes' finalizers: https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 */
const WAITS_FOR: Map<string, string> = new Map([
  ["batch.kubernetes.io/job-tracking", "the Job controller"],
  ["customresourcecleanup.apiextensions.k8s.io", "its custom resources to be deleted"],
  ["external-provisioner.volume.kubernetes.io/finalizer", "the CSI driver to delete its storage"],
  ["foregroundDeletion", "the objects that it owns to be deleted"],
  ["kubernetes.io/pv-protection", "the PVC that uses it to be deleted"],
  ["kubernetes.io/pvc-protection", "the pods that mount it to be deleted"],
  ["orphan", "the objects that it owns to be orphaned"],
  ["service.kubernetes.io/load-balancer-cleanup", "the cloud controller manager to delete its load balancer"],
]);

/**
 * Returns what an object that is being deleted waits for; undefined if it is not being deleted, or is still in time.
 * @param now milliseconds
 */
export function deletionOf({ metadata, spec }: any, now: number = Date.now()): string | undefined {
  const { deletionTimestamp, finalizers = [] } = metadata;
  if (!deletionTimestamp) return undefined;
  const waits = finalizers.map((name: string) => {
    // that of any other controller has its domain in front
    const whom = WAITS_FOR.get(name) ?? `the controller of ${name.split("/")[0]}: is it running?`;
    return `finalizer ${name}, for ${whom}`;
  });
  if (waits.length > 0) return `is being deleted and waits, by its ${waits.join("; ")}`;
  const isOverdue = now - Date.parse(deletionTimestamp) > PATIENCE_MS;
  return isOverdue && spec?.nodeName
    ? `is being deleted, and the kubelet of node ${spec.nodeName} does not end it`
    : undefined;
}
