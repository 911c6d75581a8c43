import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The text of a file, by its path from the folder of Pulumi.yaml. Undefined where there is none, or a folder. */
export function readProjectFile(path: string): string | undefined {
  try {
    const place = placeInProject(path);
    return statSync(place).isFile() ? readFileSync(place, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a file or folder is, by its path from the folder of Pulumi.yaml. What a project has not of `vnf-packages/` is that
 * of vnfm: the cluster package, and flannel.
 */
export function placeInProject(path: string): string {
  if (!path.startsWith("vnf-packages/") || existsSync(path)) return path;
  const brought = join(dirname(require.resolve("vnfm/package.json")), path);
  return existsSync(brought) ? brought : path;
}
