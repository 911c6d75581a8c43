import { loadPackage } from "../../../components/vnfd/package";
import { faultsOf, folderOf, packageOf, replaced, vnfd } from "./support";

const faults = (...changes: [string, string][]) =>
  faultsOf(() => loadPackage(packageOf(replaced(...changes))));

test.each<[string, [string, string][], string[]]>([
  [
    "least more than most",
    [["min_number_of_instances: 1", "min_number_of_instances: 5"]],
    [
      "vnfd.yaml:25: VDU1: properties.vdu_profile.min_number_of_instances: 5 is more than max_number_of_instances, 4",
    ],
  ],
  [
    "no profile",
    [["        vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 4 }\n", ""]],
    [
      "vnfd.yaml:24: VDU1: properties.vdu_profile.min_number_of_instances: is missing",
      "vnfd.yaml:24: VDU1: properties.vdu_profile.max_number_of_instances: is missing",
    ],
  ],
  [
    "a count that is none",
    [["num_virtual_cpu: 2", "num_virtual_cpu: two"]],
    [
      'vnfd.yaml:30: VDU1: capabilities.virtual_compute.properties.virtual_cpu.num_virtual_cpu: "two" is not an integer of 0 or more',
    ],
  ],
  [
    "a size that is none",
    [["512 MiB", "512 megs"]],
    [
      'vnfd.yaml:31: VDU1: capabilities.virtual_compute.properties.virtual_memory.virtual_mem_size: "512 megs" is not a size; write a number and one of B, kB, KiB, MB, MiB, GB, GiB, TB, TiB',
    ],
  ],
  [
    "a boolean that is none",
    [["dhcp_enabled: false", "dhcp_enabled: maybe"]],
    [
      'vnfd.yaml:58: VL1: properties.vl_profile.virtual_link_protocol_data[0].l3_protocol_data.dhcp_enabled: "maybe" is not true or false',
    ],
  ],
  [
    "a name that would write to a terminal",
    [["    VNF: {", '    "VNF\\u001b[2J\\n": {']],
    ["vnfd.yaml:20: VNF\\u001b[2J\\u000a: the name has a control character; write plain text on one line"],
  ],
  [
    "a text that is a map",
    [["name: one", "name: { a: 1 }"]],
    ["vnfd.yaml:24: VDU1: properties.name: a map is not a string"],
  ],
  [
    "a map that is a list",
    [["aspects:\n            aspect1: {", "aspects:\n            - aspect1: {"]],
    ["vnfd.yaml:66: aspects: properties.aspects: a list is not a map"],
  ],
  [
    "a type that nothing defines",
    [["type: tosca.nodes.nfv.Vdu.VirtualBlockStorage", "type: tosca.nodes.nfv.Vdu.VirtualBlokStorage"]],
    [
      'vnfd.yaml:36: VOL1: type: tosca.nodes.nfv.Vdu.VirtualBlokStorage is neither defined in the package nor a node type of SOL001; did you mean "tosca.nodes.nfv.Vdu.VirtualBlockStorage"?',
    ],
  ],
  [
    "a type derived from something else",
    [["derived_from: tosca.nodes.nfv.VNF", "derived_from: tosca.nodes.Root"]],
    [
      "vnfd.yaml:20: VNF: type: acme.VNF is derived from tosca.nodes.Root, which is not a node type of SOL001",
    ],
  ],
  [
    "a policy type that SOL001 has not",
    [["tosca.policies.nfv.VduInitialDelta", "tosca.policies.nfv.VduInitalDelta"]],
    [
      'vnfd.yaml:74: initial: type: tosca.policies.nfv.VduInitalDelta is not a policy type of SOL001; did you mean "tosca.policies.nfv.VduInitialDelta"?',
    ],
  ],
  ...["{ type: tosca.artifacts.nfv.SwImage, file: Files/images/a.img }", "Files/images/a.img"].flatMap(
    (image): [string, [string, string][], string[]][] => {
      const artifacts = (text: string): [string, string] => [
        "        sw_image_data: { name: image-one }\n",
        `        sw_image_data: { name: image-one }\n      artifacts: { ${text}, other: Scripts/a.sh }\n`,
      ];
      return [
        [
          `two software images of a VDU: ${image}`,
          [artifacts(`img: ${image}, img2: ${image}`)],
          [
            "vnfd.yaml:27: VDU1: artifacts.img2: is a SwImage in addition to img; VDU1 has one software image",
          ],
        ],
        [
          `software images in a flavour without an id: ${image}`,
          [artifacts(`img: ${image}, img2: ${image}`), ["    properties: { flavour_id: simple }\n", ""]],
          [
            "vnfd.yaml:15: topology_template.substitution_mappings.properties.flavour_id: is missing",
            "vnfd.yaml:26: VDU1: artifacts.img2: is a SwImage in addition to img; VDU1 has one software image",
          ],
        ],
      ];
    },
  ),
  [
    "connection points of no VDU",
    [
      ["- virtual_binding: VDU1\n", "- container_binding: VDU1\n"],
      ["virtual_binding: { node: VDU1 }", "virtual_binding: { node: VDU7 }"],
    ],
    [
      'vnfd.yaml:49: CP2: requirements[0].virtual_binding.node: there is no VDU "VDU7"; there is VDU1',
      'vnfd.yaml:44: CP1: requirements[0].container_binding: there is no VDU of containers "VDU1"; there is none',
    ],
  ],
  [
    "a binding to nothing, which two readers look at",
    [["- virtual_binding: VDU1\n", "- virtual_binding: {}\n"]],
    ["vnfd.yaml:44: CP1: requirements[0].virtual_binding.node: is missing"],
  ],
  [
    "a function of a VIP that is none",
    [
      [
        "  groups:\n",
        "    VIP: { type: tosca.nodes.nfv.VipCp, properties: { vip_function: nat }, requirements: [ target: CP1 ] }\n  groups:\n",
      ],
    ],
    [
      'vnfd.yaml:59: VIP: properties.vip_function: "nat" is not a function of a VIP; one of high_availability, load_balance',
    ],
  ],
  [
    "a VNF of a type that has not all, and of no node template",
    [
      ["    VNF: { type: acme.VNF, properties: { flavour_description: One flavour } }\n", ""],
      ["      provider: { type: string, default: Acme }\n", ""],
    ],
    ["vnfd.yaml:14: acme.VNF: properties.provider: is missing"],
  ],
  [
    "a storage that is not there",
    [["virtual_storage: VOL1", "virtual_storage: DISK"]],
    ['vnfd.yaml:34: VDU1: requirements[0].virtual_storage: there is no storage "DISK"; there is VOL1'],
  ],
  [
    "too many steps",
    [["step_deltas: [ d1, d2 ]", "step_deltas: [ d1, d2, d2 ]"]],
    [
      "vnfd.yaml:66: aspects: properties.aspects.aspect1.step_deltas: has 3 deltas for 2 levels; define one for each level, or one for all",
    ],
  ],
  [
    "several deltas and no steps",
    [[", step_deltas: [ d1, d2 ]", ""]],
    [
      "vnfd.yaml:66: aspects: properties.aspects.aspect1.step_deltas: is missing; it must assign d1, d2 to the levels",
    ],
  ],
  [
    "a scale level beyond the last",
    [["{ scale_level: 2 }", "{ scale_level: 3 }"]],
    [
      "vnfd.yaml:82: levels: properties.levels.big.scale_info.aspect1.scale_level: 3 is more than max_scale_level of aspect1, 2",
    ],
  ],
  [
    "more levels than can be",
    [["max_scale_level: 2, step_deltas: [ d1, d2 ]", "max_scale_level: 4000000000, step_deltas: [ d1 ]"]],
    [
      "vnfd.yaml:66: aspects: properties.aspects.aspect1.max_scale_level: 4000000000 is more than the maximum, 10000",
      "vnfd.yaml:82: levels: properties.levels.big.scale_info.aspect1.scale_level: 2 is more than max_scale_level of aspect1, 0",
    ],
  ],
  [
    "a default level that is not there",
    [["default_level: small", "default_level: smal"]],
    [
      'vnfd.yaml:83: levels: properties.default_level: there is no instantiation level "smal"; did you mean "small"?',
    ],
  ],
  [
    "targets that are not there",
    [
      ["targets: [ group1 ]", "targets: [ group2 ]"],
      ["members: [ VDU1 ]", "members: [ VDU3 ]"],
    ],
    [
      'vnfd.yaml:60: group1: members[0]: there is no VDU "VDU3"; there is VDU1, VNF, VOL1, CP1, CP2, VL1',
      'vnfd.yaml:91: apart: targets[0]: there is no VDU or placement group "group2"; there is VDU1, group1, VNF, VOL1, CP1, CP2, VL1',
    ],
  ],
  [
    "an input without a value",
    [
      ["topology_template:\n", "topology_template:\n  inputs: { image: { type: string } }\n"],
      ["{ name: image-one }", "{ name: { get_input: image } }"],
    ],
    ['vnfd.yaml:27: VDU1: properties.sw_image_data.name: the input "image" has no default value'],
  ],
  [
    "inputs without a value for what may be absent, or not declared",
    [
      ["topology_template:\n", "topology_template:\n  inputs: { flavor: { type: string }, kind: }\n"],
      ["virtual_cpu: { num_virtual_cpu: 2 }", "virtual_cpu: { num_virtual_cpu: { get_input: flavour } }"],
      ["{ size_of_storage: 3 GiB }", "{ size_of_storage: { get_input: flavor } }"],
      ["volume_type: fast", "volume_type: { get_input: kind }"],
    ],
    [
      'vnfd.yaml:31: VDU1: capabilities.virtual_compute.properties.virtual_cpu.num_virtual_cpu: there is no input "flavour"; did you mean "flavor"?',
      'vnfd.yaml:33: VDU1: capabilities.virtual_compute.properties.virtual_local_storage[0].size_of_storage: the input "flavor" has no default value',
      'vnfd.yaml:39: VOL1: properties.virtual_block_storage_data.vdu_storage_requirements.volume_type: the input "kind" has no default value',
    ],
  ],
  ...(
    [
      [
        "a CIDR that is none, and a gateway",
        "cidr: 10.9.0.0/33, gateway_ip: 10.9.0",
        ['cidr: "10.9.0.0/33" is not a CIDR; write an address and a prefix length, such as 10.9.0.0/24'],
        ['gateway_ip: "10.9.0" is not an IP address'],
      ],
      [
        "a gateway out of the subnet",
        "cidr: 10.9.0.0/24, gateway_ip: 10.9.1.1",
        ["gateway_ip: 10.9.1.1 is not in 10.9.0.0/24, the cidr"],
      ],
      [
        "a gateway of the other IP version",
        "cidr: 'fd00:0::/64', gateway_ip: 10.9.0.1",
        ['ip_version: "ipv4" is not the version of fd00::/64, the cidr: ipv6'],
        ["gateway_ip: 10.9.0.1 is not in fd00::/64, the cidr"],
      ],
      [
        "an address mode of an IPv4 subnet, and one that is none",
        "cidr: 10.9.0.0/24, ipv6_address_mode: slaac",
        ["ipv6_address_mode: is for IPv6, and the cidr is IPv4"],
      ],
      [
        "an address mode that is none",
        "ipv6_address_mode: dhcp",
        ['ipv6_address_mode: "dhcp" is not one of slaac, dhcpv6-stateful, dhcpv6-stateless'],
      ],
      [
        "an allocation pool without an end, and out of the subnet",
        "cidr: 10.9.0.0/24, ip_allocation_pools: [ { start_ip_address: 10.8.0.9 } ]",
        ["ip_allocation_pools[0].end_ip_address: is missing"],
        ["ip_allocation_pools[0].start_ip_address: 10.8.0.9 is not in 10.9.0.0/24, the cidr"],
      ],
      [
        "a gateway and a pool with the addresses of the network itself",
        "cidr: 10.9.0.0/24, gateway_ip: 10.9.0.0, ip_allocation_pools: [ { start_ip_address: 10.9.0.9, end_ip_address: 10.9.0.255 } ]",
        [
          "ip_allocation_pools[0]: 10.9.0.9 to 10.9.0.255 contains the broadcast address of 10.9.0.0/24; remove it from the pools",
        ],
        ["gateway_ip: 10.9.0.0 is the network address of 10.9.0.0/24; use an address between these"],
      ],
      [
        "allocation pools that end before they begin, that overlap, and that have the gateway",
        "cidr: 10.9.0.0/24, gateway_ip: 10.9.0.50, ip_allocation_pools: [ " +
          [
            ["10.9.0.9", "10.9.0.2"],
            ["10.9.0.10", "10.9.0.20"],
            ["10.9.0.20", "10.9.0.30"],
            ["10.9.0.40", "10.9.0.60"],
          ]
            .map(([start, end]) => `{ start_ip_address: ${start}, end_ip_address: ${end} }`)
            .join(", ") +
          " ]",
        ["ip_allocation_pools[0]: 10.9.0.9 comes after 10.9.0.2; set the first address as start"],
        ["ip_allocation_pools[2]: shares addresses with pool 1"],
        [
          "ip_allocation_pools[3]: 10.9.0.40 to 10.9.0.60 contains the gateway, 10.9.0.50; remove it from the pools",
        ],
      ],
    ] as [string, string, ...string[][]][]
  ).map(([what, text, ...lines]): [string, [string, string][], string[]] => [
    what,
    [["cidr: 10.9.0.1/24, gateway_ip: 10.9.0.1", text]],
    lines
      .flat()
      .map(
        (line) =>
          `vnfd.yaml:58: VL1: properties.vl_profile.virtual_link_protocol_data[0].l3_protocol_data.${line}`,
      ),
  ]),
  [
    "a subnet without room for DHCP",
    [["cidr: 10.9.0.1/24, gateway_ip: 10.9.0.1, dhcp_enabled: false", "cidr: 10.9.0.5/32"]],
    [
      "vnfd.yaml:58: VL1: properties.vl_profile.virtual_link_protocol_data[0].l3_protocol_data.cidr: 10.9.0.5/32 is too small for DHCP, a gateway and a server; use /30 or a shorter prefix",
    ],
  ],
  [
    "addresses that servers make themselves, of no /64",
    [
      [
        "ip_version: ipv4, cidr: 10.9.0.1/24, gateway_ip: 10.9.0.1, dhcp_enabled: false",
        "ip_version: ipv6, cidr: 'fd00::/56', ipv6_address_mode: slaac",
      ],
    ],
    [
      "vnfd.yaml:58: VL1: properties.vl_profile.virtual_link_protocol_data[0].l3_protocol_data.ipv6_address_mode: slaac requires a /64, and fd00::/56 is not one; use a /64, or dhcpv6-stateful",
    ],
  ],
  [
    "no descriptor_id",
    [["      descriptor_id: { type: string, default: d-1 }\n", ""]],
    ["vnfd.yaml:19: VNF: properties.descriptor_id: is missing"],
  ],
  [
    "no flavour_id",
    [["    properties: { flavour_id: simple }\n", ""]],
    ["vnfd.yaml:15: topology_template.substitution_mappings.properties.flavour_id: is missing"],
  ],
  [
    "imports",
    [
      [
        "  - etsi_nfv_sol001_vnfd_types.yaml",
        "  - vnfd_df.yaml\n  - ../other/types.yaml\n  - https://acme.example/types.yaml\n  - https://forge.etsi.org/etsi_nfv_sol001_vnfd_types.yaml",
      ],
    ],
    [
      "vnfd.yaml:3: imports[0]: vnfd_df.yaml is not in the package; there is no other",
      'vnfd.yaml:4: imports[1]: "../other/types.yaml" is not a path inside the package',
      "vnfd.yaml:5: imports[2]: https://acme.example/types.yaml: only files of the package can be imported",
    ],
  ],
])("%s", (_, changes, expected) => {
  expect(faults(...changes)).toEqual(expected);
});

