import type { Sources } from "../plan/instance";
import { once } from "../base/once";
import { packageReader } from "./packages";
import { openProjectChart } from "./project-chart";
import { readProjectFile } from "./project-file";

/** What a plan is made of besides the settings: the files of a project. */
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
