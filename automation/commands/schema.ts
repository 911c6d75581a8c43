import { stackConfigSchema } from "../../components/settings/stack-config-schema";
import { command } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { writeJson } from "../command-line/terminal";

export const schemaCommand = command({
  name: "schema",
  summary: "prints the JSON Schema of Pulumi.<stack>.yaml, by which editors complete and check it",
  examples: ["schema"],
  operands: {},
  options: {},
  read: () => ({}),
  run: () => {
    writeJson(stackConfigSchema());
    return Promise.resolve(EXIT.done);
  },
});
