import { VNF } from "../../components/deploy/steps";
import { groupKind } from "../../components/kube/objects/kinds";
import type { Change } from "../changes/changes";
import type { PartKind } from "../changes/kinds";
import { Fault } from "../fault";
import { nameOfUrn, type Action, type Step } from "../stack/steps";

/** The deletions and replacements that the operator has requested. */
export interface Allowance {
  readonly vnf: string;
  readonly actions: readonly Action[];
  /** Condition for a deletion or replacement in that instance; see `ofVnfcs` and `ofKinds`. */
  readonly mayGo: MayGo;
  /** VNF instances that may be deleted completely; `all` is the whole stack. @default none */
  readonly whole?: readonly string[] | "all";
  /** True if all resources may be deleted that the stack config no longer declares. @default false */
  readonly undeclared?: boolean;
}

/** Returns true if a change of a VNF instance may delete or replace its subject. */
type MayGo = (change: Pick<Change, "subject" | "isLoss">) => boolean;

/**
 * Allows changes of VNFCs, including all parts that are deleted with their servers, but nothing that outlives the
 * servers.
 */
export function ofVnfcs(has: (vnfc: string) => boolean): MayGo {
  return ({ subject: { vnfc }, isLoss }) => !isLoss && vnfc !== undefined && has(vnfc);
}

/** Allows changes of resources of the instance as a whole. */
export function ofKinds(...kinds: readonly PartKind[]): MayGo {
  return ({ subject: { vnfc, kind } }) => vnfc === undefined && kinds.includes(kind);
}

/**
 * Allows changes of Kubernetes objects.
 * @param groupKinds kinds such as `apps/Deployment`
 */
export function ofObjects(...groupKinds: readonly string[]): MayGo {
  return ({ subject: { object } }) => object !== undefined && groupKinds.includes(groupKind(object));
}

/** Allows no deletion and no replacement. */
export const NOTHING: Allowance = { vnf: "", actions: [], mayGo: () => false };

/** Allows everything that follows from the stack config as it is. */
export const AS_DECLARED: Allowance = { ...NOTHING, undeclared: true };

/** Changes that delete or replace something without a request of the operator. */
export function unrequested(changes: readonly Change[], allowance: Allowance): readonly Change[] {
  return changes.filter(
    (change) =>
      (change.action === "delete" || change.action === "replace") && !isRequested(change, allowance),
  );
}

function isRequested(change: Change, allowance: Allowance): boolean {
  const { action, subject } = change;
  const { vnf } = subject;
  if (allowance.undeclared || allowance.whole === "all") return true;
  if (vnf !== undefined && allowance.whole?.includes(vnf)) return true;
  if (vnf === undefined || !allowance.actions.includes(action)) return false;
  return vnf === allowance.vnf && allowance.mayGo(change);
}

/**
 * Refuses a run that deletes all instances of a stack, or every resource of it, unless each instance is named: a stack
 * config that was emptied by mistake, or the wrong stack, looks the same.
 * @param steps of its preview
 * @throws Fault
 */
export function assertStackStays(steps: readonly Step[], { whole = [] }: Allowance): void {
  if (whole === "all") return;
  const instances = steps.filter(({ type }) => type === VNF);
  // a program that ends too early declares no instances, and nothing else
  const made = instances.length > 0 ? instances : steps.filter(({ custom }) => custom);
  if (made.length === 0 || made.some(({ op }) => op !== "delete")) return;
  const names = instances.map(({ urn }) => nameOfUrn(urn));
  if (names.length > 0 && names.every((name) => whole.includes(name))) return;
  const all =
    names.length > 0
      ? `all instances of the stack: ${names.join(", ")}`
      : "everything that the stack created";
  throw new Fault(
    `rejected: the update would delete ${all}. Nothing was changed. If this is not intended, check the stack ` +
      "config, and whether it is the right stack; to delete everything, use 'vnfm terminate --all' or 'pulumi destroy'",
  );
}
