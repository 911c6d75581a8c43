import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../base/fault";
import { ownFolder } from "../../run/own-folder";
import { writeWhole } from "../../base/whole-file";

/** Age in milliseconds at which a text is deleted that no script has read. */
const KEPT = 24 * 3600_000;

/**
 * Passes a text to a script of the same run without storing it in the state: in a file named by its hash, in a folder
 * that only this user may enter. The script reads it by scripts/handover.ts. The text must not be secret.
 */
export function handOver(hash: string, text: string, temporary?: string): void {
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

/** @throws Fault if the folder belongs to another user */
function handoverFolder(temporary?: string): string {
  try {
    return ownFolder(temporary);
  } catch (error) {
    throw new Fault((error as Error).message);
  }
}

function removeOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && now - stat.mtimeMs > KEPT) rmSync(path, { force: true });
  }
}
