import type { At } from "./at";
import type { ExtraSpec } from "./model";

/** Values of `virtual_cpu_pinning_policy`, with Nova's names. */
const POLICIES = new Map([
  ["static", "dedicated"],
  ["dynamic", "shared"],
]);

/** Nova's policies of CPU threads; SOL001 does not define the rules of pinning. */
const THREAD_POLICIES = new Map(["prefer", "isolate", "require"].map((policy) => [policy, policy]));

/** Extra specs of `hw` that VNFDs also use without that prefix. */
const BARE_NAMES = ["cpu_policy", "cpu_thread_policy", "mem_page_size", "numa_nodes"];

/**
 * Matches names of extra specs, by Nova's namespaces
 * (https://docs.openstack.org/nova/latest/configuration/extra-specs.html).
 */
const NAME =
  /^(accel|aggregate_instance_extra_specs|capabilities|hw|hw_rng|hw_video|os|pci_passthrough|quota|resources\w*|trait\w*|vmware):./;

/**
 * Reads the requirements of a VDU's capability virtual_compute on its flavor in addition to the size, each once. A
 * requirement without an extra spec in Nova is not read, and so reported as ignored.
 * @param places places in which the capability's properties may be
 */
export function readExtraSpecs(places: readonly At[]): ExtraSpec[] {
  const [cpus, memories, nodes] = ["virtual_cpu", "virtual_memory", "logical_node"].map((key) =>
    places.map((place) => place.get(key)),
  ) as [At[], At[], At[]];
  const requirements = [
    ...places.map((place) => place.get("compute_requirements")),
    ...cpus.map((cpu) => cpu.get("vdu_cpu_requirements")),
    ...memories.map((memory) => memory.get("vdu_mem_requirements")),
    ...nodes.flatMap((node) => node.children()).map((node) => node.get("logical_node_requirements")),
    ...places.map((place) => place.get("target_performance_parameters")),
  ];
  const all = [
    ...cpus.flatMap((cpu) => ofPinning(cpu.get("virtual_cpu_pinning"))),
    ...memories.flatMap((memory) => ofNuma(memory.get("numa_enabled"))),
    ...requirements.flatMap(ofRequirements),
  ];
  return all.filter(
    ({ name, value }, i) => i === all.findIndex((first) => first.name === name && first.value === value),
  );
}

function ofPinning(pinning: At): ExtraSpec[] {
  const policy = pinning.get("virtual_cpu_pinning_policy");
  const rule = pinning.get("virtual_cpu_pinning_rule");
  return [
    ...translated(policy, "hw:cpu_policy", POLICIES),
    ...(rule.isList ? rule.items() : [rule]).flatMap((one) =>
      translated(one, "hw:cpu_thread_policy", THREAD_POLICIES),
    ),
  ];
}

/**
 * Reads an extra spec whose values have other names in VNFDs.
 * @param values Nova's value by that of the VNFD
 */
function translated(at: At, name: string, values: ReadonlyMap<string, string>): ExtraSpec[] {
  if (!at.exists) return [];
  const value = values.get(at.text() ?? "");
  if (value !== undefined) return [{ name, value, property: at.property }];
  at.warn(
    `${at.shown()} is not one of ${[...values.keys()].join(", ")}, so it is determined by the Nova flavor: ` +
      "set one that has it under flavors",
  );
  return [];
}

function ofNuma(enabled: At): ExtraSpec[] {
  return enabled.boolean() === true
    ? [{ name: "hw:numa_nodes", value: undefined, property: enabled.property }]
    : [];
}

/** Reads extra specs from a map whose keys SOL001 leaves to the platform. */
function ofRequirements(map: At): ExtraSpec[] {
  return map.keys().flatMap((key) => {
    const name = BARE_NAMES.includes(key) ? `hw:${key}` : key;
    const at = map.get(key);
    const value = NAME.test(name) ? at.text() : undefined;
    return value === undefined ? [] : [{ name, value, property: at.property }];
  });
}
