import fc from "fast-check";
import { runs } from "./runs";

/**
 * Checks a property with random values, and repeats this with other seeds for FUZZ_SECONDS seconds. The first of these
 * seeds is printed. The error of a failure contains its seed and path, by which fast-check repeats it.
 */
export function fuzz<T>(property: fc.IProperty<T>, parameters: fc.Parameters<T>): void {
  const seconds = Number(process.env["FUZZ_SECONDS"] ?? 0);
  const end = Date.now() + seconds * 1000;
  const numRuns = runs(parameters.numRuns ?? 100);
  fc.assert(property, { ...parameters, numRuns });
  if (seconds === 0) return;
  let seed = Date.now() % 2 ** 31;
  process.stderr.write(
    `${expect.getState().currentTestName ?? ""}: ${seconds} s with seeds from ${seed} on\n`,
  );
  while (Date.now() < end) fc.assert(property, { ...parameters, numRuns, seed: seed++ });
}
