import { overlap, parseAddress, parseCidr } from "../base/net/cidr";
import { blockProblem, gatewayProblem, modeProblem, poolProblems } from "../base/net/subnet-problems";
import type { At } from "./at";
import type { IpAllocationPool, Ipv6AddressMode, L3ProtocolData } from "./model";

const MODES: readonly Ipv6AddressMode[] = ["slaac", "dhcpv6-stateful", "dhcpv6-stateless"];

/**
 * Reads the subnets of a virtual link: each l3_protocol_data (SOL001 6.2.16) of its profile. In SOL001 each entry of a
 * list has one; Tacker's packages also have a list, or a single one. Values that Neutron would reject during a run are
 * errors. Host bits of a CIDR are ignored.
 */
export function readSubnets(protocolData: readonly At[]): L3ProtocolData[] {
  const places = protocolData
    .map((data) => data.get("l3_protocol_data"))
    .flatMap((data) => (data.isList ? data.items() : [data]))
    .filter((data) => data.exists);
  const subnets = places.map(readSubnet);
  subnets.forEach(({ cidr }, i) => {
    const other = subnets.slice(0, i).find((before) => isShared(before.cidr, cidr));
    if (other !== undefined)
      places[i]?.get("cidr").fault(`${cidr} overlaps ${other.cidr} of the same virtual link`);
  });
  return subnets;
}

function readSubnet(l3: At): L3ProtocolData {
  const at = l3.get("cidr");
  const text = at.text();
  const block = text === undefined ? undefined : parseCidr(text);
  if (text !== undefined && block === undefined) {
    at.fault(`${at.shown()} is not a CIDR; write an address and a prefix length, such as 10.9.0.0/24`);
  }
  const version = l3.get("ip_version");
  const declared = version.text()?.toLowerCase();
  if (block !== undefined && declared !== undefined && declared !== `ipv${block.version}`) {
    version.fault(`${version.shown()} is not the version of ${block.text}, the cidr: ipv${block.version}`);
  }
  const address = (place: At) => {
    const value = place.text();
    const parsed = value === undefined ? undefined : parseAddress(value);
    if (value !== undefined && parsed === undefined) place.fault(`${place.shown()} is not an IP address`);
    if (parsed !== undefined && block !== undefined && !overlap(block, parsed)) {
      place.fault(`${value} is not in ${block.text}, the cidr`);
    }
    return value;
  };
  const dhcpEnabled = l3.get("dhcp_enabled").boolean() ?? true;
  const gatewayIp = address(l3.get("gateway_ip"));
  const ipv6AddressMode = readMode(l3.get("ipv6_address_mode"), block?.version, dhcpEnabled);
  const pools = l3.get("ip_allocation_pools").items();
  const ipAllocationPools = pools.map((pool): IpAllocationPool => {
    const [start, end] = [pool.get("start_ip_address"), pool.get("end_ip_address")];
    for (const one of [start, end]) if (!one.exists) one.missing();
    return { start: address(start) ?? "", end: address(end) ?? "" };
  });
  for (const { pool, problem } of poolProblems(ipAllocationPools, gatewayIp, block))
    pools[pool]?.fault(problem);
  if (block !== undefined) {
    const problems = [
      [at, blockProblem(block, dhcpEnabled)],
      [l3.get("gateway_ip"), gatewayIp && gatewayProblem(block, gatewayIp)],
      [l3.get("ipv6_address_mode"), ipv6AddressMode && modeProblem(block, ipv6AddressMode)],
    ] as const;
    for (const [problemPlace, problem] of problems) if (problem) problemPlace.fault(problem);
  }
  return { cidr: block?.text, gatewayIp, dhcpEnabled, ipv6AddressMode, ipAllocationPools };
}

function readMode(at: At, version: 4 | 6 | undefined, dhcpEnabled: boolean): Ipv6AddressMode | undefined {
  const text = at.text();
  if (text === undefined) return undefined;
  const mode = MODES.find((known) => known === text.replace("_", "-"));
  if (mode === undefined) at.fault(`${at.shown()} is not one of ${MODES.join(", ")}`);
  else if (version === 4) at.fault("is for IPv6, and the cidr is IPv4");
  else if (!dhcpEnabled) at.fault("is not possible where dhcp_enabled is false");
  return mode;
}

function isShared(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [one, other].map((text) => (text === undefined ? undefined : parseCidr(text)));
  return a !== undefined && b !== undefined && overlap(a, b);
}
