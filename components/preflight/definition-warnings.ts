import { isWorkload, type InstancePlan } from "../plan/model";
import { definitionWarnings } from "../plan/workload/cnf-definitions";
import type { ApiKind } from "../plan/workload/model";

/**
 * Adds a warning to the plan of each CNF with custom resources whose CRDs are neither in this stack nor known to be on
 * its cluster. A target cluster by its kubeconfig is queried for them, as it exists before the run.
 * @param ask filters the kinds by those that a cluster, by its kubeconfig, serves. Undefined: it does not answer
 */
export async function withDefinitionWarnings(
  plans: readonly InstancePlan[],
  ask: (kubeconfig: string, kinds: readonly ApiKind[]) => Promise<readonly ApiKind[] | undefined>,
): Promise<InstancePlan[]> {
  return Promise.all(
    plans.map(async (plan) => {
      const { undefinedKinds: kinds = [] } = isWorkload(plan) ? plan.cnf : {};
      if (!isWorkload(plan) || kinds.length === 0) return plan;
      const there = plan.on.kind === "kubeconfig" ? await ask(plan.on.kubeconfig.reveal(), kinds) : undefined;
      const lacking = kinds.filter((kind) => !there?.includes(kind));
      const warnings = [...plan.cnf.warnings, ...definitionWarnings(`vnfm:vnfs.${plan.name}`, lacking)];
      return { ...plan, cnf: { ...plan.cnf, warnings } };
    }),
  );
}
