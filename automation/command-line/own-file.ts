import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Fault, UsageFault } from "../fault";

/**
 * Puts a text in place of a file that its owner alone may read, as a whole: whoever has the former one open does not
 * read it.
 *
 * @throws UsageFault if that is no regular file
 */
export function writeOwn(file: string, text: string): void {
  const path = existsSync(file) ? realpathSync(file) : file;
  // a device would be replaced by a file
  if (existsSync(path) && !statSync(path).isFile())
    throw new UsageFault(`${file} is no regular file: give another with --file`);
  const part = join(dirname(path), `.${basename(path)}.${process.pid}`);
  try {
    // not through a link that somebody has put there
    writeFileSync(part, text, { mode: 0o600, flag: "wx" });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw new Fault(`${file} cannot be written: ${(error as Error).message}`);
  }
}
