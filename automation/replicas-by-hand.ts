import { KubeApi, type Access } from "../components/cnf/scripts/kube-api.cjs";
import { whereabouts } from "../components/cnf/paths";
import { scriptsOf } from "./checks";
import { Places } from "./places";
import type { PulumiStack } from "./pulumi";
import type { State } from "./state";
import { actionsOf, type Step } from "./steps";

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
  const state = await stack.exportPlain();
  const lines = changed.map(async (step) => {
    const { vnf = "" } = places.of(step);
    const line = await differenceOf(step, accessOf(state, vnf)).catch(
      (error: Error) => `the present replicas of ${step.object} cannot be asked for: ${error.message}`,
    );
    return line === undefined ? [] : [`${vnf}: ${line}`];
  });
  return (await Promise.all(lines)).flat();
}

async function differenceOf(step: Step, access: Access | undefined): Promise<string | undefined> {
  const path = pathOf(step);
  if (access === undefined || path === undefined) return undefined;
  const { spec } = (await new KubeApi(access).get(path)) as { spec: { replicas: number } };
  const [last, next] = step.replicas ?? [];
  if (spec.replicas === last || spec.replicas === next) return undefined;
  return `${step.object} has ${spec.replicas} replicas, which this stack has not set; it gets ${next}`;
}

/** Where on the API the object of a step is: its type is `kubernetes:<apiVersion>:<kind>`. */
function pathOf({ type, object = "" }: Step): string | undefined {
  const [, apiVersion = "", kind = ""] = type.split(":");
  const [namespace, name] = object.slice(kind.length + 1).split("/");
  if (name === undefined || namespace === undefined) return undefined;
  const { path } = whereabouts({ apiVersion, kind, metadata: { name, namespace } }, namespace);
  return path as string | undefined;
}

/** The cluster of a CNF and who asks it, as the last run has had them. */
function accessOf(state: State, vnf: string): Access | undefined {
  const stdin = scriptsOf(state, vnf).find(({ step }) => step === "unclaimed")?.stdin;
  return stdin === undefined ? undefined : (JSON.parse(stdin) as { access: Access }).access;
}
