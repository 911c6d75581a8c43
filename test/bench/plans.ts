import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InstancePlan, KubeadmPlan } from "../../components/plan/model";
import { planStack } from "../../components/plan/stack";
import { parseSettings } from "../../components/settings/parse";
import { loadPackage } from "../../components/vnfd/package";
import { REPOSITORY } from "../support/command";

/** Plans a stack's VNF instances, as the program does. Packages may have absolute paths. */
export function planOf(vnfs: object): InstancePlan[] {
  return planStack(parseSettings(vnfs).settings, {
    loadPackage: (location) => loadPackage(location.startsWith("/") ? location : join(REPOSITORY, location)),
    readProjectFile: (path) =>
      existsSync(join(REPOSITORY, path)) ? readFileSync(join(REPOSITORY, path), "utf8") : undefined,
  });
}

/** Returns the kubeadm clusters among the plans. */
export function clustersOf(plans: readonly InstancePlan[]): KubeadmPlan[] {
  return plans.filter((plan) => plan.kind === "kubeadm");
}
