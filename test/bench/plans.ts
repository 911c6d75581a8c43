import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InstancePlan, KubeadmPlan } from "../../components/plan/model";
import { planStack } from "../../components/plan/stack";
import { parseSettings } from "../../components/settings/parse";
import { loadPackage } from "../../components/vnfd/package";
import { REPOSITORY } from "../support/command";

/** The plan of a stack's VNF instances as the program makes it; packages may be given by absolute paths. */
export function planOf(vnfs: object): InstancePlan[] {
  return planStack(parseSettings(vnfs).settings, {
    loadPackage: (location) => loadPackage(location.startsWith("/") ? location : join(REPOSITORY, location)),
    readProjectFile: (path) =>
      existsSync(join(REPOSITORY, path)) ? readFileSync(join(REPOSITORY, path), "utf8") : undefined,
  });
}

/** The kubeadm clusters among the plans. */
export function clustersOf(plans: readonly InstancePlan[]): KubeadmPlan[] {
  return plans.filter((plan) => plan.kind === "kubeadm");
}
