// @ts-check
// How the programs begin and end that reach servers by SSH.
"use strict";

/**
 * Starts a program. What it throws is said without a stack trace, and its status is 1. A signal ends it in order, so that
 * its SSH client ends too and the files of the login go.
 * @param {() => Promise<void>} main
 */
function startProgram(main) {
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  main().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

module.exports = { startProgram };
