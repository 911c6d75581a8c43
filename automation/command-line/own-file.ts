import { existsSync, realpathSync, statSync } from "node:fs";
import { writeWhole } from "../../components/base/whole-file";
import { Fault, UsageFault } from "../fault";

/**
 * Replaces a file that only its owner may read. Processes that have the former file open do not see the new content.
 * @throws UsageFault if the path is not a regular file
 */
export function writeOwn(file: string, content: string | Buffer): void {
  const path = existsSync(file) ? realpathSync(file) : file;
  // a device would be replaced by a file
  if (existsSync(path) && !statSync(path).isFile())
    throw new UsageFault(`${file} is not a regular file: set another one with --file`);
  try {
    writeWhole(path, content, 0o600);
  } catch (error) {
    throw new Fault(`${file} cannot be written: ${(error as Error).message}`);
  }
}
