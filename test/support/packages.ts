import { packageReader } from "../../components/gather/packages";

/** Loads a VNF package of the repository, each once for a file of tests. */
export const loadPackage = packageReader();
