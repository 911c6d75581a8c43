// @ts-check
// JSON that may have a secret in it: what a script gets on standard input has the credentials of a cluster.
"use strict";
const { readFileSync } = require("node:fs");

/** @returns {any} */
function readInput() {
  return parseJson(readFileSync(0, "utf8"), "the input of this script");
}

/** @param {string} text @param {string} what it is, for the message @returns {any} */
function parseJson(text, what) {
  try {
    return JSON.parse(text);
  } catch {
    // the message of JSON.parse has a part of the text in it
    throw new Error(`${what} is no JSON`);
  }
}

module.exports = { parseJson, readInput };
