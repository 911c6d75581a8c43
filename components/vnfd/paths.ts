import { posix } from "node:path";

/** Why a path inside a package is refused, or undefined where it is sound (SOL004 4.1: relative, inside the CSAR). */
export function unsafePath(path: string): string | undefined {
  if (path === "") return "the path is empty";
  if (path.includes("\0")) return "the path has a NUL character";
  if (path.includes("\\")) return "the path has a backslash; a package's paths have forward slashes";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "the path is absolute";
  if (path.split("/").includes("..")) return 'the path has ".."';
  return undefined;
}

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

/** The sizes that a package may have. */
export const limits = {
  entries: 10_000,
  /** Of all files that are not images together, and of any one file that is read. */
  bytes: 256 * 1024 * 1024,
  /** Inflated to deflated, of files over `ratioFrom` bytes. */
  ratio: 100,
  ratioFrom: 1024 * 1024,
} as const;
