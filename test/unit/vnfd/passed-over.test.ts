import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseDocument } from "yaml";
import { loadPackage } from "../../../components/vnfd/package";
import { CORPUS, describeWithCorpus } from "../../support/corpus";
import { everything } from "./everything";
import { flavour, folderOf, packageOf, replaced, vnfd } from "./support";

const warningsOf = (text: string) =>
  flavour(packageOf(text)).warnings.map((line) => line.replace(/^vnfd.yaml:\d+: /, ""));

const NOTHING = "it is not supported";
const FLAVOR = "is determined by the Nova flavor: set one that has it under flavors";
const VNIC_TYPE = "set a vnicType for its ports under extVirtualLinks, such as direct for SR-IOV";
const NETWORK = "create such a network yourself, and set it under extVirtualLinks";

test("each property of a VNFD without an effect is listed: a line for each", () => {
  const compute = "VDU1: capabilities.virtual_compute.properties";
  const address = "CP1, CP2, EXT: properties.protocol[0].address_data[0]";
  const l2 = "VL1: properties.vl_profile.virtual_link_protocol_data[0].l2_protocol_data";
  expect(warningsOf(everything)).toEqual([
    `${compute}.virtual_cpu.virtual_cpu_pinning.virtual_cpu_pinning_rule[0]: "a" is not one of prefer, isolate, require, so it ${FLAVOR}`,
    "near: targets[1]: VL1 is not a VDU: the cloud decides its placement",
    "VNF: properties.lcm_operations_configuration: is ignored",
    "VNF, VDU1, VL1: properties.monitoring_parameters: monitoring is not supported",
    "VNF: properties.configurable_properties.is_autoscale_enabled: automatic scaling and healing are not supported",
    `acme.VNF: properties.acme_mode.default: ${NOTHING}`,
    "VNF: interfaces.Vnflcm: scripts and drivers of a package are not run",
    `VNF: artifacts.driver: ${NOTHING}`,
    `VDU1: properties.boot_order: ${NOTHING}`,
    `VDU1: properties.nfvi_constraints: ${NOTHING}`,
    `VDU1: properties.vdu_profile.nfvi_maintenance_info: ${NOTHING}`,
    `VDU1: properties.boot_data.content_or_file_data.source_path: ${NOTHING}`,
    `VDU1: properties.boot_data.kvp_data: ${NOTHING}`,
    `VDU1: properties.boot_data.vim_specific_properties: ${NOTHING}`,
    `VDU1: properties.user_data: ${NOTHING}`,
    `${compute}.logical_node: ${FLAVOR}`,
    `${compute}.requested_additional_capabilities.another: ${FLAVOR}`,
    `${compute}.compute_requirements: ${FLAVOR}`,
    `${compute}.virtual_memory.virtual_mem_oversubscription_policy: ${FLAVOR}`,
    `${compute}.virtual_memory.vdu_mem_requirements: ${FLAVOR}`,
    `${compute}.virtual_cpu.cpu_architecture: ${FLAVOR}`,
    `${compute}.virtual_cpu.virtual_cpu_clock: ${FLAVOR}`,
    `${compute}.virtual_cpu.virtual_cpu_oversubscription_policy: ${FLAVOR}`,
    `${compute}.virtual_cpu.vdu_cpu_requirements: ${FLAVOR}`,
    `${compute}.virtual_local_storage[0].vdu_storage_requirements: ${FLAVOR}`,
    `${compute}.virtual_local_storage[1]: ${FLAVOR}`,
    `VDU1: capabilities.virtual_binding.properties.a: ${NOTHING}`,
    `VDU1: requirements[3].dependency: ${NOTHING}`,
    `VOL1: properties.virtual_block_storage_data.vdu_storage_requirements.iops: ${NOTHING}`,
    `VOL1: properties.virtual_block_storage_data.rdma_enabled: ${NOTHING}`,
    `OBJECTS: a node template of the type tosca.nodes.nfv.Vdu.VirtualObjectStorage is not supported`,
    `FILES: a node template of the type tosca.nodes.nfv.Vdu.VirtualFileStorage is not supported`,
    `CHART: a node template of the type tosca.nodes.nfv.Mciop is not supported`,
    `${address}.l2_address_data: ${NOTHING}`,
    `${address}.l3_address_data.floating_ip_activated: set a floatingNetwork for it under extVirtualLinks`,
    `${address}.l3_address_data.number_of_ip_address: ${NOTHING}`,
    `${address}.l3_address_data.fixed_ip_address: ${NOTHING}`,
    `CP1, CP2: properties.trunk_mode: ${NOTHING}`,
    `CP1, CP2, EXT: properties.virtual_network_interface_requirements: ${NOTHING}: ${VNIC_TYPE}`,
    `CP1, CP2: properties.bitrate_requirement: ${NOTHING}`,
    `CP1: requirements[0].virtual_binding.node_filter: ${NOTHING}`,
    "EXT: requirements[1].internal_virtual_link: it is not in the requirements of substitution_mappings",
    "VIP: properties.dedicated_ip_address: it has a separate address",
    `VL1: properties.test_access: ${NOTHING}`,
    `VL1: properties.vl_profile.max_bitrate_requirements: ${NOTHING}`,
    `VL1: properties.vl_profile.min_bitrate_requirements: ${NOTHING}`,
    `VL1: properties.vl_profile.qos: ${NOTHING}`,
    `${l2}.network_type: ${NETWORK}`,
    `${l2}.segmentation_id: ${NETWORK}`,
    `aspects: properties.aspects.aspect1.priority: ${NOTHING}`,
    `initial: triggers: ${NOTHING}`,
    `linkLevels: a policy of the type tosca.policies.nfv.VirtualLinkInstantiationLevels is not supported`,
    `linkDeltas: a policy of the type tosca.policies.nfv.VirtualLinkBitrateScalingAspectDeltas is not supported`,
    `linkInitial: a policy of the type tosca.policies.nfv.VirtualLinkBitrateInitialDelta is not supported`,
    `rule1, rule2: a policy of the type tosca.policies.nfv.SecurityGroupRule is not supported`,
    `autoscaling: a policy of the type tosca.policies.tacker.Scaling is not supported`,
    `topology_template.workflows: ${NOTHING}`,
  ]);
});

