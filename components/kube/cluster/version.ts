/** Numbers of a Kubernetes version, without the major version, which is always 1. */
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
