/** The texts of the scripts that run on servers, by the names of their files in the folder scripts. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(__dirname, "scripts");

/** A line by which a script takes another file in, relative to the folder. */
const SOURCED = /^\. \.\/(\S+\.sh)\n/gm;

/**
 * The text of a script: prelude.sh, then the script with each file that it sources in the place of that line. A file
 * that is sourced more than once is there once.
 * @param script its file
 */
export function scriptText(script: string) {
  const taken = new Set<string>();
  const take = (file: string): string => {
    if (taken.has(file)) return "";
    taken.add(file);
    return readFileSync(join(FOLDER, file), "utf8").replaceAll(SOURCED, (_, sourced: string) =>
      take(sourced),
    );
  };
  return take("prelude.sh") + take(script);
}

/** What tells a version of a script from others: it changes with each file that the script is made of. */
export function scriptHash(script: string) {
  return createHash("sha256").update(scriptText(script)).digest("hex").slice(0, 12);
}
