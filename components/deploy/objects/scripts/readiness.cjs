// @ts-check
// Prints which of some objects of a cluster are not ready now, and why, as JSON: an object with a text for each. Standard
// input has the credentials and the objects.
"use strict";
const { readInput } = require("../../../run/script-input.cjs");
const { ApiError, KubeApi } = require("../../../kube/client/kube-api.cjs");
const { gather } = require("../../../kube/client/gather.cjs");
const { objectAt } = require("../../../kube/client/read.cjs");
const { presentReasons } = require("../../../kube/client/reasons.cjs");
const { isOfClusterApi, isPaused, statusOf } = require("../../../kube/client/status.cjs");
const { waitsForConsumer } = require("../../../kube/client/wait.cjs");
const { pathOf, UnknownKind } = require("../../../kube/client/whereabouts.cjs");
const { startProgram } = require("../../../run/start-program.cjs");

/**
 * @typedef {import("../../../kube/client/whereabouts.cjs").Whereabouts} Whereabouts
 * @typedef {{ name: string, until: import("../../../kube/client/status.cjs").Until, path?: string, custom: Whereabouts }} Awaited
 */

/** @param {KubeApi} api @param {Awaited} object @returns {Promise<string>} empty where it is ready */
async function problemOf(api, { name, until, path, custom }) {
  try {
    const object = await objectAt(api, path ?? (await pathOf(api, custom)));
    const { status, message } = statusOf(object, until);
    if (isPaused(object)) return `${name} is ${message}`;
    const isReady = status === "Current" || (await waitsForConsumer(api, object));
    if (isReady) return "";
    const reasons = isOfClusterApi(until) ? [] : presentReasons(await gather(api, object, false));
    return [`${name} is not ${until}: ${message}`, ...reasons].join("; ");
  } catch (error) {
    if (error instanceof UnknownKind || (error instanceof ApiError && error.status === 404))
      return `${name} is gone`;
    throw error;
  }
}

async function main() {
  const { access, objects } = readInput();
  const api = new KubeApi(access);
  const problems = await Promise.all(objects.map((/** @type {Awaited} */ object) => problemOf(api, object)));
  process.stdout.write(JSON.stringify(problems));
}

startProgram(main);
