import { addressAt, overlap, parseAddress, prefixLength, rangeOf, type Cidr, type Range } from "./cidr";

// The rules of Neutron 26: neutron/db/db_base_plugin_v2.py, neutron/db/ipam_backend_mixin.py and neutron/ipam/utils.py

/** Longest prefix of a subnet with DHCP, by IP version. */
const LONGEST_PREFIX = { 4: 30, 6: 126 } as const;

/** Ranges in which no subnet can have DHCP, by first and last address. */
const NOT_FOR_DHCP: readonly (readonly [first: string, last: string, what: string])[] = [
  ["0.0.0.0", "0.0.0.0", "0.0.0.0, the address of no host"],
  ["127.0.0.0", "127.255.255.255", "loopback addresses"],
  ["224.0.0.0", "239.255.255.255", "multicast addresses"],
  ["::1", "::1", "the loopback address"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast addresses"],
];

/** Returns the reason why Neutron refuses a CIDR as a subnet. */
export function blockProblem(block: Cidr, dhcpEnabled: boolean): string | undefined {
  const longest = LONGEST_PREFIX[block.version];
  if (block.version === 6 && block.first === 0n)
    return `${block.text} begins with ::, which is not a network`;
  if (!dhcpEnabled) return undefined;
  if (prefixLength(block) > longest)
    return `${block.text} is too small for DHCP, a gateway and a server; use /${longest} or a shorter prefix`;
  for (const [first, last, what] of NOT_FOR_DHCP) {
    const range = rangeOf(first, last);
    if (range !== undefined && range.version === block.version && range.first <= block.first)
      if (block.first <= range.last) return `${block.text} has ${what}; use a block of your own addresses`;
  }
  return undefined;
}

/** Returns the reason why Neutron refuses an address of a CIDR as its gateway. */
export function gatewayProblem(block: Cidr, gateway: string): string | undefined {
  const address = parseAddress(gateway);
  if (block.version === 6 || address?.version !== 4) return undefined;
  if (address.first !== block.first && address.first !== block.last) return undefined;
  return `${gateway} is ${nameOf(block, address.first)} of ${block.text}; use an address between these`;
}

/** Returns the reason why Neutron refuses an IPv6 address mode for a CIDR. */
export function modeProblem(block: Cidr, mode: string): string | undefined {
  const isAutomatic = mode === "slaac" || mode === "dhcpv6-stateless";
  if (block.version === 4 || !isAutomatic || prefixLength(block) === 64) return undefined;
  return `${mode} requires a /64, and ${block.text} is not one; use a /64, or dhcpv6-stateful`;
}

/** Returns Neutron's default gateway of a subnet: the first address after the network's own. */
export function defaultGateway(block: Cidr): string {
  return addressAt(block, 1n);
}

/**
 * Returns Neutron's default pool of a subnet with that gateway: all other host addresses. Undefined if there are none.
 */
export function defaultPool(block: Cidr): { readonly start: string; readonly end: string } | undefined {
  if (prefixLength(block) > LONGEST_PREFIX[block.version]) return undefined;
  const last = block.last - block.first - (block.version === 4 ? 1n : 0n);
  return { start: addressAt(block, 2n), end: addressAt(block, last) };
}

/** Returns the network or broadcast address of a CIDR, if a pool contains it. */
function reservedAddress(block: Cidr, range: Range): string | undefined {
  if (block.version !== range.version) return undefined;
  if (block.version === 4 && prefixLength(block) > 30) return undefined;
  if (range.first === block.first) return nameOf(block, block.first);
  return block.version === 4 && range.last === block.last ? nameOf(block, block.last) : undefined;
}

function nameOf(block: Cidr, address: bigint): string {
  return address === block.first ? "the network address" : "the broadcast address";
}

/**
 * Returns errors in the allocation pools of a subnet that Neutron would reject, each with the index of its pool.
 * Invalid addresses, and addresses outside the CIDR, are reported elsewhere.
 */
export function poolProblems(
  pools: readonly { readonly start: string; readonly end: string }[],
  gateway: string | undefined,
  block: Cidr | undefined,
): { readonly pool: number; readonly problem: string }[] {
  const router = gateway === undefined ? undefined : parseAddress(gateway);
  const problems = new Map<number, string>();
  const ranges = pools.flatMap(({ start, end }, pool) => {
    const range = rangeOf(start, end);
    if (range === undefined) return [];
    if (range.first > range.last) {
      problems.set(pool, `${start} comes after ${end}; set the first address as start`);
      return [];
    }
    const reserved = block === undefined ? undefined : reservedAddress(block, range);
    if (reserved !== undefined)
      problems.set(
        pool,
        `${start} to ${end} contains ${reserved} of ${block?.text}; remove it from the pools`,
      );
    if (router !== undefined && overlap(router, range))
      problems.set(pool, `${start} to ${end} contains the gateway, ${gateway}; remove it from the pools`);
    return [{ pool, ...range }];
  });
  ranges.sort((a, b) => a.version - b.version || Number(a.first - b.first));
  // if any earlier pool overlaps with this one, then the one with the highest end
  let widest: (typeof ranges)[number] | undefined;
  for (const range of ranges) {
    if (widest !== undefined && overlap(widest, range))
      problems.set(range.pool, `shares addresses with pool ${widest.pool}`);
    if (widest?.version !== range.version || range.last > widest.last) widest = range;
  }
  return [...problems].map(([pool, problem]) => ({ pool, problem })).sort((a, b) => a.pool - b.pool);
}
