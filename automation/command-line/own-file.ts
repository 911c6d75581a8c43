import { existsSync, realpathSync, statSync } from "node:fs";
import { writeWhole } from "../../components/base/whole-file";
import { Fault, UsageFault } from "../fault";

/**
 * Replaces the content of a file that only its owner may read, as a whole: processes that have the former one open do not
 * read the new content.
 * @throws UsageFault if that is no regular file
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
