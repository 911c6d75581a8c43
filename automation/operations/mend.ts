import type { CheckReport } from "../checks/check";
import { sayFinding } from "../checks/check-words";
import type { Finding } from "../checks/checks";
import type { Allowance } from "./guard";
import { operate, type Conduct, type Outcome } from "./operation";
import type { PulumiStack } from "../stack/pulumi";

/** How `mend` ended. */
export interface Mended extends Outcome {
  /** The findings that no script can mend. */
  readonly left: readonly Finding[];
}

/** `mend` deletes and replaces nothing. */
const NOTHING: Allowance = { vnf: "", actions: [], mayGo: () => false };

/**
 * Checks a stack, and runs those scripts again that have found a difference.
 *
 * @throws as `operate` does
 */
export async function mend(
  stack: PulumiStack,
  { findings }: CheckReport,
  conduct: Conduct = {},
): Promise<Mended> {
  for (const finding of findings) conduct.report?.(sayFinding(finding));
  const left = findings.filter(({ wayOut }) => wayOut !== "mend");
  const rerun = [...new Set(findings.filter((one) => !left.includes(one)).map(({ urn }) => urn))];
  if (rerun.length > 0) {
    const outcome = await operate(stack, () => ({ edits: [], allowance: NOTHING, rerun }), conduct);
    return { ...outcome, left };
  }
  const nothing = { changes: [], stays: {}, warnings: [], unasked: [] };
  return { ...nothing, result: "done", seconds: 0, left };
}
