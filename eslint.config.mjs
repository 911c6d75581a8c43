import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["bin/", "node_modules/", "toolchain/", "lab/"] },
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
  { files: ["**/*.mjs", "*.js"], ...tseslint.configs.disableTypeChecked },
  {
    files: ["**/*.cjs"],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
