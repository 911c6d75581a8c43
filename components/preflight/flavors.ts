import type { Flavor, OpenStack } from "../openstack/session";
import { own } from "../base/own";
import type { ExtraSpec, PlannedFlavor } from "../plan/model";

/** Those of the flavors that have the name, else the id, or the size, which may be several. */
export function flavorsOf(asked: PlannedFlavor, flavors: readonly Flavor[]): readonly Flavor[] {
  switch (asked.kind) {
    case "name": {
      const named = flavors.filter(({ name }) => name === asked.name);
      return named.length > 0 ? named : flavors.filter(({ id }) => id === asked.name);
    }
    case "size":
      return flavors.filter(
        ({ vcpus, ram, disk }) =>
          vcpus === asked.vcpus && ram === asked.ramMiB && (asked.diskGiB === 0 || disk === asked.diskGiB),
      );
  }
}

/** @returns undefined where there is not exactly one */
export function flavorOf(asked: PlannedFlavor, flavors: readonly Flavor[]): Flavor | undefined {
  const [one, another] = flavorsOf(asked, flavors);
  return another === undefined ? one : undefined;
}

export type ExtraSpecs = Readonly<Record<string, string>>;

/** Lists of flavors have them in newer releases of Nova alone. */
export async function extraSpecsOf({ id }: Flavor, cloud: Pick<OpenStack, "get">): Promise<ExtraSpecs> {
  const path = `/flavors/${encodeURIComponent(id)}/os-extra_specs`;
  return (await cloud.get<{ extra_specs: ExtraSpecs }>("compute", path))?.extra_specs ?? {};
}

/** Of what a VDU asks of its flavor that which a flavor has not. */
export function lackOf(wanted: readonly ExtraSpec[], has: ExtraSpecs): readonly ExtraSpec[] {
  return wanted.filter((spec) => !isMet(spec, has));
}

const NUMA_NODES = "hw:numa_nodes";
const CPU_POLICY = "hw:cpu_policy";
const PAGE_SIZE = "hw:mem_page_size";

/** What Nova takes where a flavor says nothing. */
const DEFAULTS: ExtraSpecs = {
  [CPU_POLICY]: "shared",
  "hw:cpu_thread_policy": "prefer",
  [PAGE_SIZE]: "small",
};

function isMet({ name, value: wanted }: ExtraSpec, specs: ExtraSpecs): boolean {
  const has = own(specs, name) ?? own(DEFAULTS, name);
  if (name === NUMA_NODES && wanted === undefined) return has !== undefined || isOfOneNumaNode(specs);
  if (has === undefined || wanted === undefined) return has === wanted;
  if (name === PAGE_SIZE && pageKiB(has) !== undefined)
    return wanted === "large" ? isLarge(has) : pageKiB(has) === pageKiB(wanted);
  return has.toLowerCase() === wanted.toLowerCase();
}

/** Pinned CPUs and chosen pages give a server a NUMA node, where its flavor says nothing of nodes. */
function isOfOneNumaNode(specs: ExtraSpecs): boolean {
  const policy = own(specs, CPU_POLICY) ?? "shared";
  return policy !== "shared" || own(specs, PAGE_SIZE) !== undefined;
}

const KIB_OF_UNITS: Readonly<Record<string, number>> = { "": 1, k: 1, m: 1024, g: 1024 ** 2, t: 1024 ** 3 };

/** In KiB, as Nova takes a bare number. @returns undefined for a word, such as `large` */
function pageKiB(size: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)\s*([kmgt]?)i?b?$/i.exec(size) ?? [];
  const factor = own(KIB_OF_UNITS, unit.toLowerCase());
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** No architecture has usual pages of a MiB, and the large ones of each have more. */
function isLarge(size: string): boolean {
  return (pageKiB(size) ?? 0) >= 1024;
}
