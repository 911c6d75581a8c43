// @ts-check
// Texts that the program hands to a script of the same run: see handover.ts.
"use strict";
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

/**
 * The text with a hash, the beginning of its sha256.
 * @param {string} hash @returns {string}
 */
function takeOver(hash) {
  const path = join(tmpdir(), `vnfm-${process.getuid?.()}`, `${hash}.json`);
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Error(`${path}: ${code}; the program writes it with each 'pulumi up', under the same TMPDIR`);
  }
  if (!createHash("sha256").update(text).digest("hex").startsWith(hash))
    throw new Error(`${path} is not what the program has written; remove it`);
  return text;
}

module.exports = { takeOver };
