import type { Sources } from "../plan/context";
import { once } from "../base/once";
import { packageReader } from "./packages";
import { openProjectChart } from "./project-chart";
import { readProjectFile } from "./project-file";

/** The files of a project, which planning needs in addition to the settings. */
export type ProjectFiles = Pick<Sources, "loadPackage" | "readProjectFile" | "openProjectChart">;

/** Returns readers for the files of a project. Each package or chart is read only once. */
export function filesOf(project: string): ProjectFiles {
  return {
    loadPackage: packageReader(project),
    readProjectFile: (path) => readProjectFile(path, project),
    openProjectChart: once(
      (path: string) => openProjectChart(path, project),
      (path) => path,
    ),
  };
}
