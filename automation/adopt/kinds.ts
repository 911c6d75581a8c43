import type { KubeApi } from "../../components/kube/client/kube-api";
import { resourcesOf } from "../../components/kube/client/read";
import { at, items, text } from "../../components/kube/objects/object";
import { didYouMean } from "../../components/base/nearest";
import { UsageFault } from "../fault";

/** A kind that a cluster serves, in the version that it prefers. */
export interface AdoptableKind {
  readonly group: string;
  /** Value of `apiVersion` in its objects. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name, for paths of the API. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** All kinds of a cluster. */
export async function kindsOf(api: Pick<KubeApi, "get">): Promise<readonly AdoptableKind[]> {
  const groups = items(at(await api.get("/apis"), "groups")).flatMap((group) => {
    const [name, apiVersion] = [text(at(group, "name")), text(at(group, "preferredVersion", "groupVersion"))];
    return name === undefined || apiVersion === undefined ? [] : [{ group: name, apiVersion }];
  });
  const lists = await Promise.all(
    [{ group: "", apiVersion: "v1" }, ...groups].map(async ({ group, apiVersion }) => {
      // an API group of an extension that is down does not block the others
      const resources = await resourcesOf(api, apiVersion).catch(() => []);
      // a name with a slash is a subresource, such as the status
      return resources
        .filter(({ name }) => !name.includes("/"))
        .map(({ name, kind, namespaced = false }): AdoptableKind => ({
          group,
          apiVersion,
          kind,
          plural: name,
          namespaced,
        }));
    }),
  );
  return lists.flat();
}

/**
 * Finds a kind by its name, such as `Deployment` or, if several groups have it, `Cluster.cluster.x-k8s.io`. As for
 * kubectl, a kind of the core group needs only its name, even if other groups have a kind of that name.
 * @throws UsageFault if there is none, or several
 */
export function kindNamed(requested: string, kinds: readonly AdoptableKind[]): AdoptableKind {
  const found = kinds.filter(({ kind, group }) => requested === kind || requested === `${kind}.${group}`);
  const [one, ...others] = found;
  const ofCore = found.find(({ group }) => group === "");
  if (ofCore !== undefined) return ofCore;
  if (one === undefined) {
    const names = kinds.map(({ kind }) => kind);
    throw new UsageFault(`the cluster has no kind "${requested}"${didYouMean(requested, names)}`);
  }
  if (others.length > 0) {
    const ways = found.map(({ kind, group }) => `${kind}.${group}`).join(" or ");
    throw new UsageFault(`"${requested}" exists in several API groups: write ${ways}`);
  }
  return one;
}

/** The path of the objects of a kind on the API, or of one object. */
export function pathOf(
  { apiVersion, plural, namespaced }: AdoptableKind,
  namespace: string,
  name?: string,
): string {
  const root = `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  const place = namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${root}${place}/${plural}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
}
