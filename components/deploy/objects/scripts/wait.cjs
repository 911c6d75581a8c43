// @ts-check
// Waits until an object is ready, and says why where it is not in time. Progress goes to standard error.
"use strict";
const { setTimeout: sleep } = require("node:timers/promises");
const { growClaims } = require("./claims.cjs");
const { gather } = require("./gather.cjs");
const { ApiError, isPassing, KubeApi } = require("./kube-api.cjs");
const { finalReasons, presentReasons } = require("./reasons.cjs");
const { isFinal, isOfClusterApi, kindOf, statusOf } = require("./status.cjs");
const { pathOf, UnknownKind } = require("./whereabouts.cjs");
const { printable } = require("../../../printable.cjs");

const PROGRESS_MS = 10_000;
/** The next run has all of it in one environment variable, which can hold 128 KiB. */
const MAX_PROGRESS_BYTES = 64 * 1024;
const LONGEST_PAUSE_MS = 2_000;

/**
 * @typedef {import("./kube-api.cjs").Access} Access
 * @typedef {import("./whereabouts.cjs").Whereabouts} Custom
 * @typedef {{ access: Access, name: string, until: import("./status.cjs").Until, seconds: number }} Input
 * @param {Input & { path?: string, custom: Custom }} input `custom` where there is no `path`
 */
async function awaitReady({ access, path, custom, name, until, seconds }) {
  const api = new KubeApi(access);
  const begin = Date.now();
  const end = begin + seconds * 1000;
  let told = "";
  let toldBytes = 0;
  let nextProgress = begin + PROGRESS_MS;
  for (let pause = 200; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    let object;
    let message;
    try {
      path ??= await pathOf(api, custom);
      object = await api.get(path);
      const status = statusOf(object, until);
      if (status.status === "Current" || (await waitsForConsumer(api, object))) {
        const told = await growClaims(api, object);
        process.stderr.write(printable(told.map((line) => `${line}\n`).join("")));
        return;
      }
      message = status.message;
      if (isFinal(object, status)) throw new Error(await failure(api, object, `${name}: ${message}`));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw new Error(`${name} is gone`);
      if (!(error instanceof UnknownKind || isPassing(error))) throw error;
      message = /** @type {Error} */ (error).message;
    }
    const now = Date.now();
    if (now >= end) {
      const headline = `${name} is not ${until} after ${seconds} s: ${message}`;
      throw new Error(object === undefined ? headline : await failure(api, object, headline));
    }
    if (object !== undefined && now >= nextProgress) {
      const reasons = isOfClusterApi(until)
        ? `${name}: ${message}`
        : presentReasons(await gather(api, object, false)).join("\n");
      if (reasons !== "" && reasons !== told && toldBytes < MAX_PROGRESS_BYTES) {
        process.stderr.write(printable(`${reasons}\n`));
        toldBytes += Buffer.byteLength(reasons);
      }
      told = reasons;
      nextProgress = Date.now() + PROGRESS_MS;
    }
    await sleep(Math.min(pause, Math.max(end - Date.now(), 0)));
  }
}

/**
 * Whether it is a claim of a class that binds when a first pod mounts it.
 * @param {KubeApi} api @param {any} object
 */
async function waitsForConsumer(api, object) {
  const { spec } = object;
  if (kindOf(object) !== "PersistentVolumeClaim" || !spec.storageClassName) return false;
  const path = `/apis/storage.k8s.io/v1/storageclasses/${encodeURIComponent(spec.storageClassName)}`;
  const found = await api.get(path).catch(() => ({}));
  return found.volumeBindingMode === "WaitForFirstConsumer";
}

/** @param {KubeApi} api @param {any} object @param {string} headline */
async function failure(api, object, headline) {
  const found = await gather(api, object, true);
  const reasons = finalReasons(found);
  const namespace = object.metadata.namespace ?? "default";
  const unknown = [
    kindOf(object) === ""
      ? `see the events of namespace ${namespace}, and the log of its controller`
      : `nothing on the cluster says why; see the events of namespace ${namespace}`,
  ];
  return [
    headline,
    ...(reasons.length === 0 ? unknown : reasons),
    ...found.unread.map((what) => `not read: ${what}`),
  ].join("\n");
}

module.exports = { awaitReady, waitsForConsumer };
