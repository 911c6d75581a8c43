import { schemaProblems } from "../../../components/kube/objects/definition-schema";
import type { KubeObject } from "../../../components/kube/objects/object";

const definitionWith = (openAPIV3Schema: object): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "sites.example.org" },
  spec: {
    group: "example.org",
    names: { kind: "Site" },
    versions: [{ name: "v1", schema: { openAPIV3Schema } }],
  },
});

const definition = definitionWith({
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { type: "object" },
    spec: {
      type: "object",
      required: ["size", "zone"],
      properties: {
        size: { type: "integer", format: "int32", default: 1 },
        zone: { type: "string", pattern: "^(?i)[[:alpha:]]+$", maxLength: 3 },
        policy: { type: "string", enum: ["strict", "soft"] },
        port: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
        tags: { type: "object", additionalProperties: { type: "string" } },
        nets: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
        free: {
          type: "object",
          properties: { a: { type: "string" } },
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
  },
});

const site = (spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: "example.org/v1",
  kind: "Site",
  metadata: { name: "a", ...metadata },
  spec,
});

test("an object is right by its definition, whose defaults stand in for what is required", () => {
  const spec = {
    zone: "a",
    policy: "soft",
    port: "http",
    tags: { any: "text" },
    nets: [{ name: "n" }],
    free: { a: "a", b: [1] },
  };
  const object = site(spec, { labels: { a: "b" }, ownerReferences: [] });
  expect(schemaProblems(object, definition)).toEqual([]);
  expect(object["spec"]).toEqual(spec);
});

test.each<[string, object, string]>([
  [
    "a field that is not known",
    { zone: "a", sise: 2 },
    '/spec/sise is not a field of its definition; did you mean "size"?',
  ],
  [
    "one in an item of a list",
    { zone: "a", nets: [{ nam: "n" }] },
    '/spec/nets/0/nam is not a field of its definition; did you mean "name"?',
  ],
  ["a value of another type", { zone: "a", size: "2" }, "/spec/size must be integer"],
  ["a value of a map", { zone: "a", tags: { a: 1 } }, "/spec/tags/a must be string"],
  ["none of those that may be", { zone: "a", policy: "hard" }, "/spec/policy must be one of strict, soft"],
  ["neither a number nor a text", { zone: "a", port: [] }, "/spec/port must match a schema in anyOf"],
  ["a text that is too long", { zone: "abcd" }, "/spec/zone must NOT have more than 3 characters"],
  ["what is required", {}, "/spec/zone is required"],
])("%s is a problem", (_, spec, problem) => {
  expect(schemaProblems(site(spec), definition)).toEqual([problem]);
});

test("labels and annotations are texts", () => {
  expect(
    schemaProblems(site({ zone: "a" }, { annotations: { a: true }, labels: { b: 1 } }), definition),
  ).toEqual(["/metadata/labels/b must be string", "/metadata/annotations/a must be string"]);
});

test("a definition that has no such version, or a schema of another kind, says nothing", () => {
  expect(schemaProblems({ ...site({}), apiVersion: "example.org/v2" }, definition)).toEqual([]);
  const ofOpenApi = { type: "object", properties: { spec: { minimum: 1, exclusiveMinimum: true } } };
  expect(schemaProblems(site({}), definitionWith(ofOpenApi))).toEqual([]);
});
