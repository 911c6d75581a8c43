// @ts-check
// Objects of others that go with a CustomResourceDefinition or a Namespace. An object is not of others where it, or each
// of its owners in the end, is of the CNFs that are asked for.
"use strict";
const { OddAnswer, shaped } = require("../../base/net/answer.cjs");
const { ApiError } = require("./kube-api.cjs");
const { METADATA, rootOf } = require("./read.cjs");
const { pathOf, UnknownKind } = require("./whereabouts.cjs");

/** How many objects a page of a list has, and how many pages of it are read. */
const PAGE = 500;
const PAGES = 20;
/** How many owners of owners are followed. */
const GENERATIONS = 10;
/** How many lists are read at a time. */
const AT_A_TIME = 8;
/** How many kinds and namespaces a message names. */
const SHOWN = 10;

/** Fields of the answers that are read, beside those of each list. */
const GROUP = /** @type {const} */ ({ preferredVersion: { version: "text" } });
const PAGE_OF_LIST = /** @type {const} */ ({ metadata: { continue: "text" } });

const OWN_RELEASE = ["meta.helm.sh/release-namespace", "meta.helm.sh/release-name"];

/** Kinds that say something of other objects, or are made and made again by whoever needs them. */
const OF_OTHER_OBJECTS = new Set([
  "/Endpoints",
  "/Event",
  "coordination.k8s.io/Lease",
  "discovery.k8s.io/EndpointSlice",
  "events.k8s.io/Event",
  "metrics.k8s.io/PodMetrics",
]);

const RESOURCE = /** @type {const} */ ({ name: "text", kind: "text", namespaced: "flag" });

/** Objects that each Namespace gets. */
const OF_EACH_NAMESPACE = new Set(["/ConfigMap/kube-root-ca.crt", "/ServiceAccount/default"]);

/**
 * Names of CustomResourceDefinitions and of Namespaces.
 * @typedef {{ readonly definitions: readonly string[], readonly namespaces: readonly string[] }} Holders
 */

/**
 * Marks that make an object that of a CNF. `annotation`: the key of the one that names its owner. `releases`: Helm releases, as
 * `<namespace>/<name>`. `named`: identities of Secrets, ConfigMaps and claims that the CNFs' objects name, `*` at the end
 * of one being any text. `settingsOf`: the instance whose setting lets objects of others go. `kept`: identities of objects that are to stay though the CNFs have made them.
 * @typedef {{
 *   readonly annotation: string,
 *   readonly owners: readonly string[],
 *   readonly releases: readonly string[],
 *   readonly named: readonly string[],
 *   readonly settingsOf: string,
 *   readonly kept?: readonly string[],
 * }} Own
 */

/**
 * @typedef {Pick<import("./kube-api.cjs").KubeApi, "access" | "get" | "metadataList">} Api
 * @typedef {{ group: string, plural: string, kind: string, namespaced: boolean, versions: string[] }} Resource
 * @typedef {{ group: string, kind: string, metadata: any }} Found
 */

/**
 * Names each holder that has objects of others, with their number, kinds and namespaces; in the end what to do about it.
 * @param {Api} api @param {Holders} holders @param {Own} own
 * @returns {Promise<string[]>}
 */
async function foreignObjects(api, { definitions, namespaces }, own) {
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
    others.length === 0 ? [] : [`${holder} takes ${shown(others)} of others with it`],
  );
  return found.length === 0 ? [] : [...found, adviceOf(own.settingsOf)];
}

/** @param {string} instance */
function adviceOf(instance) {
  return (
    "Have these objects moved or deleted by those who made them. If they may go: leave the CNF as it was, set " +
    `protectForeignObjects of ${instance} to false, run 'pulumi up', and then repeat this: see 'Objects of others' in ` +
    "docs/terminate.md"
  );
}

