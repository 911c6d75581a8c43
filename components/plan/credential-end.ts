import { Findings, type Finding } from "../findings";
import { INSTALLATION } from "./kubeadm/installation";
import type { InstancePlan, PlannedCredential } from "./model";

/** How long before its end a credential is told: an operator has to see it, and to agree on another date. */
const DAYS_BEFORE = 28;
const DAY = 86_400_000;

export interface CredentialEnd {
  readonly hasEnded: boolean;
  readonly text: string;
}

/**
 * What is to be told of the end of an application credential. Undefined: nothing yet.
 * @param now in milliseconds, as Date has it
 */
export function credentialEnd(expiresAt: string | undefined, now: number): CredentialEnd | undefined {
  if (expiresAt === undefined) return undefined;
  const days = Math.floor((Date.parse(expiresAt) - now) / DAY);
  if (days > DAYS_BEFORE) return undefined;
  const hasEnded = days < 0;
  const when = hasEnded ? "has ended" : days === 0 ? "ends within a day" : `ends in ${days} days`;
  return {
    hasEnded,
    text: `${expiresAt} ${when}, and with it what the cluster's controllers do in the cloud; set a later time, which makes another credential`,
  };
}

/** The same of all instances: those that have ended, and those that will. */
export function credentialEnds(
  plans: readonly InstancePlan[],
  now: number,
): { readonly faults: Finding[]; readonly warnings: Finding[] } {
  const all = plans.flatMap((plan) => {
    const end = credentialEnd(credentialOf(plan)?.expiresAt, now);
    const keys = [...(plan.kind === "kubeadm" ? INSTALLATION : []), "credential", "expiresAt"];
    const place = new Findings().instance(plan.name).get(...keys);
    return end === undefined ? [] : [{ hasEnded: end.hasEnded, finding: place.finding(end.text) }];
  });
  const those = (hasEnded: boolean) =>
    all.filter((end) => end.hasEnded === hasEnded).map(({ finding }) => finding);
  return { faults: those(true), warnings: those(false) };
}

/** The credential that the controllers of an instance have. Undefined: the program makes none. */
export function credentialOf(plan: InstancePlan): PlannedCredential | undefined {
  switch (plan.kind) {
    case "servers":
    case "workload":
      return undefined;
    case "kubeadm":
    case "template":
      return plan.credential;
  }
}
