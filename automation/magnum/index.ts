import { readSource, type Conversion } from "../conversion/conversion";
import { convert } from "./convert";
import { readRecords } from "./records";

/**
 * Converts the cluster templates and clusters of Magnum in files to settings.
 * @throws Fault with all errors in the files
 */
export function convertMagnum(paths: readonly string[]): Conversion {
  return convert(readRecords(paths.map(readSource)));
}
