import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { create } from "tar";

/**
 * Packs texts into a compressed tar archive.
 *
 * @param texts by path in the archive
 * @param folder name of the folder in the archive that has all of them
 * @returns the archive's bytes
 * @throws Error for a path that leads out of the folder
 */
export async function archiveOf(texts: ReadonlyMap<string, string>, folder: string): Promise<Buffer> {
  // only the owner can read it
  const temporary = mkdtempSync(join(tmpdir(), "vnfm-support-"));
  try {
    for (const [path, text] of texts) {
      const top = join(temporary, folder);
      const file = join(top, path);
      if (relative(top, file).split(sep)[0] === "..")
        throw new Error(`${path} is not in the archive's folder`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: 0o600 });
    }
    return await create({ gzip: true, portable: true, cwd: temporary }, [folder]).concat();
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
