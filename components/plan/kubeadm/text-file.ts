import type { Place } from "../../base/findings";
import { limits, tooLarge } from "../../base/limits";
import type { ClusterContext } from "./context";

/**
 * Text of a file that a setting names.
 * @returns undefined, and records an error, if the file is missing, too large or no text
 */
export function readTextFile(
  file: string,
  place: Place,
  { readText }: Pick<ClusterContext, "readText">,
): string | undefined {
  const text = readText(file);
  if (text === undefined) place.fault(`${file} is neither in the package nor next to Pulumi.yaml`);
  const problem = tooLarge(Buffer.byteLength(text ?? ""), limits.textBytes, "a text file for nodes");
  if (problem !== undefined) {
    place.fault(`${file} ${problem}`);
    return undefined;
  }
  // bytes that are no UTF-8 were read as the second character
  if (text === undefined || !/[\0\uFFFD]/.test(text)) return text;
  place.fault(`${file} is not a text file`);
  return undefined;
}
