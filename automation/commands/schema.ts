import { stackConfigSchema } from "../../components/settings/stack-config-schema";
import { UsageFault } from "../fault";
import previewSchema from "../changes/preview.schema.json";
import { command } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { writeJson } from "../command-line/terminal";

export const schemaCommand = command({
  name: "schema",
  summary: "prints the JSON Schema of Pulumi.<stack>.yaml, with which editors complete and check it",
  details: "schema preview: the JSON Schema of the output of 'vnfm preview --json', for pipelines",
  examples: ["schema", "schema preview"],
  operands: { document: { name: "preview", least: 0, most: 1, read: readDocument } },
  options: {},
  run: ({ document }) => {
    writeJson(document === "preview" ? previewSchema : stackConfigSchema());
    return Promise.resolve(EXIT.done);
  },
});

function readDocument([document]: readonly string[]): "preview" | undefined {
  if (document === undefined || document === "preview") return document;
  throw new UsageFault(`"${document}" is not preview`);
}
