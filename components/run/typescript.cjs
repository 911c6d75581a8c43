// @ts-check
// Has node load TypeScript, for programs in a checkout. The compiler is that of ts-node there (tsconfig.json), without ts-node:
// it would take longer to load than most programs run.
"use strict";
const { readFileSync } = require("node:fs");
const { transformSync } = require("@swc/core");

/** @type {import("@swc/core").Options} */
const OPTIONS = {
  jsc: { target: "es2022", parser: { syntax: "typescript" } },
  module: { type: "commonjs" },
  sourceMaps: "inline",
  swcrc: false,
};

require.extensions[".ts"] = (/** @type {any} */ loaded, /** @type {string} */ filename) => {
  loaded._compile(transformSync(readFileSync(filename, "utf8"), { ...OPTIONS, filename }).code, filename);
};
