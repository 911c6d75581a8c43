import { Secret } from "../base/secret";
import type { OperatorFile } from "../plan/nodes/model";

/** Renders files for scripts: a line "mode path content" for each, with the content in base64. */
export function fileLines(files: readonly OperatorFile[]): string {
  return files
    .map(({ permissions, path, content }) => {
      const text = content instanceof Secret ? content.reveal() : content;
      return `${permissions} ${path} ${Buffer.from(text).toString("base64")}`;
    })
    .join("\n");
}
