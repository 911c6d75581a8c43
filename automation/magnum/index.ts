import { readFileSync } from "node:fs";
import { Fault } from "../fault";
import { convert } from "./convert";
import { readRecords, type MagnumFile } from "./records";
import { toYaml } from "./yaml";

/**
 * The config of a stack with the cluster templates and clusters of Magnum that are in the files.
 *
 * @throws Fault with all that is wrong in the files
 */
export function convertFiles(paths: readonly string[]): string {
  return toYaml(convert(readRecords(paths.map(readOne))));
}

function readOne(path: string): MagnumFile {
  try {
    return { path, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new Fault(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}
