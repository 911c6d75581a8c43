import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Replaces a file atomically: writes a new file next to it and renames that. The new file has a random name and is
 * created exclusively, so that a link cannot redirect the content. A link at the path itself is replaced by a file.
 *
 * @param mode permissions of the file, reduced by the umask. @default as for any new file
 */
export function writeWhole(path: string, content: string | Buffer, mode = 0o666): void {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    // open(2): O_EXCL follows no link
    writeFileSync(part, content, { mode, flag: "wx" });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
