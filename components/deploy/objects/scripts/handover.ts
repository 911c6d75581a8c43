/** Reads the texts that the program passes to a step of the same run: see ../handover.ts. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownFolderPath } from "../../../run/own-folder";

/** Reads the text with this hash, the first digits of its SHA-256. */
export function takeOver(hash: string): string {
  const path = join(ownFolderPath(), `${hash}.json`);
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${path}: ${code}; vnfm writes it with each 'pulumi up', under the same TMPDIR`);
  }
  if (!createHash("sha256").update(text).digest("hex").startsWith(hash))
    throw new Error(`${path} is not the file that vnfm wrote; remove it`);
  return text;
}
