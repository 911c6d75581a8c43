// @ts-check
// Fails where definitions and Namespaces that go have objects of others.
"use strict";
const { Missing, untilDone } = require("../../../base/until.cjs");
const { isPassing, KubeApi, Unreachable } = require("../../../kube/client/kube-api.cjs");
const { foreignObjects } = require("../../../kube/client/foreign-objects.cjs");

/** How long the cluster may be out of reach. */
const PATIENCE = { seconds: 30, pauseMs: 2000, passes: isPassing };

/**
 * @typedef {import("../../../kube/client/foreign-objects.cjs").Holders} Holders
 * @typedef {import("../../../kube/client/foreign-objects.cjs").Own} Own
 * @param {import("../../../kube/client/kube-api.cjs").Access} access @param {Holders} holders @param {Own} own
 */
async function refuseForeign(access, holders, own) {
  const ask = () =>
    foreignObjects(new KubeApi(access), holders, own).catch((error) => {
      // as the Kubernetes plugin is told that the cluster is gone
      if (error instanceof Unreachable && process.env["PULUMI_K8S_DELETE_UNREACHABLE"] === "true") return [];
      throw error;
    });
  const found = await untilDone(ask, PATIENCE);
  if (found instanceof Missing) throw new Error(found.text);
  if (found.length > 0) throw new Error(found.join("\n"));
}

module.exports = { refuseForeign };