test("all faults of all files in one error, files that are not imported left alone", () => {
  const location = folderOf({
    "TOSCA-Metadata/TOSCA.meta": "Entry-Definitions: vnfd.yaml\n",
    "vnfd.yaml": replaced(
      ["- etsi_nfv_sol001_vnfd_types.yaml", "- df.yaml"],
      ["order: 0", "order: first"],
      ["scope: nfvi_node", "scope: []"],
    ),
    "df.yaml": replaced(["flavour_id: simple", "flavour_id: other"], ["512 MiB", "lots"]),
    "unused.yaml": "never: [ read",
  });
  const places = faultsOf(() => loadPackage(location)).map((line) => line.split(" ").slice(0, 3).join(" "));
  expect(places).toEqual([
    "vnfd.yaml:42: CP1: properties.order:",
    "vnfd.yaml:90: apart: properties.scope:",
    "df.yaml:31: VDU1: capabilities.virtual_compute.properties.virtual_memory.virtual_mem_size:",
  ]);
  expect(() => loadPackage(location)).toThrow(`VNF package ${location} is not valid:\n  vnfd.yaml:42: CP1:`);
});

test("a flavour in two files", () => {
  const location = folderOf({
    "TOSCA-Metadata/TOSCA.meta": "Entry-Definitions: vnfd.yaml\n",
    "vnfd.yaml": replaced(["- etsi_nfv_sol001_vnfd_types.yaml", "- df.yaml"]),
    "df.yaml": vnfd,
  });
  expect(faultsOf(() => loadPackage(location))).toEqual([
    'df.yaml:14: topology_template: the flavour "simple" is in more than one file',
  ]);
});
