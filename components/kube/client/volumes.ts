/** Pure functions about PersistentVolumes whose PVC no longer exists, with data of the API. */
import { parseQuantity } from "../objects/quantity";

/**
 * Returns true if a volume must be released by hand: its PVC no longer exists, and by its reclaim policy Kubernetes
 * neither deletes it nor binds it to another PVC.
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#retain
 */
export function isReleased({ spec, status }: any) {
  return status?.phase === "Released" && spec.persistentVolumeReclaimPolicy === "Retain";
}

/**
 * Returns true if one of these CSI drivers must still delete a volume: its PVC no longer exists, and its reclaim policy
 * is Delete. https://kubernetes.io/docs/concepts/storage/persistent-volumes/#delete
 * @param others uids of PVCs
 */
export function isReclaimed(
  { spec }: any,
  { drivers, claims }: { drivers: readonly string[]; claims: ReadonlySet<string> },
) {
  if (!drivers.includes(spec.csi?.driver) || spec.persistentVolumeReclaimPolicy !== "Delete") return false;
  return spec.claimRef?.uid !== undefined && !claims.has(spec.claimRef.uid);
}

/** Returns the present or former PVC of a volume, as `<namespace>/<name>`. */
export function claimOf({ spec }: any) {
  return `${spec.claimRef?.namespace}/${spec.claimRef?.name}`;
}

/**
 * Returns true if a PVC could bind a volume that was free.
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding
 */
export function suits({ metadata, spec }: any, { spec: claim }: any) {
  if (claim.volumeName) return claim.volumeName === metadata.name;
  const labels = metadata.labels ?? {};
  return (
    (spec.storageClassName ?? "") === (claim.storageClassName ?? "") &&
    (spec.volumeMode ?? "Filesystem") === (claim.volumeMode ?? "Filesystem") &&
    (claim.accessModes ?? []).every((mode: string) => (spec.accessModes ?? []).includes(mode)) &&
    Object.entries(claim.selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    sizeOf(spec.capacity) >= sizeOf(claim.resources?.requests)
  );
}

function sizeOf(resources: { storage?: string } | undefined) {
  return parseQuantity(resources?.storage) ?? 0n;
}
