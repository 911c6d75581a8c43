import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/**
 * The stack config of the dev stack as the repository has it. Pulumi.dev.yaml itself is the user's: `vnfm scale` and
 * `vnfm heal` edit it, so no test reads it.
 */
export const DEV_STACK = readFileSync(join(__dirname, "Pulumi.dev.yaml"), "utf8");

/** A new copy of it as data. */
export function devStack<T = { readonly config: Readonly<Record<string, unknown>> }>(): T {
  return parse(DEV_STACK) as T;
}
