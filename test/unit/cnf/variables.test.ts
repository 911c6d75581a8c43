/** Variables of manifests, as clusterctl resolves them, with values that are data. */
import fc from "fast-check";
import { readManifests } from "../../../components/kube/manifests/manifests";
import { Secret } from "../../../components/base/secret";
import { resolveVariables, Variables } from "../../../components/kube/manifests/variables";
import { markOf } from "../../../components/kube/objects/attributes";
import type { Fault } from "../../../components/vnfd/model";
import { packageOf, planned } from "./support";

type Values = Readonly<Record<string, string | number | boolean>>;

/** The value at `data.key` of a ConfigMap that is written so, or what is wrong. */
function read(written: string, values: Values = {}): unknown {
  const faults: Fault[] = [];
  const yaml = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  key: ${written}\n`;
  const found = readManifests(packageOf({ "m.yaml": yaml }), ["m.yaml"], faults, new Variables(values));
  if (faults.length > 0) return faults.map(({ line, message }) => `${line}: ${message}`);
  return (found[0]?.object["data"] as { key: unknown }).key;
}

// drone/envsubst v2.0.0-20210730161058 gives the same, with a text for each
test.each<[string, Values, unknown]>([
  ["a", {}, "a"],
  ["${X}", { X: "v" }, "v"],
  ["${ X }", { X: "v" }, "v"],
  ["a-${X}-${Y}", { X: "v", Y: "w" }, "a-v-w"],
  ["${X:=d}", {}, "d"],
  ["${X:-d}", {}, "d"],
  ["${X=d}", {}, "d"],
  ["${X:=d}", { X: "v" }, "v"],
  ["${X:=d}", { X: "" }, "d"],
  ["a${X}", { X: "" }, "a"],
  ["a${X:=}", {}, "a"],
  ["--address=${X:=:8443}", {}, "--address=:8443"],
  ["${X:=${Y}}", { Y: "w" }, "w"],
  ["${X:=a${Y:=b}c}", {}, "abc"],
  ["${X:=$Y}", {}, "$Y"],
  ["$${X}", {}, "${X}"],
  ["$$ $X 5$", {}, "$ $X 5$"],
])("%s with %j", (written, values, value) => {
  expect(read(written, values)).toBe(value);
});

test.each<[string, Values, unknown]>([
  ["${X}", { X: 3 }, 3],
  ["${X}", { X: "3" }, 3],
  ["${X}", { X: true }, true],
  ["${X}", { X: "off" }, false],
  ["${X}", { X: "~" }, null],
  ['"${X}"', { X: 3 }, "3"],
  ["'${X}'", { X: true }, "true"],
  ["a${X}", { X: 3 }, "a3"],
  ["!!str ${X}", { X: 3 }, "3"],
  ["${X:=3}", {}, 3],
  ["${X:=[1, 2]}", {}, [1, 2]],
])("its place says of which type a value is: %s with %j", (written, values, value) => {
  expect(read(written, values)).toEqual(value);
});

test.each([
  "a: b",
  "a # b",
  "- a",
  "*a",
  "&a",
  "[a]",
  "{a: b}",
  "a\nb: c",
  '"',
  "'",
  " a ",
  "${Y}",
  "$$",
  "\uE0001\uE001",
])("a value is data wherever it stands: %j", (value) => {
  for (const written of ["${X}", '"${X}"', "'${X}'", "|-\n    ${X}", ">-\n    ${X}", "[ ${X} ]"])
    expect([read(written, { X: value })].flat()).toEqual([value]);
  expect(read("${X}", { X: `${value}!` })).toBe(`${value}!`);
});

test("no value changes what is around it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (value) => {
      expect(read('"<${X}>"', { X: value })).toBe(`<${value}>`);
      expect(read("<${X}>", { X: value })).toBe(`<${value}>`);
    }),
  );
});

// the table of tests of drone/envsubst, and what its code says besides
test.each<[string, string, string]>([
  ["${#X}", "abcdEFGH28ij", "12"],
  ["${#X}", "ä", "2"],
  ["${X^}", "abcdEFGH28ij", "AbcdEFGH28ij"],
  ["${X^^}", "abcdEFGH28ij", "ABCDEFGH28IJ"],
  ["${X,}", "ABCDEFGH28IJ", "aBCDEFGH28IJ"],
  ["${X,,}", "ABCDEFGH28IJ", "abcdefgh28ij"],
  ["${X:11}", "/home/bozo/ideas/thoughts.for.today", "ideas/thoughts.for.today"],
  ["${X:11:5}", "/home/bozo/ideas/thoughts.for.today", "ideas"],
  ["<${X: -3}>", "v1.33.0", "<3.0>"],
  ["<${X:9}>", "short", "<>"],
  ["${X/%abc/XYZ}", "abcABC123ABCabc", "abcABC123ABCXYZ"],
  ["${X/#abc/XYZ}", "abcABC123ABCabc", "XYZABC123ABCabc"],
  ["${X//abc/xyz}", "abcABC123ABCabc", "xyzABC123ABCxyz"],
  ["${X/abc/xyz}", "abcABC123ABCabc", "xyzABC123ABCabc"],
  ["${X/\\//-}", "foo/bar", "foo-bar"],
  ["${X//\\//-}", "foo/bar/baz", "foo-bar-baz"],
  ["${X/./}", "foo.bar", "foobar"],
  ["${X#*.}", "bash.string.txt", "string.txt"],
  ["${X#*/}", "path/to/file", "to/file"],
  ["${X#*/}", "/path/to/file", "path/to/file"],
  ["${X##*.}", "bash.string.txt", "txt"],
  ["${X##*/}", "path/to/file", "file"],
  ["${X##*/}", "/path/to/file", "file"],
  ["${X%.*}", "bash.string.txt", "bash.string"],
  ["${X%%.*}", "bash.string.txt", "bash"],
  ["${X%.*}", "none", "none"],
  ["${X#v?}", "v1.33", ".33"],
  ["${X##[a-v0-9]}", "v1", "1"],
  ["${X#[^a-u]}", "v1", "1"],
  ["${X#[}", "[1", "[1"],
  ["${Y:=${X^^}}", "a", "A"],
])("%s of %s", (written, value, changed) => {
  expect(read(`'${written}'`, { X: value })).toBe(changed);
});

test("a pattern of many stars takes no longer for a long value", () => {
  const value = "a".repeat(20_000);
  expect(read("${X%%*a*a*a*a*a*a*a*a*b}", { X: value })).toBe(value);
});

test("a value that only the run knows is not changed", () => {
  const value = markOf("an attribute");
  expect(read("${X}", { X: value })).toBe(value);
  expect(read("${X%.*}", { X: value })).toEqual([
    "6: ${X} is an output of another instance, which is not yet known: write it without an operator",
  ]);
});

test("a changed secret value is a secret", () => {
  const variables = new Variables({ X: new Secret("s3cret.v1") });
  const { text, fill } = resolveVariables("${X%.*}", variables, []);
  expect(fill(text)).toEqual({ text: "s3cret", secret: true });
});

test("values in keys, with their order and without a second one", () => {
  expect(read("{ a/${X}: 1 }", { X: "b" })).toEqual({ "a/b": 1 });
  expect(read("{ ${X:=b}: 1, b: 2 }")).toEqual(["6: a key appears twice in a mapping"]);
  expect(read("{ ${X}: 1, b: 2 }", { X: "b" })).toEqual(["6: a key appears twice in a mapping"]);
});

test.each([
  ["${X}", "${X} has no default; set it under additionalParams.variables of the instance"],
  ["${Y:=${X}}", "${X} has no default; set it under additionalParams.variables of the instance"],
  ["${X:=a", "a variable's default does not end; a } is missing"],
  [
    "${X:?needed}",
    "${X:?needed: is not a variable as ${X}, ${X:=default} or ${X%word}, in a form that clusterctl supports; write $$ for a dollar sign",
  ],
  ["${X%.*}", "${X} has no default; set it under additionalParams.variables of the instance"],
])("an unresolvable variable is a fault with its line: %s", (written, message) => {
  expect(read(written)).toEqual(expect.arrayContaining([`6: ${message}`]));
});

test("a default that is not used may have no value", () => {
  expect(read("${Y:=${X}}", { Y: "v" })).toBe("v");
});

test("a number that cannot be kept is a fault, as where it is written", () => {
  expect(read("${X}", { X: "12345678901234567890" })).toEqual([
    "6: an integer is too large to be kept exactly; quote it if it is a string",
  ]);
});

describe("of a CNF", () => {
  const YAML = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  key: "${SIZE:=s}"\n';
  const dataOf = (variables?: Values) => {
    const { plan } = planned(YAML, { params: variables === undefined ? {} : { variables } });
    return { data: plan.objects[0]?.object["data"], warnings: plan.warnings };
  };

  it("takes the manifests as they are where no variables are set: a shell's text may look so", () => {
    expect(dataOf()).toEqual({ data: { key: "${SIZE:=s}" }, warnings: [] });
  });

  it("resolves them where some are set, even none", () => {
    expect(dataOf({})).toEqual({ data: { key: "s" }, warnings: [] });
    expect(dataOf({ SIZE: "m" })).toEqual({ data: { key: "m" }, warnings: [] });
  });

  it("warns of a value that nobody asks for", () => {
    expect(dataOf({ SIZES: "m" }).warnings).toEqual([
      'vnfm:vnfs.cnf.additionalParams.variables.SIZES: no manifest has ${SIZES}; it is ignored; did you mean "SIZE"?',
    ]);
  });
});
