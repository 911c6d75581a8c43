import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadPackage } from "../../../components/vnfd/package";
import { folderOf, packageOf, replaced, vnfd } from "./support";

const root = join(__dirname, "../../..");
const corpus = join(root, "../shared/corpus");
const inCorpus = existsSync(corpus) ? describe : describe.skip;
if (!existsSync(corpus)) console.warn(`skipped: tests on VNF packages of others, there is no ${corpus}`);

const flavour = (location: string, id = "simple") => {
  const found = loadPackage(location).vnfd.flavours[id];
  if (found === undefined) throw new Error(`no flavour ${id}`);
  return found;
};

test("a VNFD in one file gives the whole model", () => {
  const location = packageOf(vnfd);
  const loaded = loadPackage(location);
  expect(loaded.location).toBe(location);
  expect(loaded.vnfd).toEqual({
    descriptorId: "d-1",
    descriptorVersion: "1.0",
    provider: "Acme",
    productName: "Thing",
    softwareVersion: "2.0",
    flavours: {
      simple: {
        id: "simple",
        description: "One flavour",
        vdus: {
          VDU1: {
            id: "VDU1",
            name: "one",
            description: "",
            minInstances: 1,
            maxInstances: 4,
            initialInstances: 1,
            image: "image-one",
            flavor: undefined,
            vcpus: 2,
            memoryMiB: 512,
            diskGiB: 3,
            volumes: ["VOL1"],
            bootData: undefined,
          },
        },
        volumes: { VOL1: { id: "VOL1", sizeGiB: 2, image: "data-image", volumeType: "fast" } },
        connectionPoints: {
          CP1: {
            id: "CP1",
            vdu: "VDU1",
            order: 0,
            layerProtocols: ["ipv4"],
            vnicType: "normal",
            virtualLink: undefined,
            externalLink: "virtual_link_ext",
          },
          CP2: {
            id: "CP2",
            vdu: "VDU1",
            order: 1,
            layerProtocols: ["ipv4"],
            vnicType: undefined,
            virtualLink: "VL1",
            externalLink: undefined,
          },
        },
        virtualLinks: {
          VL1: {
            id: "VL1",
            description: "Inside",
            cidr: "10.9.0.0/24",
            gatewayIp: "10.9.0.1",
            dhcpEnabled: false,
            externalLink: undefined,
          },
        },
        scalingAspects: {
          aspect1: { id: "aspect1", description: "First", maxScaleLevel: 2, deltas: { VDU1: [1, 2] } },
        },
        instantiationLevels: {
          small: { id: "small", description: "Small", scaleLevels: { aspect1: 0 }, instances: { VDU1: 1 } },
          big: { id: "big", description: "Big", scaleLevels: { aspect1: 2 }, instances: { VDU1: 4 } },
        },
        defaultInstantiationLevel: "small",
        virtualIps: {},
        placementGroups: [{ id: "apart", policy: "anti-affinity", scope: "nfvi_node", vdus: ["VDU1"] }],
      },
    },
  });
});

inCorpus("packages written for Tacker load as they are", () => {
  const cluster = join(corpus, "tacker-kubernetes-vnf-package");
  const free5gc = join(corpus, "free5gc-cnf");

  test("cluster package: identity and flavours", () => {
    const { flavours, ...identity } = loadPackage(cluster).vnfd;
    expect(identity).toEqual({
      descriptorId: "b1db0ce7-ebca-1fb7-95ed-4840d70a1163",
      descriptorVersion: "1.0",
      provider: "Company",
      productName: "Sample VNF",
      softwareVersion: "1.0",
    });
    expect(Object.values(flavours).map((f) => [f.id, f.description])).toEqual([
      ["simple", "A simple flavour"],
      ["complex", "A complex flavour"],
      ["podaffinity", "A complex flavour"],
    ]);
  });

  test("cluster package: what its VDUs ask for, in Tacker's looser form", () => {
    expect(flavour(cluster, "complex").vdus["masterNode"]).toEqual({
      id: "masterNode",
      name: "masterNode",
      description: "masterNode compute node",
      minInstances: 3,
      maxInstances: 5,
      initialInstances: 3,
      image: "Image for masterNode HA kubernetes",
      flavor: "m1.medium",
      vcpus: 2,
      // 4 GB and 45 GB, decimal as TOSCA has them, rounded up
      memoryMiB: 3815,
      diskGiB: 42,
      volumes: [],
      bootData: undefined,
    });
  });

  test("cluster package: connection points and scaling", () => {
    const simple = flavour(cluster);
    expect(Object.values(simple.connectionPoints).map((cp) => [cp.id, cp.vdu, cp.externalLink])).toEqual([
      ["masterNode_CP1", "masterNode", "virtual_link_external1_1"],
      ["workerNode_CP2", "workerNode", "virtual_link_external1_2"],
    ]);
    expect(Object.values(simple.scalingAspects).map((a) => [a.id, a.maxScaleLevel, a.deltas])).toEqual([
      ["master_instance", 2, { masterNode: [1, 1] }],
      ["worker_instance", 2, { workerNode: [1, 1] }],
    ]);
    expect(simple.defaultInstantiationLevel).toBe("instantiation_level_1");
    expect(simple.instantiationLevels["instantiation_level_2"]).toEqual({
      id: "instantiation_level_2",
      description: "Largest size",
      scaleLevels: { master_instance: 2, worker_instance: 2 },
      instances: { masterNode: 3, workerNode: 4 },
    });
  });

  test("a script that TOSCA.meta lists and the package lacks is a fault when it is read", () => {
    const { files } = loadPackage(cluster);
    expect(files.has("Scripts/install_k8s_cluster.sh")).toBe(false);
    expect(() => files.read("Scripts/install_k8s_cluster.sh")).toThrow(
      "  Scripts/install_k8s_cluster.sh: is not in the package; there is Definitions/",
    );
  });

  test("5G core: VDUs of containers, and digests that are wrong", () => {
    const { warnings } = loadPackage(free5gc);
    expect(warnings).toHaveLength(11);
    expect(warnings[0]).toContain(
      "TOSCA-Metadata/TOSCA.meta:6: Files/kubernetes/free5gc-amf.yaml: Hash: the file has the SHA-256 digest",
    );
    const { vdus, scalingAspects } = flavour(free5gc);
    expect(Object.keys(vdus)).toHaveLength(12);
    expect(vdus["VDU5"]).toMatchObject({
      name: "free5gc-upf-deployment",
      minInstances: 1,
      maxInstances: 2,
      initialInstances: 1,
      image: undefined,
      vcpus: undefined,
    });
    expect(vdus["VDU1"]?.initialInstances).toBeUndefined();
    expect(scalingAspects["upf_aspect"]?.deltas).toEqual({ VDU5: [1, 1] });
  });
});

