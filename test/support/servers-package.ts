import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

/** A VDU. */
export interface TestVdu {
  /** Names of its connection points, in their order. @default `<name>_CP` */
  readonly points?: readonly string[];
  /** Number of servers that the first run creates. @default 1 */
  readonly count?: number;
  /**
   * Number of scale levels of its aspect, which has the VDU's name. Each level adds one server.
   * @default no aspect
   */
  readonly levels?: number;
  /** Properties of its virtual_compute. @default 512 MiB, with the name of the lab's flavor m1.tiny */
  readonly compute?: object;
  /** Name of the storage that it boots from. @default none; the VDU boots from the image DEBIAN */
  readonly root?: string;
  /** Names of its other storages. */
  readonly storages?: readonly string[];
}

/** The lab's image of a plain server, as `sw_image_data` of a VNFD. */
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
 * Writes a VNF package of servers without a cluster into the project's folder.
 * @param vdus VDUs by name
 * @param storages properties of each VirtualBlockStorage, by name
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
          pointsOf(all).map(({ point }) => [`${point}_link`, [point, "virtual_link"]]),
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
        ...Object.fromEntries(pointsOf(all).map(({ point, ...of }) => [point, connectionPoint(of)])),
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

/** Returns policies with a scaling aspect for each VDU that has levels. Each level adds one server. */
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

/** Lists the connection points of all VDUs. */
function pointsOf(
  all: readonly (readonly [name: string, vdu: TestVdu])[],
): { readonly point: string; readonly vdu: string; readonly order: number }[] {
  return all.flatMap(([vdu, { points = [`${vdu}_CP`] }]) =>
    points.map((point, order) => ({ point, vdu, order })),
  );
}

function connectionPoint({ vdu, order }: { readonly vdu: string; readonly order: number }): object {
  return {
    type: "tosca.nodes.nfv.VduCp",
    properties: { layer_protocols: ["ipv4"], order },
    requirements: [{ virtual_binding: vdu }],
  };
}
