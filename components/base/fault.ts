import { own } from "./own";

/** An error that the operator can fix. Its message is shown without a stack trace. */
export class Fault extends Error {
  /** The messages of several errors in one. */
  get faults(): readonly string[] {
    return [this.message];
  }
}

/**
 * Asserts that an error is a Fault, so that a check can continue without a result.
 * @throws any other error itself, as it is a bug of vnfm
 */
export function assertFault(error: unknown): asserts error is Fault {
  if (!(error instanceof Fault)) throw error;
}

/**
 * Asserts that an error comes from outside of vnfm, such as from a provider plugin or an API, so that a check can
 * continue without a result. A TypeError, RangeError or ReferenceError is a bug of vnfm, unless it has a code: Node.js
 * sets one in errors about values from outside, such as a URL in a kubeconfig.
 * @throws the error itself if it is a bug of vnfm
 */
export function assertAnswer(error: unknown): asserts error is Error {
  const isOfProgram = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
  if (!(error instanceof Error) || (isOfProgram && !("code" in error))) throw error;
}

/** Reasons why a file cannot be read or written, by the system's error code. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is exhausted; free space there",
  EEXIST: "it exists already",
  EIO: "the disk has an input/output error",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open; raise the limit of 'ulimit -n'",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full; free space there",
  ENOTDIR: "a part of its path is not a folder",
  EPERM: "it is not permitted",
  EROFS: "the file system is read-only",
};

/**
 * Converts an error of reading or writing a file to a Fault, which the operator can fix; returns other errors
 * unchanged.
 */
export function asFault(error: unknown): unknown {
  const { code = "", syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  const why = own(FILE_ERRORS, code);
  if (why === undefined || syscall === undefined) return error;
  // errors of writes have no path, because the file is already open
  return new Fault(`${path ?? "a file"}: cannot be used (${syscall}, ${code}): ${why}`);
}
