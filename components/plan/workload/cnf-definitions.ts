import { definitionOf, isBuiltIn, isDefinition } from "../../kube/objects/kinds";
import { groupOf, type KubeObject } from "../../kube/objects/object";
import { madeInRun } from "./cnf";
import type { ApiKind, CnfPlan } from "./model";

/**
 * The CRDs that this stack creates on a cluster. Undefined if a chart is not known, which may contain any.
 * @param sharing all CNFs of the cluster
 * @param ofCluster objects of the cluster itself, such as those of its CNI
 */
export function definitionsBrought(
  sharing: readonly CnfPlan[],
  ofCluster: readonly KubeObject[],
): readonly KubeObject[] | undefined {
  const releases = sharing.flatMap((one) => one.releases);
  if (releases.some(({ chartPath }) => chartPath === "")) return undefined;
  const objects = [...sharing.flatMap(madeInRun), ...ofCluster];
  return [...objects.filter(isDefinition), ...releases.flatMap((release) => release.definitions)];
}

/**
 * The kinds of custom resources of a CNF that no CRD of this stack defines, without duplicates.
 * @param brought the CRDs that the stack creates on the cluster
 */
export function undefinedKinds(cnf: CnfPlan, brought: readonly KubeObject[]): ApiKind[] {
  const kinds = madeInRun(cnf)
    .filter((object) => !isBuiltIn(object) && definitionOf(object, brought) === undefined)
    .map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }] as const);
  return [...new Map(kinds).values()];
}

/**
 * Warnings about kinds that the stack does not define: the run needs their CRDs on the cluster.
 * @param path of the instance in the stack config
 */
export function definitionWarnings(path: string, kinds: readonly ApiKind[]): string[] {
  const names = kinds.map((one) => `${one.kind} (${groupOf(one)})`);
  return names.length === 0
    ? []
    : [
        `${path}: no CNF of this stack contains the CustomResourceDefinition of ${[...new Set(names)].join(", ")}: ` +
          "it must exist on the cluster",
      ];
}
