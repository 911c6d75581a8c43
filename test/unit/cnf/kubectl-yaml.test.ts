import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readYaml, type YamlFault } from "../../../components/kube/manifests/yaml";
import { REPOSITORY } from "../../support/command";
import { CORPUS, describeWithCorpus } from "../../support/corpus";

/** The documents of a text; undefined where it has faults. */
function documentsOf(text: string): unknown[] | undefined {
  const faults: YamlFault[] = [];
  const documents = readYaml(text, faults).map(({ value }) => value);
  return faults.length > 0 ? undefined : documents;
}

/** Texts with the documents that kubectl reads of them; undefined where it refuses them. */
const TEXTS: Readonly<Record<string, readonly [text: string, documents: unknown[] | undefined]>> = {
  "a quoted text that ends at its key": [
    `spec:\n  config: '{\n  "type": "macvlan"\n  }'\n`,
    [{ spec: { config: '{ "type": "macvlan" }' } }],
  ],
  "a quoted text that ends at the beginning of the line": [
    `spec:\n    config: "{\n  x\n}"\n    name: web\n`,
    [{ spec: { config: "{ x }", name: "web" } }],
  ],
  "a quoted text at the top": ["config: '{\n}'\nname: web\n", [{ config: "{ }", name: "web" }]],
  "a quoted text in a list": ["- '{\n  x\n}'\n- b\n", [["{ x }", "b"]]],
  "a quoted text in brackets": [
    "spec:\n  args: ['a\nb', c]\n  name: web\n",
    [{ spec: { args: ["a b", "c"], name: "web" } }],
  ],
  "a quoted text as a key": ["spec:\n  'a': 'b\n\n c'\n", [{ spec: { a: "b\nc" } }]],
  "a quoted text with Windows' line ends": [
    "spec:\r\n  a: '{\r\n  }'\r\n  b: 1\r\n",
    [{ spec: { a: "{ }", b: 1 } }],
  ],
  "a list in brackets that ends before its key": [
    "spec:\n  args: [\n  a,\n]\n  name: web\n",
    [{ spec: { args: ["a"], name: "web" } }],
  ],
  "a mapping in brackets that ends before its key": [
    'spec:\n  labels: {\n"a": b\n}\n  name: web\n',
    [{ spec: { labels: { a: "b" }, name: "web" } }],
  ],
  "a quoted text across documents": ["a: 'b\n---\nc'\n", undefined],
  "a list in brackets across documents": ["a: [b,\n---\nc]\n", undefined],
  "a quoted text without an end": ["a: 'b\nc: d\n", undefined],
  "a list in brackets without an end": ["a: [b\nc: d\n", undefined],
  "a block text at the end of a file": ["a: |\n  x", [{ a: "x\n" }]],
  "a block text at the end of a file that keeps its line ends": ["a: |+\n  x", [{ a: "x\n" }]],
  "a block text at the end of a file that has none": ["a: |-\n  x", [{ a: "x" }]],
  "a block text at the end of a document": ["a: |\n  x\n---\nb: 1", [{ a: "x\n" }, { b: 1 }]],
};

test.each(Object.entries(TEXTS))("%s is read as kubectl reads it", (_, [text, documents]) => {
  expect(documentsOf(text)).toEqual(documents);
});

const hasGo = spawnSync("go", ["version"]).status === 0;
if (!hasGo) console.warn("skipped: the comparison with kubectl's reader, there is no go");

/** Answers of kubectl's own reader, in the order of the texts. */
function kubectlOf(texts: readonly string[]): (unknown[] | undefined)[] {
  const { status, stdout, stderr } = spawnSync("go", ["run", "."], {
    cwd: join(REPOSITORY, "toolchain/kubectl-yaml"),
    input: JSON.stringify(texts),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  const answers = JSON.parse(stdout) as { documents: unknown[]; error?: string }[];
  return answers.map(({ documents, error }) => (error === undefined ? documents : undefined));
}

function manifestsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ya?ml|json)$/.test(file))
    .map((file) => join(folder, file));
}

const COMPILES_FIRST = 300_000;

(hasGo ? describe : describe.skip)("kubectl's reader", () => {
  test(
    "agrees on the texts above",
    () => {
      const texts = Object.values(TEXTS);
      expect(kubectlOf(texts.map(([text]) => text))).toEqual(texts.map(([, documents]) => documents));
    },
    COMPILES_FIRST,
  );
});

(hasGo ? describeWithCorpus : describe.skip)("the packages of others and ours", () => {
  test(
    "are read as kubectl reads them",
    () => {
      const files = [CORPUS, join(REPOSITORY, "vnf-packages")].flatMap(manifestsIn);
      const texts = files.map((file) => readFileSync(file, "utf8"));
      const theirs = kubectlOf(texts);
      const differing = files.filter(
        (_, i) => JSON.stringify(sorted(documentsOf(texts[i] ?? ""))) !== JSON.stringify(sorted(theirs[i])),
      );
      expect(files.length).toBeGreaterThan(20);
      expect(differing).toEqual([]);
    },
    COMPILES_FIRST,
  );
});

/** The value with the keys of its mappings in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
