import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { own } from "../../components/base/own";
import { Fault } from "../fault";

/** SHA-256 in hexadecimal of files of releases, by `PROVIDER/VERSION/FILE`. */
export type Digests = Record<string, string>;

export function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Reads a file of digests in the format of sha256sum: `sha256sum --check` in the folder of a mirror compares them.
 * @returns none if there is no such file
 * @throws Fault if it has another format
 */
export async function readDigests(path: string): Promise<Digests> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const [, digest, file] = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line) ?? [];
      if (digest === undefined || file === undefined)
        throw new Fault(`${path}: ${JSON.stringify(line.slice(0, 100))} is not a line of sha256sum`);
      return [file, digest];
    }),
  );
}

export function digestsText(digests: Digests): string {
  const lines = Object.entries(digests).map(([file, digest]) => `${digest}  ${file}\n`);
  return lines.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join("");
}

/** Files whose digest differs from the known one, a line each. @param path of the file with the known digests */
export function changed(known: Digests, found: Digests, path: string): string[] {
  return Object.entries(found).flatMap(([file, digest]) => {
    const before = own(known, file);
    return before === undefined || before === digest
      ? []
      : [
          `${file} has the digest sha256:${digest}, not sha256:${before} as in ${path}: the files of a release never change; ` +
            "if the new file is correct, delete its line there",
        ];
  });
}
