/** A release of vnfm. */
export interface Release {
  readonly version: string;
  /** Commit with this version in its package.json. */
  readonly commit: string;
}

/** The newest release, from which users update. */
export const LAST_RELEASE: Release = { version: "0.2.0", commit: "46dcb8a0c4835c94dffd7990a18b5f63fee976a0" };
