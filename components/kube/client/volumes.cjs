// @ts-check
// PersistentVolumes whose claims are gone. Pure functions of what the API has.
"use strict";
const { parseQuantity } = require("../objects/quantity.cjs");

/**
 * Whether a volume waits until somebody lets go of it: the claim that held it is gone, and its reclaim policy has
 * Kubernetes neither delete it nor give it to another claim.
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#retain
 * @param {any} volume
 */
function isReleased({ spec, status }) {
  return status?.phase === "Released" && spec.persistentVolumeReclaimPolicy === "Retain";
}

/**
 * Whether one of these CSI drivers is still to delete a volume: the claim that held it is gone, and it goes with that.
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#delete
 * @param {any} volume @param {{ drivers: readonly string[], claims: ReadonlySet<string> }} others uids of claims
 */
function isReclaimed({ spec }, { drivers, claims }) {
  if (!drivers.includes(spec.csi?.driver) || spec.persistentVolumeReclaimPolicy !== "Delete") return false;
  return spec.claimRef?.uid !== undefined && !claims.has(spec.claimRef.uid);
}

/** `<namespace>/<name>` of the claim that holds a volume, or did. @param {any} volume */
function claimOf({ spec }) {
  return `${spec.claimRef?.namespace}/${spec.claimRef?.name}`;
}

/**
 * Whether a claim could have a volume, were it free.
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding
 * @param {any} volume @param {any} claim
 */
function suits({ metadata, spec }, { spec: wanted }) {
  if (wanted.volumeName) return wanted.volumeName === metadata.name;
  const labels = metadata.labels ?? {};
  return (
    (spec.storageClassName ?? "") === (wanted.storageClassName ?? "") &&
    (spec.volumeMode ?? "Filesystem") === (wanted.volumeMode ?? "Filesystem") &&
    (wanted.accessModes ?? []).every((/** @type {string} */ mode) =>
      (spec.accessModes ?? []).includes(mode),
    ) &&
    Object.entries(wanted.selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    sizeOf(spec.capacity) >= sizeOf(wanted.resources?.requests)
  );
}

/** @param {{ storage?: string } | undefined} resources */
function sizeOf(resources) {
  return parseQuantity(resources?.storage) ?? 0n;
}

module.exports = { claimOf, isReclaimed, isReleased, suits };
