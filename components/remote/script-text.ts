/** Texts of the scripts that run on servers, by the names of their files in the folder scripts. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(__dirname, "scripts");

/** Matches a line with which a script sources another file, relative to the folder. */
const SOURCED = /^\. \.\/(\S+\.sh)\n/gm;

/**
 * The text of a script: prelude.sh, then the script with each file that it sources in place of that line. A file that
 * is sourced several times is included once.
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

/** A hash of a script's text, which changes with each included file. */
export function scriptHash(script: string) {
  return createHash("sha256").update(scriptText(script)).digest("hex").slice(0, 12);
}
