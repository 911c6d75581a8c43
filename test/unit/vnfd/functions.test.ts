/** Functions of TOSCA in place of values. */
import { loadPackage } from "../../../components/vnfd/package";
import { within } from "../../support/within";
import { faultsOf, flavour, folderOf, packageOf, replaced } from "./support";

const INPUTS =
  "inputs: { user: { default: alice }, hosts: { default: { all: [ a, b ] } }, none: { type: string } }";

/** A package whose VDU1 has such properties beside its others. */
const packageWith = (...properties: readonly string[]) =>
  packageOf(
    replaced(
      ["topology_template:\n", `topology_template:\n  ${INPUTS}\n`],
      ["        name: one\n", ["        name: one", ...properties].join("\n        ") + "\n"],
    ),
  );
const bootData = (value: string) => flavour(packageWith(`boot_data: ${value}`)).vdus["VDU1"]?.bootData;
const faults = (...properties: readonly string[]) => faultsOf(() => loadPackage(packageWith(...properties)));

test.each([
  ["concat", "{ concat: [ '#!/bin/sh', ' ', -e ] }", "#!/bin/sh -e"],
  ["join", "{ join: [ [ '#!/bin/sh', { get_input: user }, b ], '-' ] }", "#!/bin/sh-alice-b"],
  ["join without a delimiter", "{ join: [ [ a, b ] ] }", "ab"],
  ["token", "{ token: [ '10.9.0.7', '.', 3 ] }", "7"],
  ["get_input", "{ get_input: user }", "alice"],
  ["get_input of a part", "{ get_input: [ hosts, all, 1 ] }", "b"],
  ["get_property of itself", "{ get_property: [ SELF, name ] }", "one"],
  ["get_property of a part", "{ get_property: [ VDU1, vdu_profile, max_number_of_instances ] }", "4"],
  [
    "get_property of a capability",
    "{ get_property: [ SELF, virtual_compute, virtual_cpu, num_virtual_cpu ] }",
    "2",
  ],
  ["get_property of a default of a type", "{ get_property: [ VNF, provider ] }", "Acme"],
  [
    "functions in each other",
    "{ concat: [ user=, { get_input: user }, ' ', { token: [ { get_property: [ VOL1, sw_image_data, name ] }, '-', 0 ] } ] }",
    "user=alice data",
  ],
])("%s as boot data", (_, value, expected) => {
  expect(bootData(value)).toBe(expected);
});

test("an artifact is its content as boot data, and its path elsewhere", () => {
  const text = (value: string) =>
    replaced(
      ["        name: one\n", `        name: one\n        boot_data: ${value}\n`],
      [
        "      requirements:\n        - virtual_storage: VOL1\n",
        "      artifacts: { init: { type: tosca.artifacts.File, file: Files/init.sh }, short: Files/init.sh }\n      requirements:\n        - virtual_storage: VOL1\n",
      ],
    );
  const read = (value: string) =>
    flavour(folderOf({ "vnfd.yaml": text(value), "Files/init.sh": "#!/bin/sh" }));
  for (const value of [
    "{ get_artifact: [ SELF, init ] }",
    "{ content_or_file_data: { content: { get_artifact: [ VDU1, init ] } } }",
    "{ content_or_file_data: { source_path: { get_artifact: [ SELF, short ] } } }",
  ])
    expect(read(value).vdus["VDU1"]?.bootData).toBe("#!/bin/sh");
  const { vdus, warnings } = read("{ concat: [ 'path=', { get_artifact: [ SELF, init ] } ] }");
  expect(vdus["VDU1"]?.bootData).toBe("path=Files/init.sh");
  expect(warnings).toEqual([]);
});

test("a function for a number, and a map that a function stands for", () => {
  const { vdus } = flavour(
    packageOf(
      replaced(
        ["num_virtual_cpu: 2", "num_virtual_cpu: { token: [ '4x8', x, 0 ] }"],
        ["sw_image_data: { name: image-one }", "sw_image_data: { get_property: [ VOL1, sw_image_data ] }"],
      ),
    ),
  );
  expect(vdus["VDU1"]).toMatchObject({ vcpus: 4, image: "data-image" });
});

