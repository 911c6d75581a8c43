/**
 * What a script has printed when its server went, for the script that begins on the next server: the state has nothing of
 * a deletion. It is known on this machine alone, and for a day: see handover.ts.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "../run/own-folder";

const pathOf = (name: string) => join(ownFolder(), `receipt-${name}`);

export function keepReceipt(name: string, text: string) {
  writeFileSync(pathOf(name), text, { mode: 0o600 });
}

/** @returns empty where there is none */
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
