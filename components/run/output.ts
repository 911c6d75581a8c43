/** Output of a program that vnfm starts. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Bytes } from "../base/net/bytes";

/** In bytes: of standard output, which is a result, and of standard error, which is words for people. */
export const MOST_RESULT = 4 << 20;
const MOST_WORDS = 1 << 20;

/**
 * Keeps what a program prints. A result that is too large is none, and its program may end. Of the words the last ones are
 * kept, which say why it failed.
 * @param onTooMuch is called once, when the result is too large
 * @returns what there is by now
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
