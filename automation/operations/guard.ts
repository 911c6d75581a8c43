import type { Change } from "../changes/changes";
import type { Action } from "../stack/steps";

/** What the operator has asked to be deleted or replaced. */
export interface Allowance {
  readonly vnf: string;
  readonly actions: readonly Action[];
  /** Whether a VNFC of the VNF instance, a Kubernetes object of it, or what is neither (`key pair`) may go. */
  readonly mayGo: (part: string) => boolean;
  /** VNF instances of which everything may go. @default none */
  readonly whole?: readonly string[];
}

/** Nothing is asked to be deleted or replaced. */
export const NOTHING: Allowance = { vnf: "", actions: [], mayGo: () => false };

/** What is deleted or replaced though the operator did not ask for it. */
export function unasked(changes: readonly Change[], allowance: Allowance): readonly Change[] {
  return changes.filter(
    (change) => (change.action === "delete" || change.action === "replace") && !isAsked(change, allowance),
  );
}

function isAsked({ action, vnf, vnfc, object, part }: Change, allowance: Allowance): boolean {
  if (vnf !== undefined && allowance.whole?.includes(vnf)) return true;
  if (vnf === undefined || !allowance.actions.includes(action)) return false;
  return vnf === allowance.vnf && allowance.mayGo(part ?? vnfc ?? object ?? "");
}
