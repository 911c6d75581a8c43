import { canonical } from "./checksum";
import { isDefinition } from "./kinds";
import type { KubeObject } from "./object";

/** Total size of a CNF's CRDs, in bytes, above which they become one resource. */
const MOST = 64 * 1024;

/**
 * Returns the CRDs of a CNF that become one resource: all if they are large, or none. As separate resources each would
 * be in the state twice, and each step of a run writes the whole state. The size of a single CRD does not decide,
 * because a growing CRD would move from one resource to another.
 */
export function bundled(objects: readonly KubeObject[]): ReadonlySet<KubeObject> {
  const definitions = objects.filter(isDefinition);
  const bytes = definitions.reduce((sum, object) => sum + Buffer.byteLength(canonical(object)), 0);
  return new Set(bytes > MOST ? definitions : []);
}
