import jsdoc from "eslint-plugin-jsdoc";
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

/** First words of a docstring that leave its noun to the name below; of a title, its subject to the reader. */
const NO_NOUN = "(?:What|Whether|Of|Those|Whose|That|Who|Which|How|Where|As|So|It|Not|Told|Said)";
const TITLE = `CallExpression:matches([callee.name=/^(it|test)$/], [callee.callee.object.name=/^(it|test)$/]) > Literal.arguments:first-child[value=/^${NO_NOUN}\\b/i]`;

/** Folders whose docstrings are plain; add a folder here once it is. */
const PLAIN = ["automation/**", "components/**", "test/support/**"];

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
  {
    files: PLAIN,
    plugins: { jsdoc },
    rules: {
      "jsdoc/match-description": [
        "error",
        {
          mainDescription: `^(?!${NO_NOUN}\\b)`,
          contexts: ["any"],
          message: "begin with a noun of the field, or with a verb in the third person: docs/glossary.md",
        },
      ],
    },
  },
  {
    // not those of test/engine: the ledger knows by a step's title when it was last seen
    files: ["test/unit/**", "test/support/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: TITLE, message: "a title has a subject and says what happens" },
      ],
    },
  },
  { files: ["**/*.mjs", "*.js"], ...tseslint.configs.disableTypeChecked },
  {
    files: ["**/*.cjs"],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
