import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { openFolder } from "../vnfd/files-folder";
import type { PackageFiles } from "../vnfd/model";
import { placeInProject } from "./project-file";

/**
 * Reads a chart by its path, relative to the folder of Pulumi.yaml: the files of its folder, or its archive. Their
 * names begin with that path, like those of a chart in a package. Undefined if neither exists.
 *
 * @param project that folder. @default the current one
 * @throws PackageFault if the folder is too large, or has names that no package may have
 */
export function openProjectChart(path: string, project = ""): PackageFiles | undefined {
  if (/^\.{0,2}$/.test(basename(path))) return undefined;
  const place = resolve(project, placeInProject(path, project));
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isFile())
    return { list: () => [path], has: (name) => name === path, read: () => readFileSync(place) };
  if (!found?.isDirectory()) return undefined;
  const files = openFolder(path, place);
  const inFolder = (name: string) => name.slice(path.length + 1);
  return {
    list: () => files.list().map((name) => `${path}/${name}`),
    has: (name) => name.startsWith(`${path}/`) && files.has(inFolder(name)),
    read: (name) => files.read(inFolder(name)),
  };
}
