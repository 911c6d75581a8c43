import { ApiError, type KubeApi } from "../../components/kube/client/kube-api";
import { objectsAt, wholeObjectAt } from "../../components/kube/client/read";
import { CLUSTER_API, isCluster } from "../../components/kube/objects/cluster-api";
import { identityOf, shown, type KubeObject } from "../../components/kube/objects/object";
import { Fault, UsageFault } from "../fault";
import { kindNamed, kindsOf, pathOf, type AdoptableKind } from "./kinds";
import { isDeclaredPart, PARTS_OF_CLUSTER, referencesOf, unadoptable } from "./related";

/** An existing object of a cluster, with its path. */
export interface ExistingObject {
  readonly object: KubeObject;
  /** Path on the API. */
  readonly path: string;
}

/**
 * Reads objects of a cluster. For a Cluster of Cluster API it also reads all objects that were declared for it: its
 * references, its sets of machines and their references.
 * @param names each `<kind>/<name>`
 * @throws UsageFault if one does not exist, Fault if it cannot be adopted or the API does not answer
 */
export async function readObjects(
  api: Pick<KubeApi, "get">,
  namespace: string,
  names: readonly string[],
): Promise<readonly ExistingObject[]> {
  const kinds = await kindsOf(api).catch((error: Error) => {
    throw new Fault(error.message);
  });
  const found = new Map<string, ExistingObject>();
  const add = async (kind: AdoptableKind, name: string): Promise<void> => {
    const path = pathOf(kind, namespace, name);
    const object = await read(api, path, `${kind.kind} ${kind.namespaced ? `${namespace}/` : ""}${name}`);
    if (found.has(identityOf(object))) return;
    found.set(identityOf(object), { object, path });
    const problem = unadoptable(object);
    if (problem !== undefined) throw new Fault(`${shown(object)} ${problem}: it cannot be adopted`);
    for (const { group, kind: kindName, name: other } of referencesOf(object))
      await add(kindNamed(`${kindName}.${group}`, kinds), other);
    if (isCluster(object))
      for (const part of await partsOf(api, object, kinds)) await add(part.kind, part.name);
  };
  for (const one of names) {
    const [kind = "", name = ""] = one.split("/");
    await add(kindNamed(kind, kinds), name);
  }
  return [...found.values()];
}

async function read(api: Pick<KubeApi, "get">, path: string, what: string): Promise<KubeObject> {
  try {
    return (await wholeObjectAt(api, path)) as KubeObject;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new UsageFault(`the cluster has no ${what}`);
    throw new Fault(`${what}: ${(error as Error).message}`);
  }
}

async function partsOf(
  api: Pick<KubeApi, "get">,
  cluster: KubeObject,
  kinds: readonly AdoptableKind[],
): Promise<readonly { readonly kind: AdoptableKind; readonly name: string }[]> {
  const known = kinds.filter(({ group, kind }) => group === CLUSTER_API && PARTS_OF_CLUSTER.includes(kind));
  const lists = await Promise.all(
    known.map(async (kind) => {
      const path = pathOf(kind, cluster.metadata.namespace ?? "default");
      // the items of a list do not contain the kind
      return ((await objectsAt(api, path)) as readonly KubeObject[])
        .map((item) => ({ ...item, kind: kind.kind, apiVersion: kind.apiVersion }))
        .filter((item) => isDeclaredPart(item, cluster))
        .map(({ metadata }) => ({ kind, name: metadata.name ?? "" }));
    }),
  );
  return lists.flat();
}
