// @ts-check
// Starts a program of vnfm on the machine that runs Pulumi, from the project's folder:
//   node -e 'require("vnfm/run")' remote/run-script create
// The state contains such commands without a path: node finds the package by its name, wherever it is installed or checked
// out. The package has compiled programs in dist. A checkout has a tsconfig.json, and compiles programs when they are loaded.
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");

// `node run.cjs PROGRAM VERB`: a program finds its verb at the same place either way
if (require.main === module) process.argv.splice(1, 1);
const [, program = ""] = process.argv;
const root = join(__dirname, "../..");
if (existsSync(join(root, "tsconfig.json"))) {
  require("./typescript.cjs");
  require(join(root, "components", program));
} else require(join(root, "dist/components", program));
