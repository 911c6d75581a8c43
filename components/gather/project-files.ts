import type { VnfPackage } from "../vnfd/model";
import { packageReader } from "./packages";
import { readProjectFile } from "./project-file";

/** What a plan is made of besides the settings: the files of a project. */
export interface ProjectFiles {
  /** @throws PackageFault where the package is not valid */
  readonly loadPackage: (location: string) => VnfPackage;
  /** Undefined where there is no such file. */
  readonly readProjectFile: (path: string) => string | undefined;
}

/** The files of a project that is anywhere; a package that was read once stays as it was then. */
export function filesOf(project: string): ProjectFiles {
  return {
    loadPackage: packageReader(project),
    readProjectFile: (path) => readProjectFile(path, project),
  };
}
