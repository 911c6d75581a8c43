/** Manifests that are small and would take a reader minutes, or its memory. */
import { readManifests } from "../../../components/kube/manifests/manifests";
import { attachedNetworks } from "../../../components/kube/objects/pods";
import { Variables } from "../../../components/kube/manifests/variables";
import type { Fault } from "../../../components/vnfd/model";
import { within } from "../../support/within";
import { packageOf } from "./support";

const HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n";

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

/** What is wrong with a manifest. */
function faultsOf(text: string, variables?: Variables): string[] {
  const faults: Fault[] = [];
  within(2, () => readManifests(packageOf({ "m.yaml": text }), ["m.yaml"], faults, variables));
  return faults.map(({ message }) => message);
}

test.each<[string, string, string[]]>([
  [
    "aliases that double what they stand for",
    `data:\n${lines(60, (i) => `  k${i}: &d${i} ${i === 0 ? "[1]" : `[*d${i - 1}, *d${i - 1}]`}`)}`,
    ["has aliases that expand to more than 1048576 bytes, which is the limit"],
  ],
  [
    "mappings that merge the one before twice",
    `data:\n${lines(60, (i) => `  k${i}: &d${i} ${i === 0 ? "{a: 1}" : `{<<: [*d${i - 1}, *d${i - 1}], a${i}: 1}`}`)}`,
    ["has aliases that expand to more than 1048576 bytes, which is the limit"],
  ],
  [
    "aliases of a large text",
    `data:\n  a: &a ${"x".repeat(20_000)}\n${lines(90, (i) => `  k${i}: *a`)}`,
    ["has aliases that expand to more than 1048576 bytes, which is the limit"],
  ],
  [
    "thousands of aliases",
    `data:\n  a: &a x\n${lines(6_000, (i) => `  k${i}: *a`)}`,
    ["has more than 2000 anchors and aliases, which is the limit"],
  ],
  ["a mapping of half a megabyte", `data:\n${lines(25_000, (i) => `  k${i}: x`)}`, []],
  [
    "a key that is there twice, after thousands",
    `data:\n${lines(25_000, (i) => `  k${i}: x`)}\n  k7: x`,
    ["a key appears twice in a mapping"],
  ],
  [
    "mappings in each other",
    `data: ${"{a: ".repeat(250)}1${"}".repeat(250)}`,
    ["is nested deeper than 200 levels, which is the limit"],
  ],
  [
    "thousands of documents",
    `data: {}\n${"---\n".repeat(5_001)}`,
    ["has more than 5000 documents, which is the limit"],
  ],
])("%s", (_, text, faults) => {
  expect(faultsOf(HEAD + text + "\n")).toEqual(faults);
});

test("a file with nothing but errors tells the first of them", () => {
  expect(faultsOf("}\n".repeat(10_000))).toHaveLength(20);
  expect(faultsOf("---\na: @\n".repeat(4_000))).toHaveLength(20);
});

test("thousands of objects", () => {
  const objects = lines(2_001, (i) => `- { apiVersion: v1, kind: ConfigMap, metadata: { name: a${i} } }`);
  expect(faultsOf(`apiVersion: v1\nkind: List\nitems:\n${objects}\n`)).toEqual([
    "a CNF would have 2001 objects; at most 2000 are allowed",
  ]);
});

test("manifests that are too large together", () => {
  const text = `${HEAD}# ${"x".repeat(9 * 1024 * 1024)}\n`;
  const faults: Fault[] = [];
  readManifests(packageOf({ "a.yaml": text, "b.yaml": text }), ["a.yaml", "b.yaml"], faults);
  expect(faults.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    `b.yaml: has ${2 * text.length} bytes; the manifests of a CNF together may have at most 16777216`,
  ]);
});

describe("variables", () => {
  const given = new Variables({ X: "v" });

  test("the characters that stand for values, thousands of them", () => {
    expect(faultsOf(`${HEAD}data: { a: "${"\uE000".repeat(100_000)}" }\n`, given)).toEqual([]);
  });

  test("thousands that have no name", () => {
    expect(faultsOf(`${HEAD}data:\n${lines(20_000, (i) => `  k${i}: "\${"`)}\n`, given)).toHaveLength(20);
  });

  test("defaults in each other", () => {
    const deep = `${"${A:=".repeat(30_000)}${"}".repeat(30_000)}`;
    expect(faultsOf(`${HEAD}data: { a: "${deep}" }\n`, given)).toContain(
      "is a default nested in more than 20 others, which is the limit",
    );
  });
});

test("networks of a pod with many signs", () => {
  const networks = `${"@".repeat(100_000)}\nx`;
  const template = { metadata: { annotations: { "k8s.v1.cni.cncf.io/networks": `a${networks}` } } };
  expect(within(1, () => attachedNetworks(template))).toEqual(["a"]);
});
