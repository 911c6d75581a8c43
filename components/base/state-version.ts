import { readFileSync } from "node:fs";
import gt from "semver/functions/gt";
import { Fault } from "./fault";
import { jsonData } from "./json";

const MANIFEST = require.resolve("vnfm/package.json");

/** Version of this package, which each successful run writes into the stack's output `vnfmVersion`. */
export const VNFM_VERSION = (
  jsonData(readFileSync(MANIFEST, "utf8"), MANIFEST) as { readonly version: string }
).version;

/**
 * Refuses the state of a stack that a newer version of vnfm has updated, because its layout may be unknown here.
 *
 * @param writer the stack's output `vnfmVersion`; absent before the first update
 * @throws Fault with both versions
 */
export function refuseNewerState(writer: unknown): void {
  if (typeof writer !== "string" || !gt(writer, VNFM_VERSION)) return;
  throw new Fault(
    `the stack was last updated by vnfm ${writer}, and this is vnfm ${VNFM_VERSION}, which may not know its state: ` +
      `install vnfm ${writer} or newer`,
  );
}
