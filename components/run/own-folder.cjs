// @ts-check
// Files that processes of one user hand to each other on the machine that runs Pulumi.
"use strict";
const { lstatSync, mkdirSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

/**
 * The folder for them, which nobody else may enter; made where it is not there.
 *
 * @param {string} [temporary] the folder that it is in
 * @returns {string}
 * @throws Error if it is another's
 */
function ownFolder(temporary = tmpdir()) {
  // a container may run as a user of no name
  const uid = process.getuid?.();
  const folder = join(temporary, `vnfm-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of this user alone; remove it`);
  return folder;
}

module.exports = { ownFolder };
