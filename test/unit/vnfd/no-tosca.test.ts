import { loadPackage } from "../../../components/vnfd/package";
import { faultsOf, packageOf } from "./support";

describe("files that are no TOSCA", () => {
  test.each<[string, string | Buffer, RegExp]>([
    [
      "syntax",
      "a: 1\nb: [ 1,\nc: 2\n",
      /^vnfd\.yaml:3: column 1: the indentation is wrong, or a bracket is missing$/,
    ],
    ["two keys alike", "a: 1\na: 2\n", /^vnfd\.yaml:2: column 1: a key is twice in a mapping$/],
    ["two documents", "a: 1\n---\nb: 1\n", /^vnfd\.yaml:2: column 1: there is more than one document$/],
    ["a list", "- a\n", /^vnfd\.yaml:1: is not a TOSCA service template: a map is expected$/],
    [
      "an alias of nothing",
      "a: *b\n",
      /^vnfd\.yaml:1: column 4: an alias has no anchor before it; quote a text that begins with \*$/,
    ],
    ["deep", `a: ${"[".repeat(20000)}`, /^vnfd\.yaml:1: column \d+: is nested too deeply$/],
  ])("%s", (_, content, expected) => {
    expect(faultsOf(() => loadPackage(packageOf(content.toString())))[0]).toMatch(expected);
  });

  test("an empty VNFD", () => {
    expect(faultsOf(() => loadPackage(packageOf("")))).toEqual([
      "vnfd.yaml: topology_template.substitution_mappings: is missing",
      "vnfd.yaml: topology_template.node_templates: has no node template of a type derived from tosca.nodes.nfv.VNF",
    ]);
  });
});
