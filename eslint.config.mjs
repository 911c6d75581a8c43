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
  message: `${NO_SOURCE}: take jsonData of components/base/json.ts, or in a script readInput of run/script-input.cjs.`,
};

export default tseslint.config(
  { ignores: ["bin/", "dist/", "node_modules/", "toolchain/", "lab/"] },
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
    files: [
      "components/base/json.ts",
      "components/base/parse-json.cjs",
      "components/kube/client/kube-api.cjs",
    ],
    rules: { "no-restricted-properties": "off" },
  },
  { files: ["**/*.mjs", "*.js"], ...tseslint.configs.disableTypeChecked },
  {
    files: ["**/*.cjs"],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
