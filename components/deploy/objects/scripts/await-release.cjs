// @ts-check
// Waits until the objects of a Helm release are ready, and says why where they are not in time; as
// `await-release.cjs delete` it waits until they are gone. Standard input has the credentials and the objects. Progress
// goes to standard error, the end to standard output.
"use strict";
const { deletionOf } = require("../../../kube/client/deletion.cjs");
const { readInput } = require("../../../run/script-input.cjs");
const { Missing, untilDone } = require("../../../base/until.cjs");
const { ApiError, isPassing, KubeApi } = require("../../../kube/client/kube-api.cjs");
const { objectAt } = require("../../../kube/client/read.cjs");
const { awaitReady } = require("../../../kube/client/wait.cjs");
const { pathOf, UnknownKind } = require("../../../kube/client/whereabouts.cjs");
const { printable } = require("../../../base/printable.cjs");
const { startProgram } = require("../../../run/start-program.cjs");

const PAUSE_MS = 1000;

/**
 * @typedef {import("../../../kube/client/whereabouts.cjs").Whereabouts} Whereabouts
 * @typedef {{ shown: string, until: import("../../../kube/client/status.cjs").Until, path?: string, custom: Whereabouts }} Awaited
 * @typedef {Whereabouts & { shown: string }} Leaving
 * @typedef {{ access: import("../../../kube/client/kube-api.cjs").Access, seconds: number }} Common
 */

/** Faults of all objects are told. @param {Common & { objects: Awaited[] }} input */
async function allReady({ access, seconds, objects }) {
  const ends = objects.map(({ shown: name, ...object }) => awaitReady({ access, seconds, name, ...object }));
  await faultsOf(ends);
}

/** @param {Common & { objects: Leaving[] }} input */
async function allGone({ access, seconds, objects }) {
  const api = new KubeApi(access);
  await faultsOf(objects.map((object) => gone(api, object, seconds)));
}

/** @param {KubeApi} api @param {Leaving} object @param {number} seconds */
async function gone(api, object, seconds) {
  const ask = async () => {
    try {
      const found = await objectAt(api, await pathOf(api, object));
      return new Missing(deletionOf(found) ?? "is still there");
    } catch (error) {
      if (error instanceof UnknownKind || (error instanceof ApiError && error.status === 404)) return;
      throw error;
    }
  };
  const tell = (/** @type {string} */ left) =>
    void process.stderr.write(printable(`${object.shown} ${left}\n`));
  const left = await untilDone(ask, { seconds, pauseMs: PAUSE_MS, passes: isPassing, tell });
  if (left) throw new Error(`${object.shown} is not gone after ${seconds} s: ${left.text}`);
}

/** @param {readonly Promise<void>[]} ends */
async function faultsOf(ends) {
  const faults = (await Promise.allSettled(ends)).flatMap((end) =>
    end.status === "rejected" ? [end.reason.message] : [],
  );
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

async function main() {
  const act = process.argv[2] === "delete" ? allGone : allReady;
  await act(readInput());
}

startProgram(main, process.stdout);
