/**
 * Output of a script that ran at the deletion of its server, for the first script on the next server, because the state
 * keeps nothing of a deletion. It is stored on this machine only, for a day: see handover.ts.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "../run/own-folder";

const pathOf = (name: string) => join(ownFolder(), `receipt-${name}`);

export function keepReceipt(name: string, text: string) {
  writeFileSync(pathOf(name), text, { mode: 0o600 });
}

/** @returns an empty text if there is no output */
export function receiptOf(name: string): string {
  try {
    return readFileSync(pathOf(name), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

export function dropReceipt(name: string) {
  rmSync(pathOf(name), { force: true });
}
