import type { Flavor } from "../openstack/session";
import { own } from "../base/own";
import type { ExtraSpec, PlannedFlavor } from "../plan/servers/model";
import type { Cloud } from "./cloud";

/** The flavors with the name, else the one with the id; for a size, all flavors of that size. */
export function flavorsOf(planned: PlannedFlavor, flavors: readonly Flavor[]): readonly Flavor[] {
  switch (planned.kind) {
    case "name": {
      const named = flavors.filter(({ name }) => name === planned.name);
      return named.length > 0 ? named : flavors.filter(({ id }) => id === planned.name);
    }
    case "size":
      return flavors.filter(
        ({ vcpus, ram, disk }) =>
          vcpus === planned.vcpus &&
          ram === planned.ramMiB &&
          (planned.diskGiB === 0 || disk === planned.diskGiB),
      );
  }
}

/**
 * @returns undefined unless there is exactly one
 */
export function flavorOf(planned: PlannedFlavor, flavors: readonly Flavor[]): Flavor | undefined {
  const [one, another] = flavorsOf(planned, flavors);
  return another === undefined ? one : undefined;
}

export type ExtraSpecs = Readonly<Record<string, string>>;

/** Reads the extra specs of a flavor; lists of flavors contain them only in newer releases of Nova. */
export async function extraSpecsOf({ id }: Flavor, cloud: Cloud): Promise<ExtraSpecs> {
  const path = `/flavors/${encodeURIComponent(id)}/os-extra_specs`;
  return (await cloud.get<{ extra_specs: ExtraSpecs }>("compute", path))?.extra_specs ?? {};
}

/** The requirements of a VDU that a flavor does not fulfil. */
export function lackOf(required: readonly ExtraSpec[], has: ExtraSpecs): readonly ExtraSpec[] {
  return required.filter((spec) => !isMet(spec, has));
}

const NUMA_NODES = "hw:numa_nodes";
const CPU_POLICY = "hw:cpu_policy";
const PAGE_SIZE = "hw:mem_page_size";

/** Nova's defaults for absent extra specs. */
const DEFAULTS: ExtraSpecs = {
  [CPU_POLICY]: "shared",
  "hw:cpu_thread_policy": "prefer",
  [PAGE_SIZE]: "small",
};

function isMet({ name, value: required }: ExtraSpec, specs: ExtraSpecs): boolean {
  const has = own(specs, name) ?? own(DEFAULTS, name);
  if (name === NUMA_NODES && required === undefined) return has !== undefined || isOfOneNumaNode(specs);
  if (has === undefined || required === undefined) return has === required;
  if (name === PAGE_SIZE && pageKiB(has) !== undefined)
    return required === "large" ? isLarge(has) : pageKiB(has) === pageKiB(required);
  return has.toLowerCase() === required.toLowerCase();
}

/**
 * Returns true if Nova gives the server one NUMA node: the flavor pins CPUs or sets a page size, and no number of
 * nodes.
 */
function isOfOneNumaNode(specs: ExtraSpecs): boolean {
  const policy = own(specs, CPU_POLICY) ?? "shared";
  return policy !== "shared" || own(specs, PAGE_SIZE) !== undefined;
}

const KIB_OF_UNITS: Readonly<Record<string, number>> = { "": 1, k: 1, m: 1024, g: 1024 ** 2, t: 1024 ** 3 };

/** Page size in KiB, Nova's unit of a bare number. @returns undefined for a word, such as `large` */
function pageKiB(size: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)\s*([kmgt]?)i?b?$/i.exec(size) ?? [];
  const factor = own(KIB_OF_UNITS, unit.toLowerCase());
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/**
 * Returns true for a large page size: of all architectures small pages have less than 1 MiB, and large pages at least
 * that.
 */
function isLarge(size: string): boolean {
  return (pageKiB(size) ?? 0) >= 1024;
}
