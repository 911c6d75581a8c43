import type { VnfPackage } from "../vnfd/model";
import { loadPackage } from "../vnfd/package";
import { placeInProject } from "./project-file";

/**
 * Returns a reader of VNF packages that reads each package once, because a run needs a package for every instance, and
 * again for the plan after the package's charts are rendered.
 *
 * @param project folder to which locations are relative. @default the current one
 * @returns a function that reads the package at a location, and throws PackageFault if the package is invalid
 */
export function packageReader(project = ""): (location: string) => VnfPackage {
  const packages = new Map<string, VnfPackage>();
  return (location) => {
    const read = packages.get(location) ?? loadPackage(placeInProject(location, project), project);
    packages.set(location, read);
    return read;
  };
}
