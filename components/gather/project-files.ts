import type { Sources } from "../plan/instance";
import { once } from "../base/once";
import { packageReader } from "./packages";
import { openProjectChart } from "./project-chart";
import { readProjectFile } from "./project-file";

/** Files of a project, from which a plan is made together with the settings. */
export type ProjectFiles = Pick<Sources, "loadPackage" | "readProjectFile" | "openProjectChart">;

/** The files of a project that is anywhere; a package or chart that was read once stays as it was then. */
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
