import { loadPackage } from "../../../components/vnfd/package";
import { subnet } from "../fixtures";
import { faultsOf, flavour, folderOf, packageOf, replaced } from "./support";

describe("forms of VNFDs", () => {
  test.each<[string, string, unknown]>([
    ["pair", "[ CP1, virtual_link ]", ["virtual_link_ext", undefined]],
    [
      "list of pairs",
      "[ [ CP1, virtual_link ], [ CP2, virtual_link ] ]",
      ["virtual_link_ext", "virtual_link_ext"],
    ],
    ["empty list", "[]", [undefined, undefined]],
    ["nothing", "", [undefined, undefined]],
  ])("substitution mapping as %s", (_, mapping, expected) => {
    const { connectionPoints } = flavour(packageOf(replaced(["[ CP1, virtual_link ]", mapping])));
    expect(Object.values(connectionPoints).map((cp) => cp.externalLink)).toEqual(expected);
  });

  test("substitution mappings as a list of maps", () => {
    const { connectionPoints } = flavour(
      packageOf(
        replaced([
          "      virtual_link_ext: [ CP1, virtual_link ]",
          "      - a: [ CP1, virtual_link ]\n      - b: [ CP2, virtual_link ]",
        ]),
      ),
    );
    expect(Object.values(connectionPoints).map((cp) => cp.externalLink)).toEqual(["a", "b"]);
  });

  test("types with the prefix of their import are those without it", () => {
    const prefixed = packageOf(
      replaced(
        ["type: tosca.nodes.nfv.Vdu.Compute", "type: sol001:tosca.nodes.nfv.Vdu.Compute"],
        ["VNF: { type: acme.VNF", "VNF: { type: own:acme.VNF"],
        ["type: tosca.policies.nfv.VduInitialDelta", "type: sol001:tosca.policies.nfv.VduInitialDelta"],
        ["derived_from: tosca.nodes.nfv.VNF", "derived_from: sol001:tosca.nodes.nfv.VNF"],
      ),
    );
    expect(flavour(prefixed)).toEqual(flavour(packageOf(replaced())));
  });

  test("a VnfExtCp exposes the internal link that it is connected to", () => {
    const ext = "    EXT: { type: tosca.nodes.nfv.VnfExtCp, requirements: [ internal_virtual_link: VL1 ] }\n";
    const location = packageOf(
      replaced(
        ["[ CP1, virtual_link ]", "[ EXT, external_virtual_link ]"],
        ["  groups:\n", `${ext}  groups:\n`],
      ),
    );
    expect(flavour(location).virtualLinks["VL1"]?.externalLink).toBe("virtual_link_ext");
  });

  test("VDUs of containers", () => {
    const unit = `    web:
      type: tosca.nodes.nfv.Vdu.OsContainerDeployableUnit
      properties:
        name: Web servers
        mcio_identification_data: { name: web, type: Deployment }
        vdu_profile: { min_number_of_instances: 2, max_number_of_instances: 3 }
      requirements: [ container: nginx ]
    nginx:
      type: tosca.nodes.nfv.Vdu.OsContainer
      properties: { name: nginx, requested_cpu_resources: 100 }
`;
    const { vdus } = flavour(packageOf(replaced(["  groups:\n", `${unit}  groups:\n`])));
    expect(Object.keys(vdus)).toEqual(["VDU1", "web"]);
    expect(vdus["web"]).toMatchObject({
      id: "web",
      name: "web",
      minInstances: 2,
      image: undefined,
      vcpus: undefined,
    });
  });

  test.each(["virtual_binding", "container_binding"])(
    "a connection point of containers by %s",
    (requirement) => {
      const containers = `    web:
      type: tosca.nodes.nfv.Vdu.OsContainerDeployableUnit
      properties: { name: web, vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 1 } }
    WEB_CP: { type: tosca.nodes.nfv.VduCp, requirements: [ ${requirement}: web ] }
    FREE_CP: { type: tosca.nodes.nfv.VduCp }
`;
      const ofContainers = replaced(["  groups:\n", `${containers}  groups:\n`])
        .replace(/ {4}VDU1:[^]*?(?= {4}web:)/, "")
        .replace(/ {2}groups:[^]*?(?= {2}policies)/, "")
        .replace(/ {2}policies:[^]*/, "")
        .replace("    requirements:\n      virtual_link_ext: [ CP1, virtual_link ]\n", "");
      const { connectionPoints, warnings } = flavour(packageOf(ofContainers));
      expect(Object.values(connectionPoints).map((cp) => [cp.id, cp.vdu])).toEqual([
        ["WEB_CP", "web"],
        ["FREE_CP", undefined],
      ]);
      expect(warnings).toEqual([]);
    },
  );

  test("a VNF that is no node template, by its type", () => {
    const none = [
      "    VNF: { type: acme.VNF, properties: { flavour_description: One flavour } }\n",
      "",
    ] as const;
    const acme = [
      "      provider: {",
      "      acme_mode: { type: string, default: fast }\n      provider: {",
    ] as const;
    const location = packageOf(replaced(none, acme));
    const { flavours, ...identity } = loadPackage(location).vnfd;
    expect(identity).toEqual({
      descriptorId: "d-1",
      descriptorVersion: "1.0",
      provider: "Acme",
      productName: "Thing",
      softwareVersion: "2.0",
    });
    expect(flavours["simple"]?.warnings).toEqual([
      "vnfd.yaml:10: acme.VNF: properties.acme_mode.default: it is not supported",
    ]);
  });

  test.each(["load_balance", "load_balancing"])("the VIP's function %s", (name) => {
    const vip = `    VIP: { type: tosca.nodes.nfv.VipCp, properties: { vip_function: ${name} }, requirements: [ target: CP1 ] }\n`;
    const { virtualIps } = flavour(packageOf(replaced(["  groups:\n", `${vip}  groups:\n`])));
    expect(virtualIps["VIP"]?.vipFunction).toBe("load_balance");
  });

  test("may have the additions of SOL001 4 and 5 that require nothing", () => {
    const sub = "    SUB: { type: tosca.nodes.nfv.VirtualisedResourceDescriptorProfile }\n";
    const { warnings } = flavour(
      packageOf(
        replaced(
          ["  groups:\n", `${sub}  groups:\n`],
          ["{ flavour_description: One flavour }", "{ ext_invariant_id: e-1 }"],
          [
            "        sw_image_data: { name: data-image }",
            "        sw_image_data: { name: data-image }\n        per_vnfc_instance: true",
          ],
          ["scope: nfvi_node", "scope: cis_node"],
          [
            "    - apart:",
            "    - coordination: { type: tosca.policies.nfv.LcmCoordinationsForLcmOperation }\n    - apart:",
          ],
        ),
      ),
    );
    expect(warnings).toEqual([
      "vnfd.yaml:60: SUB: a node template of the type tosca.nodes.nfv.VirtualisedResourceDescriptorProfile is not supported",
      "vnfd.yaml:90: coordination: a policy of the type tosca.policies.nfv.LcmCoordinationsForLcmOperation is not supported",
    ]);
  });

  test("the image's name in the SwImage artifact, also of a derived type", () => {
    const { vdus } = flavour(
      packageOf(
        replaced(
          ["        sw_image_data: { name: image-one }\n", ""],
          [
            "      requirements:\n        - virtual_storage",
            "      artifacts: { img: { type: acme.Image, file: x, properties: { name: in-artifact } } }\n      requirements:\n        - virtual_storage",
          ],
          [
            "topology_template:\n",
            "artifact_types: { acme.Image: { derived_from: tosca.artifacts.nfv.SwImage } }\ntopology_template:\n",
          ],
        ),
      ),
    );
    expect(vdus["VDU1"]?.image).toBe("in-artifact");
  });

  test.each(["{ type: tosca.artifacts.nfv.SwImage, file: Files/images/a.img }", "Files/images/a.img"])(
    "a software image without data: %s",
    (artifact) => {
      const location = packageOf(
        replaced(
          [
            "        sw_image_data: { name: image-one }\n",
            `      artifacts: { img: ${artifact}, other: Scripts/a.sh }\n`,
          ],
          ["        sw_image_data: { name: data-image }\n", `      artifacts: { data: ${artifact} }\n`],
        ),
      );
      const { vdus, volumes } = flavour(location);
      expect(vdus["VDU1"]).toMatchObject({ image: undefined, unnamedImage: "img" });
      expect(volumes["VOL1"]).toMatchObject({ image: undefined, unnamedImage: "data" });
    },
  );

  test.each([
    ["text", "boot_data: '#cloud-config'"],
    ["BootData", "boot_data: { content_or_file_data: { content: '#cloud-config' } }"],
    ["user data", "user_data: '#cloud-config'"],
  ])("boot data as %s", (_, text) => {
    const { vdus } = flavour(
      packageOf(replaced(["        name: one\n", `        name: one\n        ${text}\n`])),
    );
    expect(vdus["VDU1"]?.bootData).toBe("#cloud-config");
  });

  describe("boot data from a file of the package", () => {
    const bootData = (folder: string, given: string) =>
      folderOf({
        "TOSCA-Metadata/TOSCA.meta": "Entry-Definitions: Definitions/vnfd.yaml\n",
        "Definitions/vnfd.yaml": replaced([
          "        name: one\n",
          `        name: one\n        boot_data: { content_or_file_data: { ${given} } }\n`,
        ]),
        [`${folder}init.sh`]: "#!/bin/sh\n",
      });
    const read = (location: string) => flavour(location).vdus["VDU1"]?.bootData;

    test.each([
      ["its path in the package", "Files/", "source_path: Files/init.sh"],
      ["its path from the VNFD", "Files/", "source_path: ../Files/init.sh"],
      ["its name beside the VNFD", "Definitions/", "source_path: init.sh"],
    ])("by %s", (_, folder, given) => {
      expect(read(bootData(folder, given))).toBe("#!/bin/sh\n");
    });

    test("becomes a file on the server, which cloud-init writes", () => {
      const given = "source_path: Files/init.sh, destination_path: /opt/init.sh";
      expect(read(bootData("Files/", given))).toBe(
        "#cloud-config\nwrite_files:\n  - path: /opt/init.sh\n    content: |\n      #!/bin/sh\n",
      );
    });

    test.each([
      [
        "source_path: Files/init.sh, destination_path: init.sh",
        'destination_path: "init.sh" is not an absolute path of the server',
      ],
      [
        "source_path: Files/int.sh",
        'source_path: "Files/int.sh" is not in the package; did you mean "Files/init.sh"?',
      ],
      [
        "source_path: ../../init.sh",
        'source_path: "../../init.sh" is not in the package; there is Definitions/vnfd.yaml, Files/init.sh, TOSCA-Metadata/TOSCA.meta',
      ],
    ])("%s is a fault", (given, fault) => {
      expect(faultsOf(() => loadPackage(bootData("Files/", given)))).toEqual([
        `Definitions/vnfd.yaml:25: VDU1: properties.boot_data.content_or_file_data.${fault}`,
      ]);
    });
  });

  describe("the subnets of a virtual link", () => {
    const data = "virtual_link_protocol_data:";
    const l3 = "ip_version: ipv4, cidr: 10.9.0.1/24, gateway_ip: 10.9.0.1, dhcp_enabled: false }";
    const second =
      "{ cidr: 'FD00:9::1/64', gateway_ip: 'fd00:9::0001', ipv6_address_mode: slaac, ip_allocation_pools: [ { start_ip_address: 'fd00:9::2', end_ip_address: 'fd00:9::9' } ] }";

    test.each([
      ["another entry of virtual_link_protocol_data", `${l3}\n            - l3_protocol_data: ${second}`],
      ["a list of l3_protocol_data", `${l3}, ${second} ]`],
    ])("may be written as %s", (_, text) => {
      const listed = text.endsWith("]") ? "l3_protocol_data: [ {" : "l3_protocol_data: {";
      const { virtualLinks } = flavour(packageOf(replaced([l3, text], ["l3_protocol_data: {", listed])));
      expect(virtualLinks["VL1"]?.subnets).toEqual([
        { ...subnet("10.9.0.0/24"), gatewayIp: "10.9.0.1", dhcpEnabled: false },
        {
          ...subnet("fd00:9::/64"),
          gatewayIp: "fd00:9::0001",
          ipv6AddressMode: "slaac",
          ipAllocationPools: [{ start: "fd00:9::2", end: "fd00:9::9" }],
        },
      ]);
    });

    test("are a fault if they share addresses", () => {
      const text = `${l3}\n            - l3_protocol_data: { cidr: 10.9.0.128/25 }`;
      expect(faultsOf(() => loadPackage(packageOf(replaced([l3, text]))))).toEqual([
        "vnfd.yaml:59: VL1: properties.vl_profile.virtual_link_protocol_data[1].l3_protocol_data.cidr: 10.9.0.128/25 overlaps 10.9.0.0/24 of the same virtual link",
      ]);
    });

    test("and the MTU and VLAN transparency of its network, wherever they stand", () => {
      const of = (l2: string) =>
        flavour(packageOf(replaced([data, `${data}\n            - l2_protocol_data: { ${l2} }`])));
      expect(of("mtu: 1400, vlan_transparent: true").virtualLinks["VL1"]).toMatchObject({
        mtu: 1400,
        vlanTransparent: true,
      });
      expect(of("vlan_transparent: false").virtualLinks["VL1"]).toMatchObject({
        mtu: undefined,
        vlanTransparent: false,
      });
    });
  });

  test("the flavor's name among the requested additional capabilities, by any key", () => {
    const { vdus } = flavour(
      packageOf(
        replaced([
          "            virtual_cpu: { num_virtual_cpu: 2 }\n",
          "            requested_additional_capabilities: { any: { requested_additional_capability_name: m1.tiny, virtual_cpu: { num_virtual_cpu: 7 } } }\n",
        ]),
      ),
    );
    expect(vdus["VDU1"]).toMatchObject({ flavor: "m1.tiny", vcpus: 7, memoryMiB: 512 });
  });

  test("inputs with a default, YAML anchors and merge keys", () => {
    const { vdus } = flavour(
      packageOf(
        replaced(
          [
            "topology_template:\n",
            "topology_template:\n  inputs: { image: { type: string, default: from-input } }\n",
          ],
          ["{ name: image-one }", "{ name: { get_input: image } }"],
          [
            "vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 4 }",
            "vdu_profile: { <<: &p { min_number_of_instances: 1, max_number_of_instances: 2 }, max_number_of_instances: 9 }\n        old: *p",
          ],
        ),
      ),
    );
    expect(vdus["VDU1"]).toMatchObject({ image: "from-input", minInstances: 1, maxInstances: 9 });
  });

  test("take the earlier value from a list of merged maps", () => {
    const { vdus } = flavour(
      packageOf(
        replaced([
          "vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 4 }",
          "vdu_profile: { <<: [ { max_number_of_instances: 5 }, { min_number_of_instances: 1, max_number_of_instances: 6 } ] }",
        ]),
      ),
    );
    expect(vdus["VDU1"]).toMatchObject({ minInstances: 1, maxInstances: 5 });
  });
});
