import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { create } from "tar";

/**
 * Packs texts into a compressed tar archive.
 *
 * @param texts by path in the archive
 * @param folder name of the folder in the archive that has all of them
 * @returns the archive's bytes
 */
export async function archiveOf(texts: ReadonlyMap<string, string>, folder: string): Promise<Buffer> {
  // only the owner can read it
  const temporary = mkdtempSync(join(tmpdir(), "vnfm-support-"));
  try {
    for (const [path, text] of texts) {
      const file = join(temporary, folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: 0o600 });
    }
    return await create({ gzip: true, portable: true, cwd: temporary }, [folder]).concat();
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
