// @ts-check
// The standard input of a program: JSON with the credentials of a cluster in it.
"use strict";
const { readFileSync } = require("node:fs");
const { parseJson } = require("../base/parse-json.cjs");

/** @returns {any} */
function readInput() {
  return parseJson(readFileSync(0, "utf8"), "the input of this script");
}

module.exports = { readInput };
