import { canonical } from "./checksum";
import { isDefinition } from "./kinds";
import type { KubeObject } from "./object";

/** Bytes of the CRDs of one CNF above which they are no resources of their own. */
const MOST = 64 * 1024;

/**
 * The CRDs of a CNF, where they are large together: the state would have the text of each twice, and is written as a
 * whole with each step of each run. They are all or none of them, as one that grows must not change over.
 */
export function bundled(objects: readonly KubeObject[]): ReadonlySet<KubeObject> {
  const definitions = objects.filter(isDefinition);
  const bytes = definitions.reduce((sum, object) => sum + Buffer.byteLength(canonical(object)), 0);
  return new Set(bytes > MOST ? definitions : []);
}
