import type { Script } from "../stack/stack-state";
import type { ProgramResult } from "./run-program";

/** A difference that a check has found, or the reason why the check was not possible. */
export interface Finding extends Pick<Script, "urn" | "vnf" | "vnfc" | "step"> {
  readonly kind: "differs" | "unchecked";
  /**
   * Remedy. `mend`: the script runs again; `heal`: the VNFC is replaced; `refresh`: its provider re-creates the
   * resource; `release`: the PersistentVolume is released for other PVCs.
   */
  readonly wayOut?: "mend" | "heal" | "refresh" | "release";
  /** Name of the PersistentVolume to release. */
  readonly volume?: string;
  readonly text: string;
}

/** Exit statuses: of `timeout`, if the program ended after the limit or was killed; of `ssh`, without a connection. */
const TIMED_OUT = [124, 137];
const NOT_REACHED = 255;

/** The findings in the answer of a script to `check`. */
export function findingsOf(
  { urn, vnf, vnfc, step, isRepeatable }: Script,
  { status, stdout, stderr }: ProgramResult,
): readonly Finding[] {
  const about = { urn, vnf, ...(vnfc !== undefined && { vnfc }), step };
  const wayOut = isRepeatable ? "mend" : vnfc === undefined ? "refresh" : "heal";
  const differences = linesOf(stdout).map((text): Finding => ({ ...about, kind: "differs", wayOut, text }));
  if (status === 0) return differences;
  const why =
    status === undefined || TIMED_OUT.includes(status)
      ? "it does not answer"
      : (linesOf(stderr).at(-1) ??
        (status === NOT_REACHED ? "the SSH connection ended" : `it ended with status ${status}`));
  return [...differences, { ...about, kind: "unchecked", text: `step ${step} cannot be checked: ${why}` }];
}

/** The lines of a node's answer. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
