import { readFileSync, statSync } from "node:fs";

/** The text of a file, by its path from the folder of Pulumi.yaml. Undefined where there is none, or a folder. */
export function readProjectFile(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
