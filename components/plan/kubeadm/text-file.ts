import type { Place } from "../../base/findings";
import { limits, tooLarge } from "../../base/limits";
import type { ClusterContext } from "./cluster";

/**
 * Text of a file that a setting names.
 * @returns undefined, and a fault, where there is no such file, or it is too large or no text
 */
export function readTextFile(
  file: string,
  place: Place,
  { readText }: Pick<ClusterContext, "readText">,
): string | undefined {
  const text = readText(file);
  if (text === undefined) place.fault(`${file} is neither in the package nor beside Pulumi.yaml`);
  const problem = tooLarge(Buffer.byteLength(text ?? ""), limits.textBytes, "a text file for nodes");
  if (problem !== undefined) {
    place.fault(`${file} ${problem}`);
    return undefined;
  }
  // what is no UTF-8 was read with the second
  if (text === undefined || !/[\0\uFFFD]/.test(text)) return text;
  place.fault(`${file} is no text file`);
  return undefined;
}
