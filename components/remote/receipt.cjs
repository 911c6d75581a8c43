// @ts-check
// What a script has printed when its server went, for the script that begins on the next server: the state has nothing of
// a deletion. It is known on this machine alone, and for a day: see handover.ts.
"use strict";
const { readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { ownFolder } = require("../run/own-folder.cjs");

/** @param {string} name */
const pathOf = (name) => join(ownFolder(), `receipt-${name}`);

/** @param {string} name @param {string} text */
function keepReceipt(name, text) {
  writeFileSync(pathOf(name), text, { mode: 0o600 });
}

/** @param {string} name @returns {string} empty where there is none */
function receiptOf(name) {
  try {
    return readFileSync(pathOf(name), "utf8");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return "";
    throw error;
  }
}

/** @param {string} name */
function dropReceipt(name) {
  rmSync(pathOf(name), { force: true });
}

module.exports = { dropReceipt, keepReceipt, receiptOf };
