import type { CheckReport } from "../checks/check";
import { sayFinding } from "../checks/check-words";
import type { Finding } from "../checks/checks";
import { tell, type Run } from "../run";
import type { PulumiStack } from "../stack/pulumi";
import { NOTHING } from "./guard";
import { operate, type Outcome } from "./operation";

/** Result of `mend`. */
export interface Mended extends Outcome {
  /** Findings that no script can fix. */
  readonly left: readonly Finding[];
}

/**
 * Runs the scripts again that have found a difference.
 * @throws as `operate` does
 */
export async function mend(stack: PulumiStack, { findings }: CheckReport, run: Run): Promise<Mended> {
  for (const finding of findings) tell(run, { kind: "finding", finding, text: sayFinding(finding) });
  const left = findings.filter(({ wayOut }) => wayOut !== "mend");
  const rerun = [...new Set(findings.filter((one) => !left.includes(one)).map(({ urn }) => urn))];
  if (rerun.length > 0) {
    const outcome = await operate(stack, () => ({ edits: [], allowance: NOTHING, rerun }), run);
    return { ...outcome, left };
  }
  return { changes: [], stays: {}, warnings: [], unasked: [], seconds: 0, left };
}
