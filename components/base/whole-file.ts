import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Puts a text in place of a file as a whole, by a part beside it that is renamed. Nobody can foresee the part's name, and
 * it is made exclusively, so no link leads the text elsewhere. A link at the path itself becomes a file.
 *
 * @param mode of the file, less what the umask takes. @default as for any new file
 */
export function writeWhole(path: string, text: string, mode = 0o666): void {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    // open(2): O_EXCL follows no link
    writeFileSync(part, text, { mode, flag: "wx" });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
