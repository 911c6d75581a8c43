import fc from "fast-check";
import { runs } from "./runs";

/**
 * Fuzzes a property that takes time, as fuzz of fuzz.ts does. A failure is not made smaller, as each attempt takes time too; it tells
 * its seed and path.
 */
export async function fuzzAsync<T>(property: fc.IAsyncProperty<T>, inCi: number): Promise<void> {
  const end = Date.now() + Number(process.env["FUZZ_SECONDS"] ?? 0) * 1000;
  do await fc.assert(property, { numRuns: runs(inCi), endOnFailure: true });
  while (Date.now() < end);
}
