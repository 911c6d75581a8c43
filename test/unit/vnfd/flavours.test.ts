import { loadPackage } from "../../../components/vnfd/package";
import { faultsOf, folderOf, packageOf, replaced, vnfd } from "./support";

describe("flavours", () => {
  const mappings = "properties: { flavour_id: simple }";

  test.each([
    [
      "substitution_filter of SOL001 3.3.1",
      "substitution_filter: { properties: [ flavour_id: { equal: big } ] }",
      "big",
    ],
    [
      "a list of constraints",
      "substitution_filter: { properties: [ flavour_id: [ { equal: big } ] ] }",
      "big",
    ],
    ["a number", "properties: { flavour_id: 1.0 }", "1.0"],
  ])("id from %s", (_, text, id) => {
    expect(Object.keys(loadPackage(packageOf(replaced([mappings, text]))).vnfd.flavours)).toEqual([id]);
  });

  test("id and VDU of any name", () => {
    const text = replaced([mappings, "properties: { flavour_id: __proto__ }"]).replaceAll(
      "VDU1",
      "__proto__",
    );
    const flavours = Object.entries(loadPackage(packageOf(text)).vnfd.flavours);
    expect(flavours.map(([id, { vdus }]) => [id, Object.keys(vdus)])).toEqual([["__proto__", ["__proto__"]]]);
  });

  test("id from the VNF node where nothing is substituted", () => {
    const text = vnfd
      .replace(/ {2}substitution_mappings:[^]*?(?= {2}node_templates)/, "")
      .replace("flavour_description:", "flavour_id: only, flavour_description:");
    expect(Object.keys(loadPackage(packageOf(text)).vnfd.flavours)).toEqual(["only"]);
  });

  test("id from the VNF node, or its type, where the substitution mappings have none", () => {
    const without = replaced([mappings, ""]);
    const ofNode = without.replace("flavour_description:", "flavour_id: node, flavour_description:");
    const ofType = without.replace("properties:\n", "properties:\n      flavour_id: { default: type }\n");
    const ids = [ofNode, ofType].map((text) => Object.keys(loadPackage(packageOf(text)).vnfd.flavours));
    expect(ids).toEqual([["node"], ["type"]]);
  });

  test("no id anywhere, or none that is certain, is a fault", () => {
    const filter = "substitution_filter: { properties: [ flavour_id: { valid_values: [ a, b ] } ] }";
    const faults = ["", filter].map((text) =>
      faultsOf(() => loadPackage(packageOf(replaced([mappings, text])))),
    );
    expect(faults).toEqual([
      ["vnfd.yaml:15: topology_template.substitution_mappings.properties.flavour_id: is missing"],
      [
        "vnfd.yaml:16: topology_template.substitution_mappings.substitution_filter.properties[0].flavour_id.equal: is missing",
      ],
    ]);
  });

  test("imports: every form, relative to the file, cycles, the types of ETSI present or not", () => {
    const top = `imports: [ { file: flavours/a.yaml }, types: types/t.yaml, etsi: { file: etsi_nfv_sol001_common_types.yaml } ]
topology_template:
  inputs: { selected_flavour: { type: string } }
  node_templates:
    VNF: { type: x.VNF, properties: { flavour_id: { get_input: selected_flavour }, provider: P } }
`;
    const types = `imports: [ ../Definitions/top.yaml ]
node_types:
  x.Base:
    derived_from: tosca.nodes.nfv.VNF
    properties: { descriptor_id: { default: i }, descriptor_version: { default: v }, provider: { default: Q } }
  x.VNF:
    derived_from: x.Base
    properties: { product_name: { default: n }, software_version: { default: s }, descriptor_id: { default: j } }
`;
    const df = (id: string, imports: string) => `imports: [ ${imports} ]
topology_template:
  substitution_mappings: { node_type: x.VNF, properties: { flavour_id: ${id} } }
  node_templates:
    unit: { type: x.Unit, properties: { name: ${id} } }
node_types:
  x.Unit:
    derived_from: tosca.nodes.nfv.Vdu.Compute
    properties: { vdu_profile: { default: { min_number_of_instances: 0, max_number_of_instances: 3 } } }
`;
    const { vnfd } = loadPackage(
      folderOf({
        "TOSCA-Metadata/TOSCA.meta":
          "TOSCA-Meta-File-Version: 1.0\nEntry-Definitions: Definitions/top.yaml\n",
        "Definitions/top.yaml": top.replace("types/t.yaml", "../types/t.yaml"),
        "Definitions/etsi_nfv_sol001_common_types.yaml": "this: is: never read",
        "Definitions/flavours/a.yaml": df("a", "./b.yaml, a.yaml, ../../types/t.yaml"),
        "Definitions/flavours/b.yaml": df("b", "../top.yaml"),
        "types/t.yaml": types,
      }),
    );
    expect(vnfd).toMatchObject({
      descriptorId: "j",
      descriptorVersion: "v",
      provider: "P",
      productName: "n",
      softwareVersion: "s",
    });
    expect(
      Object.values(vnfd.flavours).map((f) => [f.id, f.vdus["unit"]?.name, f.vdus["unit"]?.maxInstances]),
    ).toEqual([
      ["a", "a", 3],
      ["b", "b", 3],
    ]);
  });
});
