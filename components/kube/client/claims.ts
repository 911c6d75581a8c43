/**
 * PVCs of a StatefulSet's pods. They outlive the StatefulSet, so a re-created one with larger PVCs in its manifest uses
 * the old PVCs with their old size: https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/
 */
import { parseQuantity } from "../objects/quantity";
import type { KubeApi } from "./kube-api";
import { objectAt, objectsAt } from "./read";
import { readinessKind } from "./status";

const STORAGE = "/apis/storage.k8s.io/v1/storageclasses";

/** Parses the size of a PVC, which the API has validated. */
const sizeOf = (storage: string) => parseQuantity(storage) ?? 0n;

/**
 * Enlarges the PVCs of a StatefulSet to the size in its manifest, if their storage class allows this.
 * @param object an object of any kind, from the API; only a StatefulSet has such PVCs
 * @returns messages about enlarged PVCs, and about those with another size than in the manifest, with the reason
 */
export async function growClaims(api: KubeApi, object: any): Promise<string[]> {
  const { metadata, spec } = object;
  if (readinessKind(object) !== "StatefulSet") return [];
  const { replicas = 1, ordinals: { start = 0 } = {}, volumeClaimTemplates = [] } = spec;
  const claims = `/api/v1/namespaces/${encodeURIComponent(metadata.namespace)}/persistentvolumeclaims`;
  if (volumeClaimTemplates.length === 0) return [];
  const there = await objectsAt(api, claims).catch(() => []);
  const lines = [];
  for (const template of volumeClaimTemplates) {
    const size = template.spec?.resources?.requests?.storage;
    const begin = `${template.metadata?.name}-${metadata.name}-`;
    for (const claim of there) {
      const { name = "" } = claim.metadata;
      const ordinal = name.startsWith(begin) ? name.slice(begin.length) : "";
      if (!/^\d+$/.test(ordinal) || Number(ordinal) < start || Number(ordinal) >= start + replicas) continue;
      const has = claim.spec.resources?.requests?.storage;
      if (size === undefined || has === undefined || sizeOf(size) === sizeOf(has)) continue;
      const path = `${claims}/${encodeURIComponent(name)}`;
      lines.push(
        `PersistentVolumeClaim ${metadata.namespace}/${name} ${await grow(api, path, claim, has, size)}`,
      );
    }
  }
  return lines;
}

/** @returns the end of the message about the PVC */
async function grow(api: KubeApi, path: string, claim: any, has: string, size: string): Promise<string> {
  const keeps = `keeps its ${has}, not the ${size} of the manifest:`;
  if (sizeOf(size) < sizeOf(has)) return `${keeps} a PVC cannot shrink`;
  const { storageClassName } = claim.spec;
  const storageClass = storageClassName
    ? await objectAt(api, `${STORAGE}/${encodeURIComponent(storageClassName)}`).catch(() => undefined)
    : undefined;
  if (storageClass?.allowVolumeExpansion !== true) {
    const why = storageClassName
      ? `StorageClass ${storageClassName} has no allowVolumeExpansion`
      : "it has no StorageClass that allows expansion";
    return `${keeps} ${why}; to get the new size, save its data, delete the PVC and the pod that mounts it`;
  }
  try {
    await api.patch(path, [{ op: "replace", path: "/spec/resources/requests/storage", value: size }]);
    return `grows from ${has} to ${size}`;
  } catch (error) {
    return `${keeps} ${(error as Error).message}`;
  }
}
