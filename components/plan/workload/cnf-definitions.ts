import { definitionOf, isBuiltIn, isDefinition } from "../../kube/kinds";
import { groupOf, type KubeObject } from "../../kube/object";
import { madeBy, type CnfPlan } from "./cnf";

/**
 * What a CNF has custom resources of, and nothing that this stack makes on its cluster defines: the operator should know
 * that the run needs it there. None where a chart is not known, which may bring the definition.
 *
 * @param path of the instance in the stack config
 * @param sharing all CNFs of the cluster
 * @param ofCluster objects that come with the cluster itself, as those of its CNI
 */
export function definitionWarnings(
  path: string,
  cnf: CnfPlan,
  sharing: readonly CnfPlan[],
  ofCluster: readonly KubeObject[],
): string[] {
  const releases = sharing.flatMap((one) => one.releases);
  if (releases.some(({ chartPath }) => chartPath === "")) return [];
  const definitions = [
    ...sharing.flatMap((one) => madeBy(one).map(({ object }) => object)),
    ...ofCluster,
  ].filter(isDefinition);
  const brought = [...definitions, ...releases.flatMap((release) => release.definitions)];
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
