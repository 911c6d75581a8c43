import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

/** A VDU with one connection point, `<name>_CP`. */
export interface TestVdu {
  /** Number of servers that the first run creates. @default 1 */
  readonly count?: number;
  /**
   * Number of levels of its aspect, which has the name of the VDU: one server more at each level.
   * @default it has no aspect
   */
  readonly levels?: number;
  /** Properties of its virtual_compute. @default 512 MiB, and the lab's m1.tiny by its name */
  readonly compute?: object;
  /** Name of the storage that it boots from. @default the image DEBIAN is its own */
  readonly root?: string;
  /** Names of its further storages. */
  readonly storages?: readonly string[];
}

/** The lab's image of a plain server, as `sw_image_data` has it. */
export const DEBIAN = {
  ...{ name: "debian-12", version: "12", size: "1 GB" },
  ...{ container_format: "bare", disk_format: "raw" },
};

const TINY = {
  requested_additional_capabilities: {
    properties: { requested_additional_capability_name: "m1.tiny", support_mandatory: true },
  },
  virtual_cpu: { num_virtual_cpu: 1 },
  virtual_memory: { virtual_mem_size: "512 MB" },
};

/**
 * Writes a package of servers that are no cluster, in a folder of a project.
 * @param vdus by their names
 * @param storages properties of each VirtualBlockStorage, by their names
 */
export function writeServersPackage(
  project: string,
  vdus: Readonly<Record<string, TestVdu>>,
  storages: Readonly<Record<string, object>> = {},
  name = "package",
): void {
  const folder = join(project, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "vnfd.yaml"), stringify(vnfd(vdus, storages)));
}

function vnfd(vdus: Readonly<Record<string, TestVdu>>, storages: Readonly<Record<string, object>>): object {
  const all = Object.entries(vdus);
  return {
    tosca_definitions_version: "tosca_simple_yaml_1_2",
    topology_template: {
      substitution_mappings: {
        node_type: "tosca.nodes.nfv.VNF",
        properties: { flavour_id: "simple" },
        requirements: Object.fromEntries(
          all.map(([name]) => [`${name}_link`, [`${name}_CP`, "virtual_link"]]),
        ),
      },
      node_templates: {
        VNF: {
          type: "tosca.nodes.nfv.VNF",
          properties: {
            ...{ descriptor_id: "5f0e5a52-3a0c-4d52-9f0d-53a1d1b7a0c1", descriptor_version: "1.0" },
            ...{ provider: "vnfm", product_name: "servers", software_version: "1.0", flavour_id: "simple" },
          },
        },
        ...Object.fromEntries(all.map(([name, vdu]) => [name, compute(name, vdu)])),
        ...Object.fromEntries(
          Object.entries(storages).map(([name, properties]) => [
            name,
            { type: "tosca.nodes.nfv.Vdu.VirtualBlockStorage", properties },
          ]),
        ),
        ...Object.fromEntries(all.map(([name]) => [`${name}_CP`, connectionPoint(name)])),
      },
      policies: [
        ...all.map(([name, { count = 1 }]) => ({
          [`${name}_initial`]: {
            type: "tosca.policies.nfv.VduInitialDelta",
            targets: [name],
            properties: { initial_delta: { number_of_instances: count } },
          },
        })),
        ...scaling(all),
      ],
    },
  };
}

/** An aspect for each VDU that scales: a server more with each level. */
function scaling(all: readonly (readonly [name: string, vdu: TestVdu])[]): object[] {
  const scaled = all.flatMap(([name, { levels = 0 }]) => (levels === 0 ? [] : [{ name, levels }]));
  if (scaled.length === 0) return [];
  const aspects = scaled.map(({ name, levels }) => [
    name,
    { name, description: name, max_scale_level: levels, step_deltas: ["one"] },
  ]);
  return [
    {
      aspects: {
        type: "tosca.policies.nfv.ScalingAspects",
        properties: { aspects: Object.fromEntries(aspects) as object },
      },
    },
    ...scaled.map(({ name }) => ({
      [`${name}_deltas`]: {
        type: "tosca.policies.nfv.VduScalingAspectDeltas",
        targets: [name],
        properties: { aspect: name, deltas: { one: { number_of_instances: 1 } } },
      },
    })),
  ];
}

function compute(
  name: string,
  { count = 1, levels = 0, compute = TINY, root, storages = [] }: TestVdu,
): object {
  return {
    type: "tosca.nodes.nfv.Vdu.Compute",
    properties: {
      ...{ name, vdu_profile: { min_number_of_instances: 0, max_number_of_instances: count + levels } },
      ...(root === undefined && { sw_image_data: DEBIAN }),
    },
    capabilities: { virtual_compute: { properties: compute } },
    requirements: [...(root === undefined ? [] : [root]), ...storages].map((storage) => ({
      virtual_storage: storage,
    })),
  };
}

function connectionPoint(vdu: string): object {
  return {
    type: "tosca.nodes.nfv.VduCp",
    properties: { layer_protocols: ["ipv4"], order: 0 },
    requirements: [{ virtual_binding: vdu }],
  };
}
