import type { Sources } from "../plan/instance";
import { once } from "../base/once";
import { packageReader } from "./packages";
import { openProjectChart } from "./project-chart";
import { readProjectFile } from "./project-file";

/** Files of a project, from which a plan is made together with the settings. */
export type ProjectFiles = Pick<Sources, "loadPackage" | "readProjectFile" | "openProjectChart">;

/** Returns readers for a project in any folder. Each package or chart is read only once. */
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
