import { posix } from "node:path";
import { limits } from "../base/limits";

/** Returns the error of an invalid path in a package; a path must be relative and inside the CSAR (SOL004 4.1). */
export function unsafePath(path: string): string | undefined {
  if (path === "") return "the path is empty";
  if (path.length > limits.pathLength)
    return `the path has ${path.length} characters; at most ${limits.pathLength} are allowed`;
  if (path.split("/").length > limits.pathDepth)
    return `the path has ${path.split("/").length} names; at most ${limits.pathDepth} are allowed`;
  if (path.includes("\0")) return "the path has a NUL character";
  if (path.includes("\\")) return "the path has a backslash; a package's paths have forward slashes";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "the path is absolute";
  if (path.split("/").includes("..")) return 'the path has ".."';
  return undefined;
}

/** Normalizes a path in a package: `./a`, which shells and some zip tools write, becomes `a`. */
export const fromRoot = (path: string): string => path.replace(/^(?:\.\/)+/, "");

/** Resolves a reference relative to a file, to a path in the package; undefined if it leads outside. */
export function resolvePath(file: string, reference: string): string | undefined {
  if (reference.startsWith("/") || /[\0\\]/.test(reference)) return undefined;
  const path = posix.normalize(posix.join(posix.dirname(file), reference));
  return path === ".." || path.startsWith("../") ? undefined : path;
}

/** Returns true for a software image. These may have many GiB, so they are neither hashed nor counted. */
export function isImage(path: string): boolean {
  return /^(Files|Artifacts)\/images\//i.test(path);
}
