import { apiAccess } from "../../components/kube/access/api-access";
import { whereabouts } from "../../components/kube/objects/paths";
import { KubeApi } from "../../components/kube/client/kube-api";
import { objectAt } from "../../components/kube/client/read";
import { Places } from "../stack/places";
import type { PulumiStack } from "../stack/pulumi";
import { actionsOf, type Step } from "../stack/steps";
import { vimsOf, type StackVim } from "../checks/vims";

/**
 * Which workloads that a run changes have another number of replicas by now than the last run has declared, as after
 * "kubectl scale", as lines for the operator: the declared number comes back. Their clusters are asked; where no such
 * workload changes nothing is.
 *
 * @param steps of the run's preview
 */
export async function replicasByHand(stack: PulumiStack, steps: readonly Step[]): Promise<readonly string[]> {
  const places = new Places(steps);
  const changed = [...actionsOf(steps)]
    .filter(([{ replicas }, action]) => action === "update" && replicas !== undefined)
    .map(([step]) => step);
  if (changed.length === 0) return [];
  const vims = vimsOf(await stack.plainState());
  const lines = changed.map(async (step) => {
    const { vnf = "" } = places.of(step);
    const vim = vims.find(({ vnfs }) => vnfs.includes(vnf));
    const line = await differenceOf(step, vim).catch(
      (error: Error) => `the present replicas of ${step.object} cannot be asked for: ${error.message}`,
    );
    return line === undefined ? [] : [`${vnf}: ${line}`];
  });
  return (await Promise.all(lines)).flat();
}

async function differenceOf(step: Step, vim: StackVim | undefined): Promise<string | undefined> {
  const path = pathOf(step);
  if (vim === undefined || path === undefined) return undefined;
  const object: unknown = await objectAt(new KubeApi(apiAccess(vim.kubeconfig)), path);
  const { spec } = object as { readonly spec: { readonly replicas?: number } };
  const [last, next] = step.replicas ?? [];
  if (spec.replicas === last || spec.replicas === next) return undefined;
  return `${step.object} has ${spec.replicas ?? "no number of"} replicas, which this stack has not set; it gets ${next}`;
}

/** Where on the API the object of a step is: its type is `kubernetes:<apiVersion>:<kind>`. */
function pathOf({ type, object = "" }: Step): string | undefined {
  const [, apiVersion = "", kind = ""] = type.split(":");
  const [namespace, name] = object.slice(kind.length + 1).split("/");
  if (name === undefined || namespace === undefined) return undefined;
  const { path } = whereabouts({ apiVersion, kind, metadata: { name, namespace } }, namespace);
  return path as string | undefined;
}
