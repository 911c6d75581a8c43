// @ts-check
// Fails where objects are on the cluster already that others have made, and names them all. Standard input has
// the credentials, the annotations that the owner's objects have, and where they would be. Where all is well it
// prints what it has found free; PULUMI_COMMAND_STDOUT has that of the time before, which is the owner's by now.
"use strict";
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { setTimeout: sleep } = require("node:timers/promises");
const { ApiError, isPassing, KubeApi } = require("./kube-api.cjs");
const { pathOf, UnknownKind } = require("./whereabouts.cjs");

/** How long the cluster may be out of reach. */
const PATIENCE_MS = 30_000;

/**
 * @typedef {import("./whereabouts.cjs").Whereabouts & { shown: string, shared: boolean }} Planned
 * @typedef {readonly [key: string, value: string]} Annotation
 * @typedef {{ owner: Annotation, manager: Annotation }} Owner
 * @typedef {Owner & { access: import("./kube-api.cjs").Access, objects: Planned[] }} Input
 */

/** @param {Input} input @param {readonly string[]} before @returns {Promise<string[]>} */
async function refuseClaimed({ access, owner, manager, objects }, before) {
  const api = new KubeApi(access);
  const { server, "certificate-authority-data": ca } = access.cluster;
  const marked = objects.map((object) => ({
    object,
    mark: markOf([server, ca, access.namespace, owner, object]),
  }));
  const claims = [];
  for (const { object, mark } of marked) {
    if (before.includes(mark)) continue;
    const metadata = await metadataOf(api, object);
    if (metadata !== undefined && isClaimed(metadata, { owner, manager }, object))
      claims.push(`${object.shown} is on the cluster already${madeBy(metadata)}`);
  }
  if (claims.length === 0) return marked.map(({ mark }) => mark);
  throw new Error(
    [
      ...claims,
      `${owner[1]} would change what is not its own, and delete it in the end. Take it out of the manifests, give it ` +
        "another namespace or name, delete it yourself, or have it taken over: see 'An object that is there already' " +
        "in docs/deploy-a-cnf.md",
    ].join("\n"),
  );
}

/**
 * Whether an object is another's.
 * @param {any} metadata of what is there @param {Owner} its @param {Planned} object
 */
function isClaimed(
  { annotations = {} },
  { owner: [key, owner], manager: [managerKey, manager] },
  { shared },
) {
  const known = annotations[key];
  if (known !== undefined) return known !== owner;
  // the stack's own had no owner once
  return !shared && annotations[managerKey] !== manager;
}

/** Changes with what is asked. @param {unknown} question */
function markOf(question) {
  return createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 16);
}

/** Who tells its status aside. @param {any} metadata */
function madeBy({ managedFields = [] }) {
  const makers = managedFields.filter((/** @type {any} */ { subresource }) => !subresource);
  const managers = new Set(makers.map((/** @type {any} */ { manager }) => manager));
  return managers.size === 0 ? "" : `, made or changed by ${[...managers].join(", ")}`;
}

/**
 * Of an object that is there. One that may not be read may not be changed either, as the Kubernetes plugin will say;
 * or it may be once its Namespace is made.
 * @param {KubeApi} api @param {Planned} object @returns {Promise<any>}
 */
async function metadataOf(api, object) {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(2000)) {
    try {
      return (await api.get(await pathOf(api, object))).metadata;
    } catch (error) {
      if (error instanceof UnknownKind) return undefined;
      if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
      if (Date.now() > end || !isPassing(error))
        throw new Error(`${object.shown}: ${/** @type {Error} */ (error).message}`);
    }
  }
}

const before = (process.env.PULUMI_COMMAND_STDOUT ?? "").split("\n");
refuseClaimed(JSON.parse(readFileSync(0, "utf8")), before).then(
  (marks) => process.stdout.write(marks.join("\n")),
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
