import fc from "fast-check";
import { runs } from "./runs";

/**
 * Fuzzes an asynchronous property, like `fuzz` of fuzz.ts. A failing example is not shrunk, because each attempt takes
 * long; the error contains its seed and path.
 */
export async function fuzzAsync<T>(property: fc.IAsyncProperty<T>, inCi: number): Promise<void> {
  const end = Date.now() + Number(process.env["FUZZ_SECONDS"] ?? 0) * 1000;
  do await fc.assert(property, { numRuns: runs(inCi), endOnFailure: true });
  while (Date.now() < end);
}
