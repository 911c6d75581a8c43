// @ts-check
// Starts one of our programs on the machine that runs Pulumi, from the project's folder:
//   node -e 'require("vnfm/run")' remote/run-script create
// The state has such commands, and no path: wherever vnfm is installed or checked out, node finds it by its name. The package
// has its programs compiled, in dist; a checkout, which alone has a tsconfig.json, compiles them as they are loaded.
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
