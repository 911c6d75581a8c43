/** Output of a program that vnfm starts. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Bytes } from "../base/net/bytes";

/** Limits in bytes: for standard output, which contains the result, and for standard error, which contains messages. */
export const MOST_RESULT = 4 << 20;
const MOST_WORDS = 1 << 20;

/**
 * Collects the output of a program. A result beyond the limit is dropped; of standard error the last part is kept,
 * which contains the reason of a failure.
 * @param onTooMuch called once if the result is too large, for example to end the program
 * @returns a function that returns the output so far
 */
export function keepOutput(
  child: ChildProcessWithoutNullStreams,
  onTooMuch: () => void,
): () => { stdout: string; stderr: string; isTooMuch: boolean } {
  let isTooMuch = false;
  const [result, words] = [new Bytes(), new Bytes()];
  child.stdout.on("data", (part: Buffer) => {
    if (isTooMuch) return;
    if (result.length + part.length <= MOST_RESULT) return result.add(part);
    isTooMuch = true;
    onTooMuch();
  });
  child.stderr.on("data", (part: Buffer) => {
    words.add(part);
    // they are moved once for as many as are kept
    if (words.length > 2 * MOST_WORDS) words.keepLast(MOST_WORDS);
  });
  return () => {
    words.keepLast(MOST_WORDS);
    return { stdout: isTooMuch ? "" : result.all.toString(), stderr: words.all.toString(), isTooMuch };
  };
}
