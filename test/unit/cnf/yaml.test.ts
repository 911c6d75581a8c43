import { jsonStream } from "../../../components/base/yaml/json-stream";
import { readYaml, type YamlFault } from "../../../components/kube/manifests/yaml";

function read(text: string): { values: unknown[]; faults: YamlFault[] } {
  const faults: YamlFault[] = [];
  const values = readYaml(text, faults).map(({ value }) => value);
  return { values, faults };
}

// each as sigs.k8s.io/yaml 1.4.0 (goyaml.v2/resolve.go) has it
test.each<[string, unknown]>([
  ["0644", 420],
  ["0o644", 420],
  ["-0644", -420],
  ["08", 8],
  ["0x1F", 31],
  ["0b101", 5],
  ["1_000", 1000],
  ["+5", 5],
  ["1e3", 1000],
  [".5", 0.5],
  ["1.", 1],
  ["0", 0],
  ["yes", true],
  ["On", true],
  ["y", true],
  ["n", false],
  ["no", false],
  ["OFF", false],
  ["TRUE", true],
  ["yEs", "yEs"],
  ["~", null],
  ["NULL", null],
  ["190:20:30", "190:20:30"],
  ["2026-11-21", "2026-11-21"],
  ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"],
  ["v1", "v1"],
  ["10.96.0.0/12", "10.96.0.0/12"],
  ["1.2.3", "1.2.3"],
  ["100m", "100m"],
  ['"0644"', "0644"],
  ["'yes'", "yes"],
  ["!!str 0644", "0644"],
  ['!!int "5"', 5],
  ["'08'", "08"],
])("%s is read as Kubernetes reads it", (text, value) => {
  expect(read(`a: ${text}`)).toEqual({ values: [{ a: value }], faults: [] });
});

test("keys are text, whatever they look like", () => {
  expect(read("on: 1\n0644: 2\nx: 3").values).toEqual([{ true: 1, 420: 2, x: 3 }]);
});

test("merge keys give way to what stands beside them", () => {
  expect(read("a: &a {p: 1, q: 2}\nb: {<<: *a, q: 3}").values).toEqual([
    { a: { p: 1, q: 2 }, b: { p: 1, q: 3 } },
  ]);
});

const schemaOf = (way: string) =>
  `spec: {versions: [{schema: {openAPIV3Schema: {type: object, ${way}: 9223372036854775807${"}".repeat(way.split("{").length - way.split("}").length)}}}}]}`;
const EXACTLY = [
  { line: 1, message: "an integer is too large to be kept exactly; quote it if it is a string" },
];

test.each([
  ["maximum", []],
  ["properties: {size: {format: int64, minimum", []],
  ["properties: {default: {maximum", []],
  ["properties: {a: {items: {properties: {b: {multipleOf", []],
  ["additionalProperties: {anyOf: [{maximum: 1}], maximum", []],
  ["default: {maximum", EXACTLY],
  ["properties: {a: {default", EXACTLY],
  ["properties: {a: {maxLength", EXACTLY],
  ["properties: {maximum", EXACTLY],
])("numbers of a CRD's schema are rounded only if the API keeps them as floats: %s", (way, faults) => {
  const found = read(schemaOf(way));
  expect(found.faults).toEqual(faults);
  const value = JSON.stringify(found.values);
  if (faults.length === 0) expect(value).toContain(":9223372036854776000}");
});

test("an integer of another base is as large as it is", () => {
  expect(read("a: 0xFFFFFFFFFFFFFFFF").faults).toEqual(EXACTLY);
  expect(read("a: 0x1F_FFFF_FFFF_FFFF")).toEqual({ values: [{ a: 2 ** 53 - 1 }], faults: [] });
  expect(read("a: 1e300")).toEqual({ values: [{ a: 1e300 }], faults: [] });
});

test("JSON objects follow one another with and without a line between them", () => {
  const found: YamlFault[] = [];
  const text = '{"a": "}{", "b": [{}]}\n{"a":\n  2} {"a": "\\""}\n\n{"a": 9007199254740993}\n';
  const documents = readYaml(text, found);
  expect(documents.map(({ value, line, root }) => [value, line(root)])).toEqual([
    [{ a: "}{", b: [{}] }, 1],
    [{ a: 2 }, 2],
    [{ a: '"' }, 3],
  ]);
  expect(found).toEqual([{ line: 5, message: EXACTLY[0]?.message }]);
});

test.each(['{"a": 1} x {"a": 2}', '{"a": 1}}{', '{"a": 1}\n{"a": ', '{"a": 1}{"a": "}'])(
  "a text that is no stream of JSON is a fault: %j",
  (text) => {
    expect(read(text).faults).not.toEqual([]);
  },
);

test("a text without its end makes no stream, however many quotes come after it", () => {
  expect(jsonStream('{"a": " }{}')).toEqual([]);
  expect(jsonStream(`{"${'\\"'.repeat(300_000)}`)).toEqual([]);
});

test("empty documents and comments between documents are no documents", () => {
  expect(read("---\n---\n# nothing\n---\na: 1\n---\n\n--- # two\na: 2\n...\n").values).toEqual([
    { a: 1 },
    { a: 2 },
  ]);
});

test.each([
  ["a: 1\nb: 2\na: 3", 3, /^a key appears twice in a mapping$/],
  ["a: .inf", 1, /Kubernetes cannot store infinity or NaN/],
  ["a: 1\nb: 9007199254740993", 2, /too large to be kept exactly/],
  ["a: !!binary aGk=", 1, /write the base64 as a string/],
  ["a: *nowhere", 1, /an alias has no anchor before it/],
  ["a: [1", 1, /./],
  ["a:\n  ~: 1", 2, /a key of a mapping must be a string/],
  ["[a, b]: 1", 1, /a key of a mapping must be a string/],
  ["a: !site b", 1, /a tag is not known/],
])("%j is a fault at its line", (text, line, message) => {
  const { faults } = read(text);
  expect(faults[0]).toEqual({ line, message: expect.stringMatching(message) as string });
});
