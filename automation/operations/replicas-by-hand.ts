import { apiAccess } from "../../components/kube/access/api-access";
import { whereabouts } from "../../components/kube/objects/paths";
import { KubeApi } from "../../components/kube/client/kube-api";
import { objectAt } from "../../components/kube/client/read";
import { Places } from "../stack/places";
import type { StackState } from "../stack/stack-state";
import { actionsOf, type Step } from "../stack/steps";
import { vimsOf, type StackVim } from "../checks/vims";

/**
 * Warnings about workloads that a run changes, and whose replicas differ from those of the last run, for example after
 * "kubectl scale": the run restores the declared number. Only clusters with such workloads are queried.
 * @param steps of the run's preview
 * @param state returns the state of the last run
 */
export async function replicasByHand(
  steps: readonly Step[],
  state: () => Promise<StackState>,
): Promise<readonly string[]> {
  const places = new Places(steps);
  const changed = [...actionsOf(steps)]
    .filter(([{ replicas }, action]) => action === "update" && replicas !== undefined)
    .map(([step]) => step);
  if (changed.length === 0) return [];
  const vims = vimsOf(await state());
  const lines = changed.map(async (step) => {
    const { vnf = "" } = places.of(step);
    const vim = vims.find(({ vnfs }) => vnfs.includes(vnf));
    const line = await differenceOf(step, vim).catch(
      (error: Error) => `the present replicas of ${step.object} cannot be queried: ${error.message}`,
    );
    return line === undefined ? [] : [`${vnf}: ${line}`];
  });
  return (await Promise.all(lines)).flat();
}

async function differenceOf(step: Step, vim: StackVim | undefined): Promise<string | undefined> {
  if (vim === undefined || step.reference?.namespace === undefined) return undefined;
  const { apiVersion, kind, name, namespace } = step.reference;
  const { path } = whereabouts({ apiVersion, kind, metadata: { name, namespace } }, namespace);
  const object: unknown = await objectAt(new KubeApi(apiAccess(vim.kubeconfig)), path as string);
  const { spec } = object as { readonly spec: { readonly replicas?: number } };
  const [last, next] = step.replicas ?? [];
  if (spec.replicas === last || spec.replicas === next) return undefined;
  return `${step.object} has ${spec.replicas ?? "no number of"} replicas, which were not set by this stack; it gets ${next}`;
}
