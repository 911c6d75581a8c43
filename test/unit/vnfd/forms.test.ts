import { flavour, packageOf, replaced } from "./support";

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

  test("of a list of merged maps the earlier one's value", () => {
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
