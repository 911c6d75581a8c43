import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/**
 * A copy of the dev stack's config. Tests do not read Pulumi.dev.yaml itself, because a developer changes it, also by
 * `vnfm scale` and `vnfm heal`.
 */
export const DEV_STACK = readFileSync(join(__dirname, "Pulumi.dev.yaml"), "utf8");

/** Parses the stack config of the dev stack. */
export function devStack<T = { readonly config: Readonly<Record<string, unknown>> }>(): T {
  return parse(DEV_STACK) as T;
}
