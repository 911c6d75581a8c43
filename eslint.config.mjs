import tseslint from "typescript-eslint";

const NO_SOURCE = "its errors print the text that they are about, which may be a secret";
const YAML = { name: "yaml", message: `${NO_SOURCE}: take it from components/base/yaml.` };
const REMOTE = {
  name: "@pulumi/command",
  importNames: ["remote"],
  message:
    "its input is the text of a script, which the state would keep twice: take scriptStep of components/remote.",
};
const JSON_PARSE = {
  object: "JSON",
  property: "parse",
  message: `${NO_SOURCE}: take jsonData of components/base/json.ts, or in a program of a step readInput of run/program.ts.`,
};

export default tseslint.config(
  { ignores: ["bin/", "dist/", "node_modules/", "toolchain/", "lab/", "examples/"] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-explicit-any": "error",
      // a Pulumi resource is made for its effect
      "no-new": "off",
    },
  },
  {
    files: ["index.ts", "components/**", "automation/**"],
    rules: {
      "no-restricted-imports": ["error", { paths: [YAML, REMOTE] }],
      "no-restricted-properties": ["error", JSON_PARSE],
    },
  },
  {
    files: ["components/base/yaml/*.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    files: ["components/base/json.ts", "components/kube/client/kube-api.ts"],
    rules: { "no-restricted-properties": "off" },
  },
  {
    // read.ts has given each field of an object the type that Kubernetes gives it, and left out what has another one
    files: ["components/kube/client/**", "components/deploy/objects/scripts/**"],
    rules: {
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  { files: ["**/*.mjs", "*.js"], ...tseslint.configs.disableTypeChecked },
  {
    files: ["**/*.cjs"],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
