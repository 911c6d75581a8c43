// @ts-check
// Runs before the CustomResourceDefinitions and Namespaces of a CNF go, and fails where these have objects of others.
// Standard input has the credentials, the names, and how the CNF's own objects are known.
"use strict";
const { readInput } = require("../../../script-input.cjs");
const { printable } = require("../../../printable.cjs");
const { refuseForeign } = require("./refuse-foreign.cjs");

const { access, ...asked } = readInput();
refuseForeign(access, asked, asked).catch((error) => {
  process.stderr.write(printable(`${error.message}\n`));
  process.exitCode = 1;
});
