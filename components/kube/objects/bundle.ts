import { canonical } from "./checksum";
import { isDefinition } from "./kinds";
import type { KubeObject } from "./object";

/** The size of all CRDs of one CNF, in bytes, above which they are one resource together. */
const MOST = 64 * 1024;

/**
 * The CRDs of a CNF that are one resource together: all of them where they are large, or none. As resources of their own
 * each would be in the state twice, and the state is written as a whole with each step of a run. It does not go by the
 * size of each, as one that grows would change over from one resource to another.
 */
export function bundled(objects: readonly KubeObject[]): ReadonlySet<KubeObject> {
  const definitions = objects.filter(isDefinition);
  const bytes = definitions.reduce((sum, object) => sum + Buffer.byteLength(canonical(object)), 0);
  return new Set(bytes > MOST ? definitions : []);
}