test.each([
  ["false, which asks for nothing", "trunk_mode: false", []],
  ["an empty value", "virtual_network_interface_requirements: []", []],
  [
    "an input without a value",
    "bitrate_requirement: { get_input: x }",
    [`CP1: properties.bitrate_requirement: ${NOTHING}`],
  ],
  ["a mistyped name", "vnic_typ: direct", [`CP1: properties.vnic_typ: ${NOTHING}`]],
  ["a name of every object's", "__proto__: 1", [`CP1: properties.__proto__: ${NOTHING}`]],
  ["a list that contains itself", "x: &x [ *x, 1 ]", [`CP1: properties.x[1]: ${NOTHING}`]],
])("%s", (_, text, expected) => {
  const changed = replaced(["vnic_type: normal }", `vnic_type: normal, ${text} }`]);
  expect(
    warningsOf(changed.replace("topology_template:\n", "topology_template:\n  inputs: { x: {} }\n")),
  ).toEqual(expected);
});

test("levels and aspects may have the name default", () => {
  expect(warningsOf(vnfd.replaceAll("small", "default").replaceAll("aspect1", "default"))).toEqual([]);
});

test("a virtual link that no connection point is on is named", () => {
  const link = "    VL2: { type: tosca.nodes.nfv.VnfVirtualLink }\n";
  expect(warningsOf(replaced(["  groups:\n", `${link}  groups:\n`]))).toEqual([
    "VL2: no connection point is on it, so no network is created",
  ]);
});

test("a storage that no VDU requires is named", () => {
  expect(warningsOf(replaced(["      requirements:\n        - virtual_storage: VOL1\n", ""]))).toEqual([
    "VOL1: no VDU requires it, so no volume is created",
  ]);
});

test("a placement group that no rule names is named", () => {
  expect(warningsOf(replaced(["targets: [ group1 ]", "targets: [ VDU1 ]"]))).toEqual([
    "group1: no AffinityRule or AntiAffinityRule refers to it",
  ]);
});

test("a second binding of a connection point is named", () => {
  const second = "        - virtual_binding: VDU1\n        - virtual_binding: VDU2\n    CP2:";
  const vdu2 = `    VDU2:
      type: tosca.nodes.nfv.Vdu.Compute
      properties: { name: two, vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 1 } }
`;
  expect(
    warningsOf(
      replaced(["        - virtual_binding: VDU1\n    CP2:", second], ["    VL1:\n", `${vdu2}    VL1:\n`]),
    ),
  ).toContain(
    "CP1: requirements[1].virtual_binding: is ignored: the connection point is bound to VDU1 already",
  );
});

