import { entriesOf } from "../../../components/gather/chart-index";
import { within } from "../../support/within";

const INDEX = `apiVersion: v1
# of a mirror
entries:
  # listed by name
  other:
    - version: 9.0.0
      description: |
        web:
          - version: 8.0.0
  web:
  - version: 1.0.0
    urls:
    - web-1.0.0.tgz

  - version: 0.9.0
    urls: []
  "web-2":
  - version: 3.0.0
generated: "2024-01-01T00:00:00Z"
`;

test.each<[string, string, string[]]>([
  ["the lines of its chart", INDEX, ["1.0.0", "0.9.0"]],
  ["the same with line ends of Windows", INDEX.replaceAll("\n", "\r\n"), ["1.0.0", "0.9.0"]],
  ["the last chart", "entries:\n  web:\n  - version: 1.0.0", ["1.0.0"]],
  ["a name in quotes", "entries:\n  'web':\n  - version: 1.0.0\n  a: []\n", ["1.0.0"]],
  ["a list on the line of the name", "entries:\n  web: [{ version: 1.0.0 }]\n", ["1.0.0"]],
  [
    "a list with a greater indentation",
    "entries:\n    web:\n        - version: 1.0.0\n    a: []\n",
    ["1.0.0"],
  ],
  ["an index on one line", "entries: {web: [{version: 1.0.0}]}", ["1.0.0"]],
  ["an index that is JSON", '{"entries": {"web": [{"version": "1.0.0"}]}}', ["1.0.0"]],
  ["no such chart", INDEX.replace("\n  web:", "\n  wed:"), []],
  ["no chart at all", "apiVersion: v1\nentries: {}\n", []],
  ["an empty list", "entries:\ngenerated: x\n", []],
  ["nothing", "", []],
])("%s", (_, index, versions) => {
  expect(entriesOf(index, "web").map(({ version }) => version)).toEqual(versions);
});

test.each<[string, string, string]>([
  [
    "no YAML",
    "entries:\n  web: [\n",
    "the part of the index about web is not valid YAML: line 1, column 8: the indentation is wrong",
  ],
  [
    "aliases that double what they stand for",
    `entries:\n  web:\n${Array.from({ length: 60 }, (_, i) => `  - &a${i} ${i === 0 ? "[1]" : `[*a${i - 1}, *a${i - 1}]`}`).join("\n")}\n`,
    "the part of the index about web is not valid YAML: line 16, column 11: has aliases that expand to more than 1048576 bytes, which is the limit",
  ],
  [
    "a large index on one line",
    `entries: {web: [{description: ${"x".repeat(4 * 1024 * 1024)}}]}`,
    "the index has 4194337 bytes and does not have the format that Helm writes; at most 4194304 are read",
  ],
  [
    "too much about one chart",
    `entries:\n  web:\n  - description: ${"x".repeat(4 * 1024 * 1024)}\n`,
    "the index has 4194329 bytes about web; at most 4194304 are read",
  ],
])("refused: %s", (_, index, message) => {
  expect(() => entriesOf(index, "web")).toThrow(message);
});

test("a large index is read in the time that its lines take", () => {
  const charts = Array.from(
    { length: 30_000 },
    (_, i) =>
      `  chart${i}:\n  - version: ${i}.0.0\n    description: ${"d".repeat(900)}\n    urls:\n    - chart${i}.tgz\n`,
  );
  const index = `entries:\n${charts.join("")}`;
  expect(index.length).toBeGreaterThan(28_000_000);
  expect(within(2, () => entriesOf(index, "chart29999"))).toEqual([
    { version: "29999.0.0", description: "d".repeat(900), urls: ["chart29999.tgz"] },
  ]);
});
