/** The document of `vnfm preview --json`, which pipelines read: each is as its schema and docs/command-line.md say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { previewOf } from "../../../../automation/changes/changes";
import { ALL_KINDS } from "../../../../automation/changes/kinds";
import { failureDocument, previewDocument } from "../../../../automation/changes/preview-document";
import schema from "../../../../automation/changes/preview.schema.json";
import { Fault } from "../../../../automation/fault";
import { REPOSITORY } from "../../../support/command";
import { previewFaults } from "../../../support/preview-schema";
import { settingsFault } from "../../places";
import { COMMAND, objectOf, step, vnf, VNF, vnfc } from "../steps";

/** A document as a pipeline reads it. */
const written = (document: object): unknown => JSON.parse(JSON.stringify(document));

const WARNINGS = ["vnfm:vnfs.vnf-a.scale: is above the VNFD", "vnf-a: pv1: a claim holds it"];

const STEPS = [
  ...vnf(),
  ...vnfc("replace", "workerNode-1", "member").map((one) =>
    one.type.endsWith(":Port") ? { ...one, op: "replace", differs: ["networkId"] } : one,
  ),
  ...vnfc("same", "masterNode-1", "master"),
  step("delete-replaced", "openstack:identity/applicationCredential:ApplicationCredential", "vnf-a", {
    parent: VNF,
  }),
  step("update", "other:index/thing:Thing", "vnf-a-one", { parent: VNF, differs: ["size"] }),
  step("create", COMMAND, "of-nobody"),
  ...objectOf("update", "Deployment web/frontend", {
    reference: { apiVersion: "apps/v1", kind: "Deployment", namespace: "web", name: "frontend" },
    replicas: [2, 3],
    differs: ["spec"],
  }),
  ...objectOf("delete", "Namespace web", { retained: true }),
];

it("the document is of its schema, with all that a change may have", () => {
  const document = previewDocument("organization/vnfm/site-1", { ...previewOf(STEPS), warnings: WARNINGS });
  expect(previewFaults(written(document))).toEqual([]);
  expect(document).toMatchObject({
    ...{ format: "vnfm.preview/1", command: "preview", result: "done", stack: "organization/vnfm/site-1" },
    stays: { "vnf-a": ["masterNode-1"] },
    warnings: [
      { place: ["vnfm:vnfs", "vnf-a", "scale"], message: "is above the VNFD" },
      { place: [], message: "vnf-a: pv1: a claim holds it" },
    ],
  });
  const { changes } = document as ReturnType<typeof previewOf>;
  expect(changes.flatMap(({ subject, isLoss }) => (isLoss ? [subject.kind] : []))).toEqual(["port"]);
  expect(changes.flatMap(({ replicas }) => replicas ?? [])).toEqual([2, 3]);
});

it("the document is of its schema where the preview failed", () => {
  const ofSettings = written(failureDocument(settingsFault("vnfm:vnfs.web.vim: is required")));
  expect(previewFaults(ofSettings)).toEqual([]);
  expect(ofSettings).toMatchObject({
    ...{ format: "vnfm.preview/1", result: "failed" },
    findings: [{ place: ["vnfm:vnfs", "web", "vim"], message: "is required" }],
  });
  const ofCloud = written(failureDocument(new Fault("no valid host was found")));
  expect(previewFaults(ofCloud)).toEqual([]);
  expect(ofCloud).toEqual({
    ...{ format: "vnfm.preview/1", command: "preview", result: "failed" },
    message: "no valid host was found",
  });
});

it("the document is refused where a key is missing or is of another type", () => {
  const document = previewDocument("s", { ...previewOf(STEPS), warnings: [] });
  expect(previewFaults({ ...document, changes: [{ action: "create" }] })).not.toEqual([]);
  expect(previewFaults({ ...document, format: "vnfm.preview/2" })).not.toEqual([]);
  expect(previewFaults({ ...document, more: 1 })).not.toEqual([]);
});

it("the document has the kinds that its schema names", () => {
  expect(schema.definitions.subject.properties.kind.examples).toEqual(ALL_KINDS);
});

it("the document is shown in docs/command-line.md as it is", () => {
  const page = readFileSync(join(REPOSITORY, "docs/command-line.md"), "utf8");
  const documents = [...page.matchAll(/```json\n(\{.*?\n\})\n```/gs)].map(([, text = ""]) => text);
  const previews = documents
    .filter((text) => text.includes('"format"'))
    .map((text): unknown => JSON.parse(text));
  expect(previews).toHaveLength(1);
  expect(previews.flatMap(previewFaults)).toEqual([]);
});
