import { Findings, type Place } from "../base/findings";
import { INSTALLATION } from "./kubeadm/installation";
import type { InstancePlan, PlannedCredential } from "./model";

/** The credential that the controllers of an instance use. Undefined: none is created. */
export function credentialOf(plan: InstancePlan): PlannedCredential | undefined {
  switch (plan.kind) {
    case "servers":
    case "cnf":
      return undefined;
    case "kubeadm":
    case "template":
      return plan.credential;
  }
}

/** The setting of an instance's credential. */
export function credentialPlace({ kind, name }: InstancePlan): Place {
  return new Findings().instance(name).get(...(kind === "kubeadm" ? INSTALLATION : []), "credential");
}
