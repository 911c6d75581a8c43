// @ts-check
// Where on a Kubernetes API an object is.
"use strict";
const { resourcesOf, rootOf } = require("./read.cjs");

/** @typedef {{ apiVersion: string, kind: string, name: string, namespace?: string }} Whereabouts */

/** A kind that an API server does not tell, or not yet. */
class UnknownKind extends Error {}

/**
 * The path of an object of any kind, by its kind's plural, which the API alone knows; where the kind has namespaces
 * and the object names none, in that of the kubeconfig.
 * @param {Pick<import("./kube-api.cjs").KubeApi, "access" | "get">} api @param {Whereabouts} object
 */
async function pathOf(api, { apiVersion, kind, name, namespace = api.access.namespace ?? "default" }) {
  const resources = await resourcesOf(api, apiVersion);
  const found = resources.find((one) => one.kind === kind && !one.name.includes("/"));
  if (found === undefined) throw new UnknownKind(`the Kubernetes API has no ${kind} of ${apiVersion}`);
  const place = found.namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${rootOf(apiVersion)}${place}/${found.name}/${encodeURIComponent(name)}`;
}

module.exports = { pathOf, UnknownKind };
