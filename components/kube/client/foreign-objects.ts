/**
 * Finds objects that the stack did not create, and that would be deleted with a CustomResourceDefinition or a
 * Namespace. An object belongs to the requested CNFs by its own metadata, or if all its owners belong to them.
 */
import { OddAnswer, shaped, type MapShape } from "../../base/net/answer";
import { ApiError, type KubeApi } from "./kube-api";
import { METADATA, rootOf } from "./read";
import { pathOf, UnknownKind } from "./whereabouts";

/** Number of objects per page of a list, and maximum number of pages. */
const PAGE = 500;
const PAGES = 20;
/** Maximum depth of owners that are followed. */
const GENERATIONS = 10;
/** Number of lists that are read in parallel. */
const AT_A_TIME = 8;
/** Number of kinds and namespaces that a message names. */
const SHOWN = 10;

/** Fields that are read from an API group, in addition to those of each list. */
const GROUP = { preferredVersion: { version: "text" } } as const;
const PAGE_OF_LIST = { metadata: { continue: "text" } } as const;

const OWN_RELEASE = ["meta.helm.sh/release-namespace", "meta.helm.sh/release-name"];

/** Kinds that describe other objects, or that controllers re-create when they need them. */
const OF_OTHER_OBJECTS = new Set([
  "/Endpoints",
  "/Event",
  "coordination.k8s.io/Lease",
  "discovery.k8s.io/EndpointSlice",
  "events.k8s.io/Event",
  "metrics.k8s.io/PodMetrics",
]);

const RESOURCE = { name: "text", kind: "text", namespaced: "flag" } as const;

/** Objects that Kubernetes creates in each Namespace. */
const OF_EACH_NAMESPACE = new Set(["/ConfigMap/kube-root-ca.crt", "/ServiceAccount/default"]);

/** Names of CustomResourceDefinitions and of Namespaces. */
export type Holders = { readonly definitions: readonly string[]; readonly namespaces: readonly string[] };

/**
 * Properties by which an object belongs to CNFs. `annotation`: key of the annotation with its owner. `releases`: Helm
 * releases, as `<namespace>/<name>`. `named`: identities of Secrets, ConfigMaps and PVCs that the CNFs' objects name; a
 * `*` at the end matches any text. `settingsOf`: the instance whose setting allows the deletion of foreign objects.
 * `kept`: identities of objects of the CNFs that must stay.
 */
export type Own = {
  readonly annotation: string;
  readonly owners: readonly string[];
  readonly releases: readonly string[];
  readonly named: readonly string[];
  readonly settingsOf: string;
  readonly kept?: readonly string[];
};

type Api = Pick<KubeApi, "access" | "get" | "metadataList">;
type Resource = {
  group: string;
  plural: string;
  kind: string;
  namespaced: boolean;
  versions: string[];
};
type Found = { group: string; kind: string; metadata: any };

/**
 * Describes each CRD or Namespace with objects that the stack did not create: their number, kinds and namespaces, and
 * at the end what to do.
 */
export async function foreignObjects(
  api: Api,
  { definitions, namespaces }: Holders,
  own: Own,
): Promise<string[]> {
  const known = remembering(api);
  const ofDefinitions = await each(definitions, async (name) => {
    const others = await othersOf(known, await customResources(known, name), own);
    return { holder: `CustomResourceDefinition ${name}`, others };
  });
  const ofNamespaces = await each(namespaces, async (name) => {
    const others = await othersOf(known, await objectsIn(known, name), own);
    return { holder: `Namespace ${name}`, others };
  });
  const found = [...ofDefinitions, ...ofNamespaces].flatMap(({ holder, others }) =>
    others.length === 0 ? [] : [`${holder} would also delete ${shown(others)} of others`],
  );
  return found.length === 0 ? [] : [...found, adviceOf(own.settingsOf)];
}

function adviceOf(instance: string) {
  return (
    "Their owners should move or delete these objects first. If they can be deleted: restore the CNF's settings, set " +
    `protectForeignObjects of ${instance} to false, run 'pulumi up', and then repeat the change: see 'Objects of others' in ` +
    "docs/terminate.md"
  );
}

