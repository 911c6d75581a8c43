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

/** Returns true if a version comes before another one. */
export function isBefore(one: Version, other: Version): boolean {
  return one.minor < other.minor || (one.minor === other.minor && one.patch < other.patch);
}
