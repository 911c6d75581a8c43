import Ajv from "ajv";
import { FORMATS } from "./formats";

/** Compiles the schemas of the stack config, with their custom formats and keywords. */
export const ajv = new Ajv({
  ...{ allErrors: true, useDefaults: true, verbose: true, allowUnionTypes: true },
  // each run compiles the schemas and validates once: optimized code takes longer to make than it saves
  code: { optimize: false },
});
ajv.addKeyword("encrypted");
ajv.addKeyword("late");
ajv.addKeyword("kinds");
ajv.addKeyword("instead");
for (const [name, { test }] of Object.entries(FORMATS)) ajv.addFormat(name, test);
