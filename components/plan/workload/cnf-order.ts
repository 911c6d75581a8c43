import { reaches, type Graph } from "../../kube/graph";
import { definitionOf, isBuiltIn, isDefinition } from "../../kube/kinds";
import type { CnfPlan } from "./cnf";

/**
 * The CNFs of one cluster, and those of them that come before each: they bring the definitions of its custom
 * resources, and the controllers, which have to outlive those. What would close a circle is left out.
 */
export function cnfGraph(plans: readonly CnfPlan[]): Graph {
  const graph: Graph = new Map(plans.map(({ instance }) => [instance, new Set<string>()]));
  const definitions = new Map(
    plans.map(({ instance, objects }) => [
      instance,
      objects.map(({ object }) => object).filter(isDefinition),
    ]),
  );
  for (const { instance, objects } of plans) {
    const custom = objects.map(({ object }) => object).filter((object) => !isBuiltIn(object));
    for (const [other, theirs] of definitions) {
      const isUsed = custom.some((object) => definitionOf(object, theirs) !== undefined);
      if (other !== instance && isUsed && !reaches(graph, other, instance)) graph.get(instance)?.add(other);
    }
  }
  return graph;
}

/** The instances, each after those that come before it, otherwise in the order of the graph. */
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
