import { reaches, type Graph } from "../../kube/order/graph";
import { isProvided, providedBy } from "../../kube/order/providers";
import { madeInRun } from "./cnf";
import type { CnfPlan } from "./model";

/**
 * The order of the CNFs of one cluster: each depends on those that must be created before it and deleted after it,
 * because they contain objects to which its objects refer, CRDs of its custom resources, its storage classes, or the
 * controllers that clean up after its objects. Dependencies that would close a cycle are left out.
 * @param first instances that come before all others of their cluster. @default none
 * @param required dependencies that always apply. @default none
 * @returns the required dependencies and those of these CNFs
 */
export function cnfGraph(
  plans: readonly CnfPlan[],
  first: ReadonlySet<string> = new Set(),
  required: Graph = new Map(),
): Graph {
  const names = plans.map(({ instance }) => instance);
  const graph: Graph = new Map([...required].map(([name, before]) => [name, new Set(before)]));
  const add = (name: string, before: string): void => {
    if (!reaches(graph, before, name)) graph.get(name)?.add(before);
  };
  for (const name of names) graph.set(name, graph.get(name) ?? new Set());
  for (const name of names.filter((name) => !first.has(name)))
    for (const before of names.filter((other) => first.has(other))) add(name, before);
  const all = plans.map((plan) => {
    const objects = madeInRun(plan);
    const definitions = plan.releases.flatMap((release) => release.definitions);
    return { instance: plan.instance, objects: objects, provided: providedBy([...objects, ...definitions]) };
  });
  for (const { instance, objects, provided: own } of all) {
    for (const { instance: other, provided } of all) {
      const isUsed = other !== instance && objects.some((object) => isProvided(object, provided, own));
      if (isUsed) add(instance, other);
    }
  }
  return graph;
}

/** The instances, each after those that must come before it, otherwise in the order of the graph. */
export function inOrder(graph: Graph): string[] {
  const done = new Set<string>();
  const visit = (instance: string): void => {
    if (done.has(instance)) return;
    for (const before of graph.get(instance) ?? []) visit(before);
    done.add(instance);
  };
  for (const instance of graph.keys()) visit(instance);
  return [...done];
}
