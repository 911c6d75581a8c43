import { loadPackage } from "../../../components/vnfd/package";
import { faultsOf, folderOf, packageOf, replaced, vnfd, zipOf, type Files } from "./support";

describe("files that are no TOSCA", () => {
  test.each<[string, string | Buffer, RegExp]>([
    [
      "syntax",
      "description: 1\nb: [ 1,\nc: 2\n",
      /^vnfd\.yaml:2: column 4: the indentation is wrong, or a bracket is missing$/,
    ],
    [
      "two keys alike",
      "description: 1\ndescription: 2\n",
      /^vnfd\.yaml:2: column 1: a key appears twice in a mapping$/,
    ],
    [
      "two documents",
      "description: 1\n---\nb: 1\n",
      /^vnfd\.yaml:2: column 1: there is more than one document$/,
    ],
    ["a list", "- a\n", /^vnfd\.yaml:1: is not a TOSCA service template: a map is expected$/],
    [
      "an alias of nothing",
      "imports: *b\n",
      /^vnfd\.yaml:1: column 10: an alias has no anchor before it; quote a string that begins with \*$/,
    ],
    ["deep", `imports: ${"[".repeat(20000)}`, /^vnfd\.yaml:1: column \d+: is nested too deeply$/],
  ])("%s", (_, content, expected) => {
    expect(faultsOf(() => loadPackage(packageOf(content.toString())))[0]).toMatch(expected);
  });

  test.each(["", "---\n", "# nothing yet\n", "\uFEFF\n"])("an empty VNFD: %j", (content) => {
    expect(faultsOf(() => loadPackage(packageOf(content)))).toEqual([`vnfd.yaml: is empty; ${READ}`]);
  });

  test("a VNFD of its version alone", () => {
    expect(
      faultsOf(() => loadPackage(packageOf("tosca_definitions_version: tosca_simple_yaml_1_3\n"))),
    ).toEqual([
      "vnfd.yaml:1: topology_template.substitution_mappings: is missing",
      "vnfd.yaml:1: topology_template.node_templates: has no node template of a type derived from tosca.nodes.nfv.VNF",
    ]);
  });
});

const READ = "vnfm reads only VNFDs of SOL001, which are TOSCA service templates";
const meta = "TOSCA-Metadata/TOSCA.meta";
const faults = (files: Files) => faultsOf(() => loadPackage(folderOf(files)));
const manifests = "apiVersion: v1\nkind: Namespace\n---\napiVersion: v1\nkind: Service\n";

