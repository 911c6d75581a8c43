import type { VnfPackage } from "../vnfd/model";
import { loadPackage } from "../vnfd/package";
import { placeInProject } from "./project-file";

/**
 * A reader of VNF packages that reads each of them once: a run asks for a package for every instance of it, and again
 * for the plan after it has rendered the package's charts.
 *
 * @param project the folder that locations are meant from. @default the current one
 * @returns a function of the location of a package, which throws PackageFault where the package is not valid
 */
export function packageReader(project = ""): (location: string) => VnfPackage {
  const packages = new Map<string, VnfPackage>();
  return (location) => {
    const read = packages.get(location) ?? loadPackage(placeInProject(location, project), project);
    packages.set(location, read);
    return read;
  };
}
