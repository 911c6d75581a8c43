import type { NodeFile } from "../kube/cluster/control-plane";

/** Files as scripts take them: a line "mode path content" for each, the content in base64. */
export function fileLines(files: readonly NodeFile[]): string {
  return files
    .map(
      ({ permissions, path, content }) => `${permissions} ${path} ${Buffer.from(content).toString("base64")}`,
    )
    .join("\n");
}
