// @ts-check
// What a script gets on standard input: JSON, with the credentials of a cluster in it.
"use strict";
const { readFileSync } = require("node:fs");

/** @returns {any} */
function readInput() {
  const text = readFileSync(0, "utf8");
  try {
    return JSON.parse(text);
  } catch {
    // the message of JSON.parse has a part of the text in it
    throw new Error("the input of this script is no JSON");
  }
}

module.exports = { readInput };
