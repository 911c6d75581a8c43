import { readSource, type Conversion } from "../conversion/conversion";
import { convert } from "./convert";
import { readRecords } from "./records";

/**
 * The cluster templates and clusters of Magnum that are in the files, as settings.
 *
 * @throws Fault with all that is wrong in the files
 */
export function convertMagnum(paths: readonly string[]): Conversion {
  return convert(readRecords(paths.map(readSource)));
}
