import fc from "fast-check";

/** As fuzz of fuzz.ts, of a property that takes time. What fails is not made smaller, as each attempt takes time too. */
export async function fuzzAsync<T>(property: fc.IAsyncProperty<T>, numRuns: number): Promise<void> {
  const end = Date.now() + Number(process.env["FUZZ_SECONDS"] ?? 0) * 1000;
  do await fc.assert(property, { numRuns, endOnFailure: true });
  while (Date.now() < end);
}
