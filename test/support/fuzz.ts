import fc from "fast-check";

/**
 * Checks a property with random values, and again with others for as many seconds as FUZZ_SECONDS says. A failure tells
 * the seed and the path by which fast-check comes to it again.
 */
export function fuzz<T>(property: fc.IProperty<T>, parameters: fc.Parameters<T>): void {
  const end = endOfFuzzing();
  fc.assert(property, parameters);
  while (Date.now() < end) fc.assert(property, withoutSeed(parameters));
}

/** The same for a property that takes time. */
export async function fuzzAsync<T>(
  property: fc.IAsyncProperty<T>,
  parameters: fc.Parameters<T>,
): Promise<void> {
  const end = endOfFuzzing();
  await fc.assert(property, parameters);
  while (Date.now() < end) await fc.assert(property, withoutSeed(parameters));
}

function endOfFuzzing(): number {
  return Date.now() + Number(process.env["FUZZ_SECONDS"] ?? 0) * 1000;
}

function withoutSeed<T>(parameters: fc.Parameters<T>): fc.Parameters<T> {
  const others = { ...parameters };
  delete others.seed;
  return others;
}
