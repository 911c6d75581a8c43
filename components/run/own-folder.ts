/** A private folder for files that several processes of one user share on the machine that runs Pulumi. */
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Path of the folder. It contains the user id, because a container may run as a user without a name. */
export function ownFolderPath(temporary: string = tmpdir()): string {
  return join(temporary, `vnfm-${process.getuid?.()}`);
}

/**
 * Returns the folder, which only this user may enter, and creates it if necessary.
 * @param temporary parent folder
 * @throws Error if the folder belongs to another user
 */
export function ownFolder(temporary?: string): string {
  const folder = ownFolderPath(temporary);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder that belongs only to this user; remove it`);
  return folder;
}
