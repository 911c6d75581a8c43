/** The numbers of a version of Kubernetes; the one before them is 1 for all. */
export interface Version {
  readonly minor: number;
  readonly patch: number;
}

/** Reads a version such as `v1.33.0`. @returns undefined for any other text */
export function parseVersion(text: string | undefined): Version | undefined {
  const [, minor, patch] = /^v1\.(\d+)\.(\d+)$/.exec(text ?? "") ?? [];
  return minor === undefined ? undefined : { minor: Number(minor), patch: Number(patch) };
}

/** Whether a version comes before another one. */
export function isBefore(one: Version, other: Version): boolean {
  return one.minor < other.minor || (one.minor === other.minor && one.patch < other.patch);
}

/**
 * The minor version that a cluster has to be of in between, such as `v1.34`, as kubeadm leaves none out. Undefined where
 * it can change from the one version to the other at once.
 * https://kubernetes.io/releases/version-skew-policy
 */
export function versionBetween(from: Version, to: Version): string | undefined {
  return to.minor > from.minor + 1 ? `v1.${from.minor + 1}` : undefined;
}
