import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Reads a file by its path, relative to the folder of Pulumi.yaml. Undefined if it does not exist, or is a folder.
 *
 * @param project that folder. @default the current one
 */
export function readProjectFile(path: string, project = ""): string | undefined {
  try {
    const place = resolve(project, placeInProject(path, project));
    return statSync(place).isFile() ? readFileSync(place, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Resolves a path relative to the folder of Pulumi.yaml. A path below `vnf-packages/` that does not exist there is
 * taken from vnfm, such as that of the cluster package with flannel.
 *
 * @param project the folder of Pulumi.yaml. @default the current one
 */
export function placeInProject(path: string, project = ""): string {
  if (!path.startsWith("vnf-packages/") || existsSync(join(project, path))) return path;
  const brought = join(dirname(require.resolve("vnfm/package.json")), path);
  return existsSync(brought) ? brought : path;
}
