import { readFileSync, statSync } from "node:fs";

/** Text of a file beside Pulumi.yaml; undefined if there is none, or no file. */
export function readProjectFile(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