test("two levels without a default are named", () => {
  expect(warningsOf(replaced(["          default_level: small\n", ""]))).toEqual([
    "levels: properties.default_level: is missing: unless instantiationLevel is set to one of small, big, none of them is used",
  ]);
});

test("a file beside the flavours' files, in no flavour, is listed for the package", () => {
  const top = vnfd.replace(/ {2}substitution_mappings:[^]*?(?= {2}node_templates)/, "");
  const flavourFile =
    "imports: [ vnfd.yaml ]\n" + vnfd.slice(vnfd.indexOf("topology_template")).replace(/ {4}VNF:.*\n/, "");
  const { warnings } = loadPackage(
    folderOf({
      "TOSCA-Metadata/TOSCA.meta": "Entry-Definitions: vnfd.yaml\n",
      "vnfd.yaml": top.replace("etsi_nfv_sol001_vnfd_types.yaml", "simple.yaml"),
      "simple.yaml": flavourFile,
    }),
  );
  expect(warnings).toEqual([
    "vnfd.yaml:17: VDU1, VOL1, CP1, CP2, VL1: is in no flavour, because its file has no substitution_mappings",
  ]);
});

type Definitions = Readonly<Record<string, { properties?: Record<string, Property>; derived_from?: string }>>;
interface Property {
  readonly type: string;
  readonly entry_schema?: string | { readonly type: string };
}

describeWithCorpus("the VNFD with everything", () => {
  function typeFiles(): Record<string, Definitions>[] {
    return ["etsi_nfv_sol001_common_types.yaml", "etsi_nfv_sol001_vnfd_types.yaml"].map((file) => {
      // one of them is no right YAML where it lists metrics
      const document = parseDocument(readFileSync(join(CORPUS, "free5gc-cnf/Definitions", file), "utf8"));
      return document.toJS() as Record<string, Definitions>;
    });
  }

  test("has every property of ETSI's type files", () => {
    const files = typeFiles();
    const section = (name: string): Definitions =>
      Object.assign({}, ...files.map((file) => file[name] ?? {})) as Definitions;
    const data = section("data_types");
    const topology = (
      parse(everything, { merge: true }) as { topology_template: Record<string, Record<string, unknown>> }
    ).topology_template;
    const { node_templates = {}, groups = {}, policies = {} } = topology;
    const maps = [node_templates, groups, ...Object.values(policies)] as Record<string, Given>[];
    const given = maps.flatMap((map) => Object.values(map));
    const types = { ...section("node_types"), ...section("group_types"), ...section("policy_types") };
    const missing = Object.keys(types).flatMap((type) => {
      if (type === "tosca.nodes.nfv.Cp") return [];
      const values = given.filter(
        (one) => one.type === type || (type.endsWith(".VNF") && one.type === "acme.VNF"),
      );
      return missingIn(
        type,
        types,
        values.map(({ properties }) => properties ?? {}),
      );
    });
    const computes = given.flatMap(({ capabilities }) => capabilities?.["virtual_compute"]?.properties ?? []);
    missing.push(
      ...missingIn("tosca.capabilities.nfv.VirtualCompute", section("capability_types"), computes),
    );
    // those that stand in the type acme.VNF
    const ofType =
      /VNF\.(descriptor_id|descriptor_version|provider|product_name|software_version|product_info_name)$/;
    expect(missing.filter((path) => !ofType.test(path))).toEqual([]);

    function missingIn(type: string, types: Definitions, values: readonly object[]): string[] {
      const base = types[type]?.derived_from;
      const own = Object.entries(types[type]?.properties ?? {}).flatMap(([name, property]) => {
        const found = values.flatMap((value) => Object.entries(value)).filter(([key]) => key === name);
        if (found.length === 0) return [`${type}.${name}`];
        const entry =
          typeof property.entry_schema === "string" ? property.entry_schema : property.entry_schema?.type;
        const inner = found.flatMap(([, value]) =>
          entry === undefined ? [value as object] : Object.values(value as Record<string, object>),
        );
        const known = entry ?? property.type;
        return known in data ? missingIn(known, data, inner) : [];
      });
      return [...own, ...(base !== undefined && base in types ? missingIn(base, types, values) : [])];
    }
  });

  interface Given {
    readonly type: string;
    readonly properties?: object;
    readonly capabilities?: Readonly<Record<string, { readonly properties?: object }>>;
  }
});
