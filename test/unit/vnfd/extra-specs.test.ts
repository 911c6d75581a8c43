/** What a VDU asks of its Nova flavor besides the size. */
import { flavour, packageOf, replaced } from "./support";

const COMPUTE = "capabilities.virtual_compute.properties";
const CPUS = "virtual_cpu: { num_virtual_cpu: 2 }";
const MEMORY = "virtual_memory: { virtual_mem_size: 512 MiB }";
const PINNING = `${COMPUTE}.virtual_cpu.virtual_cpu_pinning`;

const read = (from: string, to: string) => {
  const { vdus, warnings } = flavour(packageOf(replaced([from, to])));
  return {
    specs: (vdus["VDU1"]?.extraSpecs ?? []).map(({ name, value, property }) => [
      value === undefined ? name : `${name}=${value}`,
      property,
    ]),
    warnings: warnings.map((line) => line.replace(/^vnfd.yaml:\d+: /, "")),
  };
};
const withPinning = (pinning: string) => CPUS.replace("2 }", `2, virtual_cpu_pinning: ${pinning} }`);

test.each<[what: string, from: string, to: string, specs: [string, string][]]>([
  ["nothing", CPUS, CPUS, []],
  [
    "static pinning",
    CPUS,
    withPinning("{ virtual_cpu_pinning_policy: static }"),
    [["hw:cpu_policy=dedicated", `${PINNING}.virtual_cpu_pinning_policy`]],
  ],
  [
    "static pinning by a rule",
    CPUS,
    withPinning("{ virtual_cpu_pinning_policy: static, virtual_cpu_pinning_rule: [ isolate ] }"),
    [
      ["hw:cpu_policy=dedicated", `${PINNING}.virtual_cpu_pinning_policy`],
      ["hw:cpu_thread_policy=isolate", `${PINNING}.virtual_cpu_pinning_rule[0]`],
    ],
  ],
  [
    "dynamic pinning",
    CPUS,
    withPinning("{ virtual_cpu_pinning_policy: dynamic }"),
    [["hw:cpu_policy=shared", `${PINNING}.virtual_cpu_pinning_policy`]],
  ],
  [
    "memory by NUMA nodes",
    MEMORY,
    MEMORY.replace(" }", ", numa_enabled: true }"),
    [["hw:numa_nodes", `${COMPUTE}.virtual_memory.numa_enabled`]],
  ],
  ["memory without NUMA nodes", MEMORY, MEMORY.replace(" }", ", numa_enabled: false }"), []],
  [
    "large pages of logical nodes, each once",
    MEMORY,
    `${MEMORY}
            logical_node:
              n1: { logical_node_requirements: { "hw:mem_page_size": 1GB } }
              n2: { logical_node_requirements: { mem_page_size: 1GB, numa_nodes: 2 } }`,
    [
      ["hw:mem_page_size=1GB", `${COMPUTE}.logical_node.n1.logical_node_requirements.hw:mem_page_size`],
      ["hw:numa_nodes=2", `${COMPUTE}.logical_node.n2.logical_node_requirements.numa_nodes`],
    ],
  ],
  [
    "extra specs of the platform, wherever SOL001 leaves requirements to it",
    MEMORY,
    `virtual_memory: { virtual_mem_size: 512 MiB, vdu_mem_requirements: { "hw:mem_page_size": large } }
            compute_requirements: { "trait:HW_CPU_X86_AVX512F": required }
            requested_additional_capabilities:
              fast:
                support_mandatory: true
                target_performance_parameters: { "pci_passthrough:alias": "gpu:1", entry_schema: test }`,
    [
      ["trait:HW_CPU_X86_AVX512F=required", `${COMPUTE}.compute_requirements.trait:HW_CPU_X86_AVX512F`],
      ["hw:mem_page_size=large", `${COMPUTE}.virtual_memory.vdu_mem_requirements.hw:mem_page_size`],
      [
        "pci_passthrough:alias=gpu:1",
        `${COMPUTE}.requested_additional_capabilities.fast.target_performance_parameters.pci_passthrough:alias`,
      ],
    ],
  ],
])("%s is asked of the flavor", (_, from, to, specs) => {
  expect(read(from, to)).toEqual({ specs, warnings: [] });
});

const LEFT = "so it is determined by the Nova flavor: set one that has it under flavors";
const UNREAD = "is determined by the Nova flavor: set one that has it under flavors";

test.each<[what: string, from: string, to: string, warning: string]>([
  [
    "a policy of pinning that is none",
    CPUS,
    withPinning("{ virtual_cpu_pinning_policy: statick }"),
    `VDU1: ${PINNING}.virtual_cpu_pinning_policy: "statick" is not one of static, dynamic, ${LEFT}`,
  ],
  [
    "a rule of pinning that Nova has not",
    CPUS,
    withPinning("{ virtual_cpu_pinning_rule: [ '0:4' ] }"),
    `VDU1: ${PINNING}.virtual_cpu_pinning_rule[0]: "0:4" is not one of prefer, isolate, require, ${LEFT}`,
  ],
  [
    "oversubscription, which Nova has by host",
    MEMORY,
    MEMORY.replace(" }", ", virtual_mem_oversubscription_policy: none }"),
    `VDU1: ${COMPUTE}.virtual_memory.virtual_mem_oversubscription_policy: ${UNREAD}`,
  ],
  [
    "a requirement that is not an extra spec, beside one that is",
    MEMORY,
    `${MEMORY}\n            compute_requirements: { "hw:pmu": true, cores: 4 }`,
    `VDU1: ${COMPUTE}.compute_requirements.cores: ${UNREAD}`,
  ],
])("%s is a warning with node template and property", (_, from, to, warning) => {
  expect(read(from, to).warnings).toEqual([warning]);
});
