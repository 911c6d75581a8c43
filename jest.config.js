const common = {
  testEnvironment: "node",
  transform: { "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }] },
};

// what starts an engine, and what the SDK sends functions to a cloud with: most of its weight, loaded for each file;
// and prettier as a module, which jest cannot load
const unused = {
  "^(typescript|prettier|@npmcli/arborist|@pulumi/pulumi/automation)$": "<rootDir>/test/support/nothing.ts",
};

/** @type {import("jest").Config} */
module.exports = {
  reporters: ["default", "<rootDir>/test/ledger/reporter.cjs"],
  // of tests that set none: some start Node.js or lint, several at a time and on a machine that has other work
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      displayName: "unit",
      moduleNameMapper: unused,
      testMatch: ["<rootDir>/test/unit/**/*.test.ts"],
    },
    { ...common, displayName: "package", testMatch: ["<rootDir>/test/package/**/*.test.ts"] },
    { ...common, displayName: "engine", testMatch: ["<rootDir>/test/engine/**/*.test.ts"] },
  ],
};
