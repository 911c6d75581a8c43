/** The examples of docs/topology.md are what the program draws. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "../../../../automation/changes/changes";
import { intentOf } from "../../../../automation/stack/intent";
import type { Vnfs } from "../../../../automation/stack/stack-config";
import { FORMATS, type Format } from "../../../../automation/topology/formats";
import { topologyOf } from "../../../../automation/topology/graph";
import { REPOSITORY } from "../../../support/command";
import { clusterVnf, webCnf } from "../../../support/configs";
import { inRepository } from "../in-repository";

const VNFS = {
  "vnf-a": { ...clusterVnf(3), images: { masterNode: "debian-12", workerNode: "debian-12" } },
  "vnf-b": webCnf("web"),
};
const change = (action: Change["action"], vnfc: string, text: string): Change => {
  const subject = { vnf: "vnf-a", vnfc, kind: "vnfc", key: "" } as const;
  return { action, text, subject, parts: [] };
};
const CHANGES: readonly Change[] = [
  change("update", "masterNode-1", "is prepared again"),
  change("create", "workerNode-3", "workerNode-3 is added"),
];

const read = (page: string) => readFileSync(join(REPOSITORY, "docs", page), "utf8");
const drawn = (format: Format) => {
  process.chdir(REPOSITORY);
  const plans = [...intentOf(inRepository({ vnfs: VNFS as unknown as Vnfs })).values()].map(
    ({ plan }) => plan,
  );
  return FORMATS[format](topologyOf(plans, CHANGES, "cloud lab")).join("\n");
};

it("the page shows the text and the flowchart", () => {
  expect(read("topology.md")).toContain(`\n\`\`\`text\n${drawn("text")}\n\`\`\`\n`);
  expect(read("topology.md")).toContain(`\n\`\`\`mermaid\n${drawn("mermaid")}\n\`\`\`\n`);
});

it("the page shows the picture", () => {
  expect(read("topology.svg")).toBe(`${drawn("svg")}\n`);
});
