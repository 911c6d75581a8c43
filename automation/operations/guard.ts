import { VNF } from "../../components/deploy/steps";
import { groupKind } from "../../components/kube/objects/kinds";
import type { Change } from "../changes/changes";
import type { Kind } from "../changes/kinds";
import { Fault } from "../fault";
import { nameOfUrn, type Action, type Step } from "../stack/steps";

/** What the operator has asked to be deleted or replaced. */
export interface Allowance {
  readonly vnf: string;
  readonly actions: readonly Action[];
  /** Of that instance; see `ofVnfcs` and `ofKinds`. */
  readonly mayGo: MayGo;
  /** VNF instances of which everything may go; `all` is the whole stack. @default none */
  readonly whole?: readonly string[] | "all";
  /** Everything may go that the stack config does not declare. @default false */
  readonly undeclared?: boolean;
}

/** Returns true if what a change of a VNF instance deletes or replaces may go. */
type MayGo = (change: Pick<Change, "subject" | "isLoss">) => boolean;

/** VNFCs with all that goes with their servers, and nothing that outlives these. */
export function ofVnfcs(has: (vnfc: string) => boolean): MayGo {
  return ({ subject: { vnfc }, isLoss }) => !isLoss && vnfc !== undefined && has(vnfc);
}

/** Things of the instance as a whole. */
export function ofKinds(...kinds: readonly Kind[]): MayGo {
  return ({ subject: { vnfc, kind } }) => vnfc === undefined && kinds.includes(kind);
}

/** Kubernetes objects. @param groupKinds such as `apps/Deployment` */
export function ofObjects(...groupKinds: readonly string[]): MayGo {
  return ({ subject: { object } }) => object !== undefined && groupKinds.includes(groupKind(object));
}

/** Nothing is asked to be deleted or replaced. */
export const NOTHING: Allowance = { vnf: "", actions: [], mayGo: () => false };

/** The stack config is applied as it is. */
export const AS_DECLARED: Allowance = { ...NOTHING, undeclared: true };

/** What is deleted or replaced though the operator did not ask for it. */
export function unasked(changes: readonly Change[], allowance: Allowance): readonly Change[] {
  return changes.filter(
    (change) => (change.action === "delete" || change.action === "replace") && !isAsked(change, allowance),
  );
}

function isAsked(change: Change, allowance: Allowance): boolean {
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
 *
 * @param steps of its preview
 * @throws Fault
 */
export function assertStackStays(steps: readonly Step[], { whole = [] }: Allowance): void {
  if (whole === "all") return;
  const instances = steps.filter(({ type }) => type === VNF);
  // a program that ends too early declares no instances, nor anything else
  const made = instances.length > 0 ? instances : steps.filter(({ custom }) => custom);
  if (made.length === 0 || made.some(({ op }) => op !== "delete")) return;
  const names = instances.map(({ urn }) => nameOfUrn(urn));
  if (names.length > 0 && names.every((name) => whole.includes(name))) return;
  const all =
    names.length > 0 ? `all instances of the stack: ${names.join(", ")}` : "all that the stack has made";
  throw new Fault(
    `refused, the run would delete ${all}. Nothing is changed. If vnfm:vnfs was not to lose them, look at the stack ` +
      "config, and at which stack it is of; 'vnfm terminate --all' or 'pulumi destroy' deletes everything",
  );
}