/** An API that caches answers, so that each query is sent once. */
function remembering(api: Api): Api {
  const answers: Map<string, Promise<any>> = new Map();
  return {
    access: api.access,
    metadataList: (path) => api.metadataList(path),
    get(path) {
      const answer = answers.get(path) ?? api.get(path);
      answers.set(path, answer);
      return answer;
    },
  };
}

/** Lists the custom resources of a CRD. @param name name of the CRD: `<plural>.<group>` */
async function customResources(api: Api, name: string): Promise<Found[]> {
  const [plural = "", ...group] = name.split(".");
  const found = (await resourcesOf(api, group.join("."))).find((one) => one.plural === plural);
  return found === undefined ? [] : list(api, found);
}

/** Lists all objects of a Namespace. @returns each object once, even if several API groups serve it */
async function objectsIn(api: Api, namespace: string): Promise<Found[]> {
  const groups = listOf(await api.get("/apis"), "groups", { name: "text" });
  const names = ["", ...groups.map(({ name }) => name)];
  const resources = (await each(names, (group) => resourcesOf(api, group))).flat();
  const listed = resources.filter(
    ({ group, kind, namespaced }) => namespaced && !OF_OTHER_OBJECTS.has(`${group}/${kind}`),
  );
  const all = (await each(listed, (resource) => list(api, resource, namespace))).flat();
  return [...new Map(all.map((object) => [object.metadata.uid, object])).values()];
}

/** Kinds of an API group that can be listed. */
async function resourcesOf(api: Api, group: string): Promise<Resource[]> {
  const found: Map<string, Resource> = new Map();
  for (const version of await versionsOf(api, group)) {
    const answer = await unlessGone(api.get(rootOf(apiVersionOf(group, version))), { resources: [] });
    const resources = listOf(answer, "resources", RESOURCE);
    for (const { name: plural, kind, namespaced, verbs } of resources) {
      if (plural.includes("/") || !(Array.isArray(verbs) && verbs.includes("list"))) continue;
      const known: Resource = found.get(plural) ?? { group, plural, kind, namespaced, versions: [] };
      known.versions.push(version);
      found.set(plural, known);
    }
  }
  return [...found.values()];
}

/** @returns the versions of an API group, the preferred one first */
async function versionsOf(api: Api, group: string): Promise<string[]> {
  if (group === "") return ["v1"];
  const answer = await unlessGone(api.get(`/apis/${encodeURIComponent(group)}`), { versions: [] });
  const versions: string[] = listOf(answer, "versions", { version: "text" }).map(({ version }) => version);
  const names = [shaped(answer, GROUP).preferredVersion?.version, ...versions];
  return [...new Set(names.filter(Boolean))];
}

function apiVersionOf(group: string, version: string) {
  return group === "" ? version : `${group}/${version}`;
}

/**
 * Lists the objects of a kind, except those that are being deleted. Each served version is tried: without the
 * conversion webhook, the API answers only for the version in which objects are stored.
 */
