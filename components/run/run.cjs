// @ts-check
// Starts one of our programs on the machine that runs Pulumi, from the project's folder:
//   node -e 'require("vnfm/run")' remote/run-script.cjs create
// The state has such commands, and no path: wherever vnfm is installed or checked out, node finds it by its name. So this
// file is at one place in both, and the programs are beside it in the repository, and in dist in the package.
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const [, program = ""] = process.argv;
const beside = join(__dirname, "..", program);
require(existsSync(beside) ? beside : join(__dirname, "../../dist/components", program));
