/** Constraints that a package's own types have for properties. */
import { flavour, packageOf, replaced } from "./support";

/** Warnings of a VNF node template whose type has a property `size` with constraints. */
function warningsOf(constraints: string, value: string): readonly string[] {
  const location = packageOf(
    replaced([
      "    derived_from: tosca.nodes.nfv.VNF\n    properties:\n",
      `    derived_from: tosca.nodes.nfv.VNF\n    properties:\n      size: { type: string, default: ${value}, constraints: ${constraints} }\n`,
    ]),
  );
  return flavour(location).warnings.filter((warning) => warning.includes("constraints"));
}

it.each([
  ["[ valid_values: [ small, large ] ]", "big", '"big" is not one of small, large'],
  ["[ equal: 3 ]", "4", "4 is not 3"],
  ["[ greater_than: 3 ]", "3", "3 is not more than 3"],
  ["[ greater_or_equal: 4 GB ]", "2 GB", '"2 GB" is less than 4 GB'],
  ["[ less_than: 3 ]", "3", "3 is not less than 3"],
  ["[ less_or_equal: 3 ]", "4", "4 is more than 3"],
  ["[ in_range: [ 1, 3 ] ]", "4", "4 is more than 3"],
  ["[ in_range: [ 1, UNBOUNDED ] ]", "0", "0 is less than 1"],
  ["[ min_length: 3 ]", "ab", '"ab" is shorter than 3'],
  ["[ max_length: 1 ]", "ab", '"ab" is longer than 1'],
  ["{ length: 3 }", "ab", '"ab" does not have the length 3'],
])("the reader warns of a value that constraints do not allow: %s", (constraints, value, problem) => {
  expect(warningsOf(constraints, value)).toEqual([
    expect.stringContaining(`${problem}, according to the constraints of acme.VNF`),
  ]);
});

it.each([
  ["[ valid_values: [ '1.0' ] ]", "1.0"],
  ["[ in_range: [ 1, UNBOUNDED ] ]", "9999"],
  ["[ greater_or_equal: 4 GB ]", "4096 MB"],
  ["[ min_length: 1, max_length: 9 ]", "abc"],
  ["[ pattern: '[a-z]+' ]", "123"],
  ["[ valid_values: [ a ] ]", "{ get_input: flavour }"],
])(
  "the reader takes what constraints allow, and what they cannot be compared with: %s",
  (constraints, value) => {
    expect(warningsOf(constraints, value)).toEqual([]);
  },
);
