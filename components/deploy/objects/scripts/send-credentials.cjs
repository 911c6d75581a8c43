// @ts-check
// Posts the credentials of a workload cluster to a web server; as `send-credentials.cjs delete` it asks the server to
// forget them. Standard input has where to, and what. Nothing of it is printed.
"use strict";
const { answerOf, MOST_BYTES } = require("../../../base/net/http-answer.cjs");
const { readInput } = require("../../../run/script-input.cjs");
const { tunnel, usableProxy } = require("../../../base/net/proxy.cjs");
const { startProgram } = require("../../../run/start-program.cjs");
const { Missing, untilDone } = require("../../../base/until.cjs");

const PAUSE_MS = 2000;
const LIMITS = { silenceMs: 30_000, answerMs: 60_000, bytes: MOST_BYTES };

/**
 * @typedef {{ url: string, ca?: string, headers: Record<string, string>, seconds: number }} Receiver
 * @typedef {{ receiver: Receiver, name: string, credentials: object }} Input
 */

/** A status that another attempt may change. */
class Passing extends Error {}

/** @param {Input} input @param {"POST" | "DELETE"} method */
async function send({ receiver, name, credentials }, method) {
  const url = new URL(receiver.url);
  if (method === "DELETE") url.pathname = `${url.pathname.replace(/\/+$/, "")}/${encodeURIComponent(name)}`;
  const body = method === "POST" ? JSON.stringify(credentials) : undefined;
  const failed = (/** @type {string} */ why) =>
    new Error(`credentials_receiver: ${method} to ${url.origin}: ${why}`);
  const answer = await untilDone(() => request(url, receiver, method, body), {
    seconds: receiver.seconds,
    pauseMs: PAUSE_MS,
    passes: (error) => error instanceof Passing,
  }).catch((error) => {
    throw failed(error.message);
  });
  if (answer instanceof Missing) throw failed(answer.text);
}

/** @param {URL} url @param {Receiver} receiver @param {string} method @param {string | undefined} body */
async function request(url, { ca, headers }, method, body) {
  const proxy = usableProxy(url);
  const through = proxy === undefined ? {} : await tunnel(url, proxy, { ca }).catch(passing);
  const content = body === undefined ? {} : { "content-type": "application/json" };
  const length = { "content-length": Buffer.byteLength(body ?? "") };
  const options = { method, headers: { ...headers, ...content, ...length }, ca, ...through };
  const { status } = await answerOf(url, options, body, LIMITS).catch((error) => {
    throw isOfTls(error) ? error : new Passing(error.message);
  });
  if (status >= 200 && status <= 299) return;
  if (method === "DELETE" && (status === 404 || status === 410)) return;
  const answer = `it answers ${status}`;
  throw status === 429 || status >= 500 ? new Passing(answer) : new Error(answer);
}

/** @param {Error} error @returns {never} */
function passing(error) {
  throw new Passing(error.message);
}

/** Whether the server is not the one that it should be. @param {NodeJS.ErrnoException} error */
function isOfTls({ code = "" }) {
  return /CERT|SIGN|ISSUER|ALTNAME|^ERR_TLS|^ERR_SSL/.test(code);
}

startProgram(async () => send(readInput(), process.argv[2] === "delete" ? "DELETE" : "POST"));
