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

/** A path as the files of a package have it: `./a`, which shells and some zip tools write, is `a`. */
export const fromRoot = (path: string): string => path.replace(/^(?:\.\/)+/, "");

/** The package path that `reference` means in `file`; undefined where it leaves the package. */
export function resolvePath(file: string, reference: string): string | undefined {
  if (reference.startsWith("/") || /[\0\\]/.test(reference)) return undefined;
  const path = posix.normalize(posix.join(posix.dirname(file), reference));
  return path === ".." || path.startsWith("../") ? undefined : path;
}

/** Software images may be of many GiB: they are neither hashed nor counted when a package is loaded. */
export function isImage(path: string): boolean {
  return /^(Files|Artifacts)\/images\//i.test(path);
}
