import { lstatSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Fault } from "../../fault";
import { writeWhole } from "../../whole-file";

/** How long a text that nobody took is kept, in milliseconds. */
const KEPT = 24 * 3600_000;

/**
 * Hands a text to a script of the same run without the state, in a file by its hash in a folder that nobody else may
 * enter. The scripts look in the same place: see scripts/handover.cjs. It is for what is no secret.
 */
export function handOver(hash: string, text: string, temporary = tmpdir()): void {
  const folder = handoverFolder(temporary);
  const path = join(folder, `${hash}.json`);
  const now = new Date();
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
    utimesSync(path, now, now);
    return;
  }
  removeOld(folder, now.getTime());
  writeWhole(path, text, 0o600);
}

/** The folder, made where it is not there. @throws Error if it is another's */
function handoverFolder(temporary: string): string {
  const { uid } = userInfo();
  const folder = join(temporary, `vnfm-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o077) !== 0)
    throw new Fault(`${folder} is not a folder of this user alone; remove it`);
  return folder;
}

function removeOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && now - stat.mtimeMs > KEPT) rmSync(path, { force: true });
  }
}
