// @ts-check
// The texts of the scripts that run on servers, by the names of their files in the folder scripts. Plain JavaScript, as
// the program that runs them is started by node as it is.
"use strict";
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const FOLDER = join(__dirname, "scripts");

/** A line by which a script takes another file in, relative to the folder. */
const SOURCED = /^\. \.\/(\S+\.sh)\n/gm;

/**
 * The text of a script: prelude.sh, then the script with each file that it sources in the place of that line. A file
 * that is sourced more than once is there once.
 * @param {string} script its file
 */
function scriptText(script) {
  /** @type {Set<string>} */
  const taken = new Set();
  /** @param {string} file @returns {string} */
  const take = (file) => {
    if (taken.has(file)) return "";
    taken.add(file);
    return readFileSync(join(FOLDER, file), "utf8").replaceAll(SOURCED, (_, sourced) => take(sourced));
  };
  return take("prelude.sh") + take(script);
}

/** What tells a version of a script from others: it changes with each file that the script is made of. @param {string} script */
function scriptHash(script) {
  return createHash("sha256").update(scriptText(script)).digest("hex").slice(0, 12);
}

module.exports = { scriptText, scriptHash };
