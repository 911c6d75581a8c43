import type { Script } from "../stack/stack-state";
import type { Answer } from "./run-program";

/** What a check found, or why it could find nothing. */
export interface Finding extends Pick<Script, "urn" | "vnf" | "vnfc" | "step"> {
  readonly kind: "differs" | "unchecked";
  /**
   * `mend`: the script runs again; `heal`: the VNFC is made anew; `refresh`: its provider makes it again; `release`:
   * the PersistentVolume is given to the next claim.
   */
  readonly wayOut?: "mend" | "heal" | "refresh" | "release";
  /** Name of the PersistentVolume to release. */
  readonly volume?: string;
  readonly text: string;
}

/** The exit statuses of `timeout`, where the program ended and where it had to be killed, and of `ssh` without a connection. */
const TIMED_OUT = [124, 137];
const NOT_REACHED = 255;

/** What a script's answer to `check` means. */
export function findingsOf(
  { urn, vnf, vnfc, step, isRepeatable }: Script,
  { status, stdout, stderr }: Answer,
): readonly Finding[] {
  const about = { urn, vnf, ...(vnfc !== undefined && { vnfc }), step };
  const wayOut = isRepeatable ? "mend" : vnfc === undefined ? "refresh" : "heal";
  const differences = linesOf(stdout).map((text): Finding => ({ ...about, kind: "differs", wayOut, text }));
  if (status === 0) return differences;
  const why =
    status === undefined || TIMED_OUT.includes(status)
      ? "it does not answer"
      : (linesOf(stderr).at(-1) ?? (status === NOT_REACHED ? "SSH ended" : `it ended with status ${status}`));
  return [...differences, { ...about, kind: "unchecked", text: `step ${step} cannot be checked: ${why}` }];
}

/** The lines of a node's answer. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
