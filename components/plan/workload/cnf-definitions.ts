import { definitionOf, isBuiltIn, isDefinition } from "../../kube/kinds";
import { groupOf, type KubeObject } from "../../kube/object";
import { madeBy, type CnfPlan } from "./cnf";

/**
 * The CustomResourceDefinitions that this stack makes on a cluster. Undefined where a chart is not known, which may bring
 * any.
 *
 * @param sharing all CNFs of the cluster
 * @param ofCluster objects that come with the cluster itself, as those of its CNI
 */
export function definitionsBrought(
  sharing: readonly CnfPlan[],
  ofCluster: readonly KubeObject[],
): readonly KubeObject[] | undefined {
  const releases = sharing.flatMap((one) => one.releases);
  if (releases.some(({ chartPath }) => chartPath === "")) return undefined;
  const objects = [...sharing.flatMap((one) => madeBy(one).map(({ object }) => object)), ...ofCluster];
  return [...objects.filter(isDefinition), ...releases.flatMap((release) => release.definitions)];
}

/**
 * What a CNF has custom resources of, and nothing that this stack makes on its cluster defines: the operator should know
 * that the run needs it there.
 *
 * @param path of the instance in the stack config
 * @param brought the definitions that the stack makes on the cluster
 */
export function definitionWarnings(path: string, cnf: CnfPlan, brought: readonly KubeObject[]): string[] {
  const kinds = madeBy(cnf)
    .map(({ object }) => object)
    .filter((object) => !isBuiltIn(object) && definitionOf(object, brought) === undefined)
    .map((object) => `${object.kind} (${groupOf(object)})`);
  return kinds.length === 0
    ? []
    : [
        `${path}: no CNF of this stack brings the CustomResourceDefinition of ${[...new Set(kinds)].join(", ")}: ` +
          "it must be on the cluster before",
      ];
}
