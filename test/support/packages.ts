import { packageReader } from "../../components/gather/packages";

/** Loads a VNF package of the repository. A test file loads each package only once. */
export const loadPackage = packageReader();