describe("what others have in the place of a VNFD", () => {
  test.each([
    ["a Heat template", "heat_template_version: 2018-08-31\nresources: {}\n"],
    [
      "a VNFD of the old NFV profile of TOSCA",
      "tosca_definitions_version: tosca_simple_profile_for_nfv_1_0_0\ntopology_template: {}\n",
    ],
    ["a VNFD of OSM (SOL006)", "vnfd:\n  id: a\n  product-name: a\n"],
    ["a VNFD of OSM (SOL006)", "vnfd:vnfd-catalog:\n  vnfd: []\n"],
    ["an NSD of OSM (SOL006)", "nsd:\n  nsd: []\n"],
    ["a descriptor of 5GTANGO", '---\ndescriptor_schema: "https://example.com/vnfd-schema.yml"\nname: a\n'],
    ["a Kubernetes manifest", manifests],
    ["the Chart.yaml of a Helm chart", "apiVersion: v2\nname: a\nversion: 1.0.0\n"],
    [
      "a file with the key toscaDefinitionsVersion, which TOSCA spells tosca_definitions_version",
      "toscaDefinitionsVersion: tosca_simple_yaml_1_3\n",
    ],
    [
      "a file with the key TOSCA-Definitions-Version, which TOSCA spells tosca_definitions_version",
      "TOSCA-Definitions-Version: tosca_simple_yaml_1_3\ntopology_template: {}\n",
    ],
    ["a file with no key of TOSCA at its top, but with services", "services:\n  web: {image: nginx}\n"],
    [
      "a file with no key of TOSCA at its top, but with a, b, c, d, e, more",
      '{ "a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1 }',
    ],
    ["a VNFD of OSM (SOL006)", '{ "vnfd": { "id": "a" } }'],
  ])("%s", (what, content) => {
    expect(faults({ "some.yaml": content })).toEqual([`some.yaml: is ${what}; ${READ}`]);
  });

  test("a kustomization, and beside it what it is made of", () => {
    const content = "resources: [ deployment.yaml ]\n";
    expect(faults({ "kustomization.yaml": content })).toEqual([
      `kustomization.yaml: is a kustomization; ${READ}`,
    ]);
    expect(
      faults({ "kustomization.yaml": content, "deployment.yaml": manifests, "vnfd.yaml": vnfd }),
    ).toEqual([
      `${meta}: is missing, and the package's root has more than one .yaml file: deployment.yaml (a Kubernetes manifest), kustomization.yaml (a kustomization), vnfd.yaml`,
    ]);
  });

  test("a zip that is named as the VNFD", () => {
    expect(
      faults({ [meta]: "Entry-Definitions: vnf.csar\n", "vnf.csar": "PK\u0003\u0004 and more" }),
    ).toEqual([`vnf.csar: is a zip; ${READ}`]);
  });

  test.each<[string, Files, string]>([
    [
      "a signed package",
      { "vnf.csar": "", "vnf.cms": "", "vnf.cert": "" },
      "this is a signed package: unpack it, and use vnf.csar as the package; the signature is not checked",
    ],
    ["a package in a package", { "vnf.zip": "" }, "the package itself is vnf.zip: unpack it, and use that"],
    [
      "a package in a folder of a package",
      { "out/vnf.csar": "" },
      "the package itself is out/vnf.csar: unpack it, and use that",
    ],
    [
      "a folder in a package",
      { "vnf/vnfd.yaml": vnfd, "vnf/Files/a.yaml": "" },
      "there is vnf/vnfd.yaml: pack the content of vnf/, not the folder itself",
    ],
    [
      "a package of OSM",
      { "vnf/vnfd.yaml": "vnfd:\n  id: a\n", "vnf/README.md": "" },
      `vnf/vnfd.yaml is a VNFD of OSM (SOL006); ${READ}`,
    ],
    [
      "a package of 5GTANGO",
      { "TOSCA-Metadata/NAPD.yaml": "", "Definitions/vnfd.yml": "" },
      `TOSCA-Metadata/NAPD.yaml is that of a package of 5GTANGO; ${READ}`,
    ],
  ])("%s", (_, files, message) => {
    expect(faults(files)).toEqual([`${meta}: is missing, and ${message}`]);
  });

  test.each([
    ["an NSD", "tosca.nodes.nfv.NS"],
    ["a PNFD", "tosca.nodes.nfv.PNF"],
  ])("%s", (what, base) => {
    const text = replaced(
      ["derived_from: tosca.nodes.nfv.VNF", `derived_from: ${base}`],
      ["scope: nfvi_node", "scope: []"],
    );
    expect(faults({ "some.yaml": text })).toEqual([
      `some.yaml:15: topology_template.substitution_mappings.node_type: is the type of ${what}; ${READ}`,
    ]);
  });
});

test("a part of an NSD without a node template of an NS", () => {
  const link = "    NSL: { type: tosca.nodes.nfv.NsVirtualLink }\n  groups:\n";
  expect(faults({ "some.yaml": replaced(["  groups:\n", link]) })).toEqual([
    `some.yaml:59: topology_template.node_templates.NSL.type: is the type of a part of an NSD; ${READ}`,
  ]);
});

test("several node templates of a VNF", () => {
  const second = "    VNF2: { type: acme.VNF }\n  groups:\n";
  expect(faults({ "some.yaml": replaced(["  groups:\n", second]) })).toEqual([
    "some.yaml:59: VNF2: is a VNF beside VNF; a VNFD has one node template of a VNF",
  ]);
});

test("imports of files that are no TOSCA", () => {
  const text = "imports: [ values.yaml, empty.yaml ]\n";
  const files = {
    "Definitions/vnfd.yaml": text,
    "Definitions/values.yaml": "replicas: 1\n",
    "Definitions/empty.yaml": "",
  };
  expect(faults({ [meta]: "Entry-Definitions: Definitions/vnfd.yaml\n", ...files })).toEqual([
    `Definitions/values.yaml: is a file with no key of TOSCA at its top, but with replicas; ${READ}`,
  ]);
});

test("names in a zip that all begin with ./", () => {
  const zip = zipOf([
    { name: "./" },
    { name: "./Definitions/" },
    { name: `./${meta}`, data: "Entry-Definitions: Definitions/vnfd.yaml\n" },
    { name: "./Definitions/vnfd.yaml", data: vnfd },
  ]);
  expect(loadPackage(zip).files.list()).toEqual([meta, "Definitions/vnfd.yaml"]);
});