test.each<[string, string, string]>([
  [
    "an artifact that is not there",
    "{ get_artifact: [ SELF, init ] }",
    ': VDU1 has no artifact "init"; there is none',
  ],
  [
    "an artifact of a node template that is not there",
    "{ get_artifact: [ VDU, init ] }",
    ': there is no node template "VDU"; there is VNF, VDU1, VOL1, CP1, CP2, VL1',
  ],
  [
    "what only a run knows",
    "{ get_attribute: [ VDU1, private_address ] }",
    ": get_attribute has a value only during an update; write the value itself",
  ],
  [
    "a part that only a run knows",
    "{ concat: [ a, { get_attribute: [ VDU1, private_address ] } ] }",
    ".concat[1]: get_attribute has a value only during an update; write the value itself",
  ],
  [
    "an input without a value",
    "{ concat: [ a, { get_input: none } ] }",
    '.concat[1]: the input "none" has no default value',
  ],
  [
    "an input that is not there",
    "{ get_input: [ usr, name ] }",
    ': there is no input "usr.name"; did you mean "user"?',
  ],
  [
    "a node template that is not there",
    "{ get_property: [ VDU, name ] }",
    ': there is no node template "VDU"; there is VNF, VDU1, VOL1, CP1, CP2, VL1',
  ],
  ...["HOST", "SOURCE", "TARGET"].map((word): [string, string, string] => [
    `the node template ${word}`,
    `{ get_property: [ ${word}, name ] }`,
    `: ${word} of get_property is a node reached by a relationship, which is not supported; use the name of the node template`,
  ]),
  ["a property that is not there", "{ get_property: [ VDU1, nam ] }", ': VDU1 has no property "nam"'],
  ["a part that is not there", "{ token: [ a-b, '-', 2 ] }", ": the string has no part 2 between separators"],
  [
    "a map of a type",
    "{ get_property: [ VNF, acme_map ] }",
    ": get_property refers to a map of a type; write the value itself",
  ],
])("a fault: %s", (_, value, expected) => {
  const text = replaced(
    ["topology_template:\n", `topology_template:\n  ${INPUTS}\n`],
    ["        name: one\n", `        name: one\n        boot_data: ${value}\n`],
  );
  const types = "node_types: { acme.VNF: { derived_from: acme.Base } }\n";
  const base =
    "node_types: { acme.Base: { derived_from: tosca.nodes.nfv.VNF, properties: { acme_map: { default: { a: b } }, " +
    "descriptor_id: { default: d }, descriptor_version: { default: 1 }, provider: { default: p }, " +
    "product_name: { default: n }, software_version: { default: 1 } } } }\n";
  const location = packageOf(
    text
      .replace(/node_types:\n[^]*?(?=topology_template)/, types)
      .replace("etsi_nfv_sol001_vnfd_types.yaml", "Definitions/base.yaml"),
    { "Definitions/base.yaml": base },
  );
  expect(faultsOf(() => loadPackage(location))).toEqual([
    `vnfd.yaml:18: VDU1: properties.boot_data${expected}`,
  ]);
});

test("a value that needs itself", () => {
  expect(
    faults(
      "boot_data: { get_property: [ SELF, user_data ] }",
      "user_data: { get_property: [ SELF, boot_data ] }",
    ),
  ).toEqual([
    "vnfd.yaml:26: VDU1: properties.boot_data: get_property needs its own value, or a chain of too many functions",
  ]);
});

const chain = (length: number, value: (before: string) => string) =>
  Array.from({ length }, (_, i) => `p${i + 1}: ${value(`{ get_property: [ SELF, p${i} ] }`)}`);

test("texts that double", () => {
  const doubled = chain(60, (before) => `{ concat: [ ${before}, ${before} ] }`);
  expect(
    within(3, () => faults("boot_data: { get_property: [ SELF, p60 ] }", "p0: '#!/bin/sh'", ...doubled)),
  ).toEqual([
    expect.stringMatching(
      /: properties\.p\d+: the strings of functions have more than 2097152 characters together$/,
    ),
  ]);
});

test("functions that need each other, one after the other", () => {
  const long = chain(5_000, (before) => before);
  expect(within(3, () => faults("boot_data: { get_property: [ SELF, p5000 ] }", "p0: a", ...long))).toEqual([
    expect.stringMatching(
      /: properties\.p\d+: get_property needs its own value, or a chain of too many functions/,
    ),
  ]);
});

test("a map with the name of a function as a key is no call", () => {
  const { warnings } = flavour(packageWith("acme: { token: secret }"));
  expect(warnings).toEqual(["vnfd.yaml:26: VDU1: properties.acme: it is not supported"]);
});

test.each([
  ["of key and value alone", "{ kvp_data: { data: { a: b } } }"],
  ["of an empty map", "{ content_or_file_data: {} }"],
  ["of a map without a text", "{ content_or_file_data: { destination_path: /a } }"],
])("boot data %s are a fault, as the server would have none", (_, value) => {
  expect(faults(`boot_data: ${value}`)).toEqual([
    "vnfd.yaml:26: VDU1: properties.boot_data: has no user data: set content or source_path under content_or_file_data",
  ]);
});

test.each([
  ["a list", "[ '#!/bin/sh' ]", "a list"],
  [
    "cloud-init's own map",
    "{ users: [ a ], packages: [ b ], runcmd: [ c ], final: d }",
    "a map of users, packages, runcmd",
  ],
])("boot data that are %s are a fault, as they are no text", (_, value, what) => {
  expect(faults(`boot_data: ${value}`)).toEqual([
    `vnfd.yaml:26: VDU1: properties.boot_data: is ${what}, and user data are a string: write it as a block string (boot_data: |), or set content or source_path under content_or_file_data`,
  ]);
});
