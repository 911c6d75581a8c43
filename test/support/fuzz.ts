import fc from "fast-check";

/**
 * Checks a property with random values, and again with others for as many seconds as FUZZ_SECONDS says. A failure tells
 * the seed and the path by which fast-check comes to it again.
 */
export function fuzz<T>(property: fc.IProperty<T>, parameters: fc.Parameters<T>): void {
  const end = Date.now() + Number(process.env["FUZZ_SECONDS"] ?? 0) * 1000;
  fc.assert(property, parameters);
  const others = { ...parameters };
  delete others.seed;
  while (Date.now() < end) fc.assert(property, others);
}