async function list(
  api: Api,
  { group, plural, kind, versions }: Resource,
  namespace?: string,
): Promise<Found[]> {
  const place = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  let failure: unknown;
  for (const version of versions) {
    try {
      const all = await pages(
        api,
        `${rootOf(apiVersionOf(group, version))}${place}/${encodeURIComponent(plural)}`,
      );
      return all
        .filter(({ deletionTimestamp }) => deletionTimestamp === undefined)
        .map((metadata) => ({ group, kind, metadata }));
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Lists a collection page by page. Each element has the metadata of one object, and nothing else. */
async function pages(api: Api, path: string): Promise<any[]> {
  const all = [];
  let token = "";
  for (let page = 0; page < PAGES; page++) {
    const query = `?limit=${PAGE}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
    const answer = await unlessGone(api.metadataList(path + query), { items: [] });
    all.push(...listOf(answer, "items", { metadata: METADATA }).map(({ metadata }) => metadata));
    token = shaped(answer, PAGE_OF_LIST).metadata?.continue ?? "";
    if (token === "") break;
  }
  return all;
}

async function othersOf(api: Api, objects: Found[], own: Own): Promise<Found[]> {
  const ends = await each(objects, async (object) => ((await isOwn(api, object, own)) ? [] : [object]));
  return ends.flat();
}

/** Returns true for an object that belongs to the CNFs. */
async function isOwn(
  api: Api,
  { group, kind, metadata }: Found,
  own: Own,
  generations: number = GENERATIONS,
): Promise<boolean> {
  const { annotations = {}, labels = {}, ownerReferences = [], namespace = "", name } = metadata;
  const id = [group, kind, namespace, name].join("/");
  const release = OWN_RELEASE.map((key) => annotations[key]).join("/");
  if (own.owners.includes(annotations[own.annotation]) || own.releases.includes(release))
    return !own.kept?.includes(id);
  if (OF_EACH_NAMESPACE.has(`${group}/${kind}/${name}`) || isNamed(id, own.named)) return true;
  if (id.startsWith("/Secret/")) {
    if (annotations["kubernetes.io/service-account.name"] !== undefined) return true;
    // where Helm keeps a release
    if (labels.owner === "helm" && own.releases.includes(`${namespace}/${labels.name}`)) return true;
  }
  if (ownerReferences.length === 0 || generations === 0) return false;
  for (const reference of ownerReferences) {
    const owner = await ownerOf(api, reference, namespace);
    if (owner === undefined || !(await isOwn(api, owner, own, generations - 1))) return false;
  }
  return true;
}

function isNamed(id: string, named: readonly string[]) {
  return named.some((name) => (name.endsWith("*") ? id.startsWith(name.slice(0, -1)) : id === name));
}

/**
 * @param namespace namespace of the owned object
 * @returns undefined if the owner no longer exists
 */
async function ownerOf(
  api: Api,
  { apiVersion, kind, name, uid }: any,
  namespace: string,
): Promise<Found | undefined> {
  try {
    const path = await pathOf(api, { apiVersion, kind, name, ...(namespace !== "" && { namespace }) });
    const { metadata } = (await api.get(path)) as { metadata?: any };
    if (metadata?.uid !== uid) return undefined;
    const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
    return { group, kind, metadata };
  } catch (error) {
    if (error instanceof UnknownKind || (error instanceof ApiError && error.status === 404)) return undefined;
    throw error;
  }
}

/** Summarises objects: `3 objects (2 Widget in namespace a, 1 Widget in namespace b)`. */
function shown(objects: Found[]) {
  const counts: Map<string, number> = new Map();
  for (const { kind, metadata } of objects) {
    const what = metadata.namespace === undefined ? kind : `${kind} in namespace ${metadata.namespace}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const all = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([what, count]) => `${count} ${what}`);
  const more = all.length > SHOWN ? [`${all.length - SHOWN} more`] : [];
  const number = objects.length === 1 ? "1 object" : `${objects.length} objects`;
  return `${number} (${[...all.slice(0, SHOWN), ...more].join(", ")})`;
}

/**
 * Returns the list in an answer. An answer without a list, or with an item that lacks a field, is an error: it does not
 * mean that there are no objects.
 * @param shape shape of the items
 */
function listOf(answer: any, key: string, shape: MapShape): any[] {
  const list = answer?.[key];
  // as Go writes an empty list
  if (list === null && /List$/.test(answer.kind)) return [];
  if (!Array.isArray(list)) throw new OddAnswer(`the Kubernetes API responded without a list of ${key}`);
  return list.map((item) => {
    const typed = shaped(item, shape);
    if (Object.keys(shape).every((field) => typed?.[field] !== undefined)) return typed;
    throw new OddAnswer(
      `the Kubernetes API responded with something other than objects in its list of ${key}`,
    );
  });
}

/** Awaits an answer. @param none the result if the object does not exist */
async function unlessGone(answer: Promise<any>, none: any): Promise<any> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return none;
    throw error;
  }
}

/** Calls `ask` for each element, some in parallel. Returns the results in the order of the elements. */
async function each<T, R>(all: readonly T[], ask: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let i = 0; i < all.length; i += AT_A_TIME)
    answers.push(...(await Promise.all(all.slice(i, i + AT_A_TIME).map(ask))));
  return answers;
}
