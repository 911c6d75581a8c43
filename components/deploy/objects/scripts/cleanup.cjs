// @ts-check
// Before a controller goes with its cluster: deletes the Services of type LoadBalancer that others have made there,
// whose load balancers nobody would delete any more, waits until they are gone, and names the volumes of CSI drivers
// that stay. Standard input has the credentials and what the controller is for. What is done and what stays goes to
// standard error, the end to standard output.
"use strict";
const { readFileSync } = require("node:fs");
const { setTimeout: sleep } = require("node:timers/promises");
const { deletionOf } = require("./deletion.cjs");
const { ApiError, isPassing, KubeApi, Unreachable } = require("./kube-api.cjs");

const PAUSE_MS = 1000;
/** How long the cluster may be out of reach. One that is lost has to be deleted all the same. */
const PATIENCE_MS = 30_000;
/** How long a volume may take to go once its claim is gone. */
const VOLUME_MS = 60_000;

/**
 * `balances`: whether it gives Services their load balancers. `drivers`: the CSI drivers that it brings.
 * @typedef {{ access: import("./kube-api.cjs").Access, seconds: number, balances: boolean, drivers: string[] }} Input
 */

/** @param {Input} input */
async function cleanUp({ access, seconds, balances, drivers }) {
  const api = new KubeApi(access);
  if (balances) await deleteBalanced(api, seconds);
  if (drivers.length > 0) await tellVolumes(api, drivers);
}

/** @param {KubeApi} api @param {number} seconds */
async function deleteBalanced(api, seconds) {
  for (const service of await balanced(api)) {
    if (service.metadata.deletionTimestamp) continue;
    await api.delete(pathOf(service), service.metadata.uid).catch(unlessGone);
    say(`Service ${nameOf(service)} is deleted, for its load balancer: nobody would delete that without it`);
  }
  for (const end = Date.now() + seconds * 1000; ; await sleep(PAUSE_MS)) {
    const left = await balanced(api);
    if (left.length === 0) return;
    if (Date.now() > end) {
      const whys = left.map((service) => `Service ${nameOf(service)} ${deletionOf(service) ?? "is there"}`);
      throw new Error(`not gone after ${seconds} s:\n${whys.join("\n")}`);
    }
  }
}

/** @param {KubeApi} api @returns {Promise<any[]>} */
async function balanced(api) {
  const services = await list(api, "/api/v1/services");
  return services.filter(({ spec }) => spec.type === "LoadBalancer");
}

/** @param {KubeApi} api @param {readonly string[]} drivers */
async function tellVolumes(api, drivers) {
  const ofDrivers = async () => {
    const volumes = await list(api, "/api/v1/persistentvolumes");
    return volumes.filter(({ spec }) => drivers.includes(spec.csi?.driver));
  };
  let volumes = await ofDrivers();
  for (const end = Date.now() + VOLUME_MS; volumes.some(isGoing) && Date.now() < end; await sleep(PAUSE_MS))
    volumes = await ofDrivers();
  for (const { spec } of volumes) {
    const { csi, claimRef, capacity } = spec;
    const claim = claimRef ? ` of the claim ${claimRef.namespace}/${claimRef.name}` : "";
    say(
      `volume ${csi.volumeHandle} of ${csi.driver}, ${capacity.storage}${claim}, stays without the cluster`,
    );
  }
}

/** Whether the driver deletes it by itself: its claim is gone. @param {any} volume */
function isGoing({ spec, status }) {
  return spec.persistentVolumeReclaimPolicy === "Delete" && status.phase === "Released";
}

/** @param {KubeApi} api @param {string} path @returns {Promise<any[]>} */
async function list(api, path) {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      return (await api.get(path)).items;
    } catch (error) {
      if (Date.now() > end || !isPassing(error)) throw error;
    }
  }
}

/** @param {unknown} error */
function unlessGone(error) {
  if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error;
}

/** @param {any} service */
function pathOf({ metadata: { namespace, name } }) {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/services/${encodeURIComponent(name)}`;
}

/** @param {any} object */
function nameOf({ metadata: { namespace, name } }) {
  return `${namespace}/${name}`;
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`);
}

cleanUp(JSON.parse(readFileSync(0, "utf8"))).catch((error) => {
  if (error instanceof Unreachable)
    return say(`${error.message}; load balancers and volumes that it had may be left in the cloud`);
  process.stdout.write(`${error.message}\n`);
  process.exitCode = 1;
});
