const common = {
  testEnvironment: "node",
  transform: { "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } } }] },
};

/** @type {import("jest").Config} */
module.exports = {
  projects: [
    { ...common, displayName: "unit", testMatch: ["<rootDir>/test/unit/**/*.test.ts"] },
    { ...common, displayName: "engine", testMatch: ["<rootDir>/test/engine/**/*.test.ts"] },
  ],
};
