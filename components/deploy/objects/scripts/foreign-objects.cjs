// @ts-check
// Runs before the CustomResourceDefinitions and Namespaces of a CNF go, and fails where these have objects of others.
// Standard input has the credentials, the names, and how the CNF's own objects are known.
"use strict";
const { readInput } = require("../../../run/script-input.cjs");
const { startProgram } = require("../../../run/start-program.cjs");
const { refuseForeign } = require("./refuse-foreign.cjs");

startProgram(async () => {
  const { access, ...asked } = readInput();
  await refuseForeign(access, asked, asked);
});
