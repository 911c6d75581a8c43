/** A release of vnfm. */
export interface Release {
  readonly version: string;
  /** Commit with this version in its package.json. */
  readonly commit: string;
}

/** The newest release, from which users update. */
export const LAST_RELEASE: Release = { version: "0.1.0", commit: "HEAD" };
