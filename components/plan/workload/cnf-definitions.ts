import { definitionOf, isBuiltIn, isDefinition } from "../../kube/objects/kinds";
import { groupOf, type KubeObject } from "../../kube/objects/object";
import { madeInRun, type CnfPlan } from "./cnf";

/** A kind of objects, as an object names it. */
export type ApiKind = Pick<KubeObject, "apiVersion" | "kind">;

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
  const objects = [...sharing.flatMap(madeInRun), ...ofCluster];
  return [...objects.filter(isDefinition), ...releases.flatMap((release) => release.definitions)];
}

/**
 * What a CNF has custom resources of, and nothing that this stack makes on its cluster defines, each once.
 *
 * @param brought the definitions that the stack makes on the cluster
 */
export function undefinedKinds(cnf: CnfPlan, brought: readonly KubeObject[]): ApiKind[] {
  const kinds = madeInRun(cnf)
    .filter((object) => !isBuiltIn(object) && definitionOf(object, brought) === undefined)
    .map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }] as const);
  return [...new Map(kinds).values()];
}

/**
 * What the operator should know of kinds that the stack does not define: the run needs their definitions on the cluster.
 *
 * @param path of the instance in the stack config
 */
export function definitionWarnings(path: string, kinds: readonly ApiKind[]): string[] {
  const names = kinds.map((one) => `${one.kind} (${groupOf(one)})`);
  return names.length === 0
    ? []
    : [
        `${path}: no CNF of this stack brings the CustomResourceDefinition of ${[...new Set(names)].join(", ")}: ` +
          "it must be on the cluster before",
      ];
}