test.each(readdirSync(join(root, "vnf-packages")))(
  "vnf-packages/%s loads, and its digests are right",
  (name) => {
    const { vnfd, files, warnings } = loadPackage(join(root, "vnf-packages", name));
    expect(warnings).toEqual([]);
    expect(Object.keys(vnfd.flavours)).toContain("simple");
    const meta = files.read("TOSCA-Metadata/TOSCA.meta").toString();
    const listed = [...meta.matchAll(/^Name: (.*)$/gm)].map((m) => m[1]);
    expect(listed).toEqual(files.list().filter((f) => /^(Files|Scripts)\//.test(f)));
  },
);

test("the flavours' bounds agree with their scaling aspects in our packages", () => {
  for (const name of readdirSync(join(root, "vnf-packages"))) {
    for (const f of Object.values(loadPackage(join(root, "vnf-packages", name)).vnfd.flavours)) {
      for (const { deltas } of Object.values(f.scalingAspects)) {
        for (const [vdu, steps] of Object.entries(deltas)) {
          const most = steps.reduce((sum, step) => sum + step, f.vdus[vdu]?.initialInstances ?? 0);
          expect([name, vdu, most]).toEqual([name, vdu, f.vdus[vdu]?.maxInstances]);
        }
      }
    }
  }
});

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

  test("id from the VNF node where nothing is substituted", () => {
    const text = vnfd
      .replace(/ {2}substitution_mappings:[^]*?(?= {2}node_templates)/, "")
      .replace("flavour_description:", "flavour_id: only, flavour_description:");
    expect(Object.keys(loadPackage(packageOf(text)).vnfd.flavours)).toEqual(["only"]);
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
});

describe("scaling and placement", () => {
  const steps = "step_deltas: [ d1, d2 ]";
  test.each<[string, [string, string][], number[]]>([
    ["one delta per level", [], [1, 2]],
    ["one for all levels", [[steps, "step_deltas: [ d2 ]"]], [2, 2]],
    [
      "none named, the only one is for all",
      [
        [", " + steps, ""],
        [
          "{ d1: { number_of_instances: 1 }, d2: { number_of_instances: 2 } }",
          "{ any: { number_of_instances: 3 } }",
        ],
      ],
      [3, 3],
    ],
  ])("deltas: %s", (_, changes, expected) => {
    expect(flavour(packageOf(replaced(...changes))).scalingAspects["aspect1"]?.deltas).toEqual({
      VDU1: expected,
    });
  });

  test("the only level is the default one; of several, none is", () => {
    const levelBig = "            big: { description: Big, scale_info: { aspect1: { scale_level: 2 } } }\n";
    const noDefault = ["          default_level: small\n", ""] as const;
    const without = [levelBig, ""] as const;
    const vdu = [", big: { number_of_instances: 4 }", ""] as const;
    expect(flavour(packageOf(replaced(noDefault))).defaultInstantiationLevel).toBeUndefined();
    expect(flavour(packageOf(replaced(noDefault, without, vdu))).defaultInstantiationLevel).toBe("small");
  });

  test("a rule on VDUs holds for each among its own instances", () => {
    const second = `    VDU2:
      type: tosca.nodes.nfv.Vdu.Compute
      properties: { name: two, vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 1 } }
`;
    const groups = (targets: string, members = "[ VDU1, VL1 ]") =>
      flavour(
        packageOf(
          replaced(
            ["  groups:\n", `${second}  groups:\n`],
            ["members: [ VDU1, VL1 ]", `members: ${members}`],
            ["targets: [ group1 ]", `targets: ${targets}`],
          ),
        ),
      ).placementGroups.map((g) => [g.id, g.vdus]);
    expect(groups("[ VDU1, VDU2 ]")).toEqual([
      ["apart_VDU1", ["VDU1"]],
      ["apart_VDU2", ["VDU2"]],
    ]);
    expect(groups("[ group1 ]", "[ VDU1, VDU2 ]")).toEqual([["apart", ["VDU1", "VDU2"]]]);
    expect(groups("[ VL1 ]")).toEqual([]);
  });
});
