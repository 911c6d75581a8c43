import type { Script } from "../stack/stack-state";
import type { ProgramResult } from "./run-program";

/** A finding of a check, or the reason why a check was not possible. */
export interface Finding extends Pick<Script, "urn" | "vnf" | "vnfc" | "step"> {
  readonly kind: "differs" | "unchecked";
  /**
   * The remedy. `mend`: the script runs again; `heal`: the VNFC is replaced; `refresh`: its provider re-creates it;
   * `release`: the PersistentVolume is released to the next claim.
   */
  readonly wayOut?: "mend" | "heal" | "refresh" | "release";
  /** Name of the PersistentVolume to release. */
  readonly volume?: string;
  readonly text: string;
}

/** Exit statuses of `timeout`, if the program ended or had to be killed, and of `ssh` without a connection. */
const TIMED_OUT = [124, 137];
const NOT_REACHED = 255;

/** The findings in a script's answer to `check`. */
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
