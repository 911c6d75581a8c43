import { isWorkload, type InstancePlan } from "../plan/model";
import { definitionWarnings, type ApiKind } from "../plan/workload/cnf-definitions";

/**
 * The plans, with a warning for each CNF that needs definitions which are neither of this stack nor known to be on its
 * cluster. A cluster that is given by its kubeconfig is asked for them, as it is there before the run.
 *
 * @param ask a cluster, by its kubeconfig, for those of the kinds that it has. Undefined: it does not answer
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
