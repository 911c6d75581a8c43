import type { NodeFeature } from "./model";

/** Files of the operator, as they are. */
export const operatorFiles: NodeFeature = ({ files: { value: files, place } }) => {
  const paths = files.map(({ path }) => path);
  for (const [i, path] of paths.entries())
    if (paths.indexOf(path) < i) place.get(i, "path").fault(`${path} appears twice; remove one of the two`);
  return { operatorFiles: files };
};