/** Each answer is asked for once. @param {Api} api @returns {Api} */
function remembering(api) {
  /** @type {Map<string, Promise<any>>} */
  const answers = new Map();
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

/** The name of a definition is `<plural>.<group>`. @param {Api} api @param {string} name @returns {Promise<Found[]>} */
async function customResources(api, name) {
  const [plural = "", ...group] = name.split(".");
  const found = (await resourcesOf(api, group.join("."))).find((one) => one.plural === plural);
  return found === undefined ? [] : list(api, found);
}

/** @param {Api} api @param {string} namespace @returns {Promise<Found[]>} each once, whatever groups have it */
async function objectsIn(api, namespace) {
  const groups = listOf(await api.get("/apis"), "groups", { name: "text" });
  const names = ["", ...groups.map(({ name }) => name)];
  const resources = (await each(names, (group) => resourcesOf(api, group))).flat();
  const wanted = resources.filter(
    ({ group, kind, namespaced }) => namespaced && !OF_OTHER_OBJECTS.has(`${group}/${kind}`),
  );
  const all = (await each(wanted, (resource) => list(api, resource, namespace))).flat();
  return [...new Map(all.map((object) => [object.metadata.uid, object])).values()];
}

/** Kinds of an API group that can be listed. @param {Api} api @param {string} group @returns {Promise<Resource[]>} */
async function resourcesOf(api, group) {
  /** @type {Map<string, Resource>} */
  const found = new Map();
  for (const version of await versionsOf(api, group)) {
    const answer = await unlessGone(api.get(rootOf(apiVersionOf(group, version))), { resources: [] });
    const resources = listOf(answer, "resources", RESOURCE);
    for (const { name: plural, kind, namespaced, verbs } of resources) {
      if (plural.includes("/") || !(Array.isArray(verbs) && verbs.includes("list"))) continue;
      /** @type {Resource} */
      const known = found.get(plural) ?? { group, plural, kind, namespaced, versions: [] };
      known.versions.push(version);
      found.set(plural, known);
    }
  }
  return [...found.values()];
}

/** @param {Api} api @param {string} group @returns {Promise<string[]>} the preferred one first */
async function versionsOf(api, group) {
  if (group === "") return ["v1"];
  const answer = await unlessGone(api.get(`/apis/${encodeURIComponent(group)}`), { versions: [] });
  /** @type {string[]} */
  const versions = listOf(answer, "versions", { version: "text" }).map(({ version }) => version);
  const names = [shaped(answer, GROUP).preferredVersion?.version, ...versions];
  return [...new Set(names.filter(Boolean))];
}

/** @param {string} group @param {string} version */
function apiVersionOf(group, version) {
  return group === "" ? version : `${group}/${version}`;
}

/**
 * The objects of a kind, those aside that are being deleted. Any version that is served does: where the webhook that
 * converts objects is gone, the one that they are stored in is answered.
 * @param {Api} api @param {Resource} resource @param {string} [namespace] @returns {Promise<Found[]>}
 */
async function list(api, { group, plural, kind, versions }, namespace) {
  const place = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  /** @type {unknown} */
  let failure;
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

/** @param {Api} api @param {string} path @returns {Promise<any[]>} metadata */
async function pages(api, path) {
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

/** @param {Api} api @param {Found[]} objects @param {Own} own @returns {Promise<Found[]>} */
async function othersOf(api, objects, own) {
  const ends = await each(objects, async (object) => ((await isOwn(api, object, own)) ? [] : [object]));
  return ends.flat();
}

/**
 * Returns true for an object that goes with the CNFs in any case.
 * @param {Api} api @param {Found} object @param {Own} own @param {number} [generations] @returns {Promise<boolean>}
 */
async function isOwn(api, { group, kind, metadata }, own, generations = GENERATIONS) {
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

/** @param {string} id @param {readonly string[]} named */
function isNamed(id, named) {
  return named.some((name) => (name.endsWith("*") ? id.startsWith(name.slice(0, -1)) : id === name));
}

/**
 * @param {Api} api @param {any} reference @param {string} namespace of the object that it owns
 * @returns {Promise<Found | undefined>} undefined where it is gone
 */
async function ownerOf(api, { apiVersion, kind, name, uid }, namespace) {
  try {
    const path = await pathOf(api, { apiVersion, kind, name, ...(namespace !== "" && { namespace }) });
    const { metadata } = /** @type {{ metadata?: any }} */ (await api.get(path));
    if (metadata?.uid !== uid) return undefined;
    const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
    return { group, kind, metadata };
  } catch (error) {
    if (error instanceof UnknownKind || (error instanceof ApiError && error.status === 404)) return undefined;
    throw error;
  }
}

/** `3 objects (2 Widget in namespace a, 1 Widget in namespace b)`. @param {Found[]} objects */
function shown(objects) {
  /** @type {Map<string, number>} */
  const counts = new Map();
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
 * The list in an answer: one without it says nothing, and least of all that there are no objects. The same holds for an
 * item that lacks one of its fields.
 * @param {any} answer @param {string} key @param {import("../../base/net/answer.cjs").MapShape} shape of the items
 * @returns {any[]}
 */
function listOf(answer, key, shape) {
  const list = answer?.[key];
  // as Go writes an empty list
  if (list === null && /List$/.test(answer.kind)) return [];
  if (!Array.isArray(list)) throw new OddAnswer(`the Kubernetes API answers without a list of ${key}`);
  return list.map((item) => {
    const typed = shaped(item, shape);
    if (Object.keys(shape).every((field) => typed?.[field] !== undefined)) return typed;
    throw new OddAnswer(`the Kubernetes API answers with something else in its list of ${key}`);
  });
}

/** @param {Promise<any>} answer @param {any} none in place of what is not there @returns {Promise<any>} */
async function unlessGone(answer, none) {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return none;
    throw error;
  }
}

/**
 * The answers for all, in their order.
 * @template T, R
 * @param {readonly T[]} all @param {(one: T) => Promise<R>} ask @returns {Promise<R[]>}
 */
async function each(all, ask) {
  /** @type {R[]} */
  const answers = [];
  for (let i = 0; i < all.length; i += AT_A_TIME)
    answers.push(...(await Promise.all(all.slice(i, i + AT_A_TIME).map(ask))));
  return answers;
}

module.exports = { foreignObjects };
