import { isIn, isSameAddress, parseAddress } from "../../base/net/cidr";
import type { Place } from "../../base/findings";
import { own } from "../../base/own";
import type { ExtVirtualLink, VnfSettings } from "../../settings/model";
import type { DeploymentFlavour, VduCp } from "../../vnfd/model";
import type { PlannedNetwork, PlannedServer, PlannedSubnet } from "./model";
import { entryOf, ofVersion } from "./ports";
import { checkVirtualIp } from "./virtual-ips";

/** An entry of extVirtualLinks with the connection points of servers that use it. */
interface Entry {
  readonly at: Place;
  readonly extLink: ExtVirtualLink;
  readonly isVirtualIp: boolean;
  readonly connectionPoints: readonly VduCp[];
}

/** Records settings of extVirtualLinks that Neutron would refuse for ports in the middle of a run. */
export function checkPorts(
  place: Place,
  settings: VnfSettings,
  flavour: DeploymentFlavour,
  servers: readonly PlannedServer[],
  networks: readonly PlannedNetwork[],
): void {
  const made = Object.values(flavour.connectionPoints).filter((cp) =>
    servers.some(({ ports }) => ports.some(({ connectionPoint }) => connectionPoint === cp.id)),
  );
  const entries = Object.entries(settings.extVirtualLinks ?? {}).map(([name, extLink]): Entry => ({
    at: place.get("extVirtualLinks", name),
    extLink,
    isVirtualIp: own(flavour.virtualIps, name) !== undefined,
    connectionPoints: made.filter((cp) => entryOf(cp, settings, flavour)?.name === name),
  }));
  for (const entry of entries) {
    if (entry.isVirtualIp) {
      checkVirtualIp(entry.at, entry.extLink);
    } else {
      checkPortSecurity(entry);
      checkCounts(entry, servers);
    }
    checkSubnetsOf(entry, networks);
  }
  checkShared(entries);
}

function checkPortSecurity({ at, extLink }: Entry): void {
  if (extLink.portSecurity !== false) return;
  for (const key of ["securityGroups", "allowedAddressPairs"] as const) {
    if (extLink[key] !== undefined)
      at.get(key).fault("has no effect if portSecurity is false; remove one of the two");
  }
}

/** Records lists of fixed addresses that are too short: each server needs one of each IP version in the list. */
function checkCounts(
  { at, extLink: { fixedAddresses = [] }, connectionPoints }: Entry,
  servers: readonly PlannedServer[],
): void {
  if (fixedAddresses.length === 0) return;
  if (connectionPoints.length > 1) {
    const ids = connectionPoints.map(({ id }) => id).join(", ");
    at.get("fixedAddresses").fault(`would belong to the connection points ${ids}; write one entry for each`);
    return;
  }
  for (const { vdu } of connectionPoints) {
    const needed = servers.filter((server) => server.vdu.id === vdu).length;
    for (const version of [4, 6] as const) {
      const { length } = ofVersion(fixedAddresses, version);
      if (length > 0 && length < needed) {
        at.get("fixedAddresses").fault(
          `VDU ${vdu} has ${needed} servers, but ${length} IPv${version} addresses are set; set one for each server`,
        );
      }
    }
  }
}

/** Records fixed addresses outside of the subnets of their network, if these are known. */
function checkSubnetsOf({ at, extLink }: Entry, networks: readonly PlannedNetwork[]): void {
  const { fixedAddresses = [], subnet, virtualLink } = extLink;
  const isOfBoth = ([4, 6] as const).every((version) => ofVersion(fixedAddresses, version).length > 0);
  if (subnet !== undefined && isOfBoth) {
    at.get("fixedAddresses").fault("are IPv4 and IPv6, and a subnet has only one of them; remove subnet");
  }
  const network = networks.find((one) => one.virtualLink === virtualLink);
  if (network === undefined) return;
  fixedAddresses.forEach((address, i) => {
    const problem = problemOf(address, network);
    if (problem !== undefined) at.get("fixedAddresses", i).fault(`${address} ${problem}`);
  });
}

function problemOf(address: string, { virtualLink, subnets }: PlannedNetwork): string | undefined {
  const subnet = subnets.find(({ cidr }) => isIn(address, cidr));
  if (subnet === undefined) {
    const known = subnets.map(({ cidr }) => cidr).join(", ");
    return `is in no subnet of the virtual link ${virtualLink}, which are ${known}`;
  }
  if (isSameAddress(address, subnet.gatewayIp)) return `is the gatewayIp of ${subnet.cidr}; use another one`;
  if (isAutomatic(subnet))
    return `is in ${subnet.cidr}, where servers generate their addresses (${subnet.ipv6AddressMode}); remove it`;
  return undefined;
}

/** Returns true for a subnet in which Neutron assigns all addresses by itself, so that none can be fixed. */
function isAutomatic({ ipv6AddressMode: mode }: PlannedSubnet): boolean {
  return mode === "slaac" || mode === "dhcpv6-stateless";
}

/** Records addresses that several ports of a network would have. */
function checkShared(entries: readonly Entry[]): void {
  const seen = new Map<string, Place>();
  for (const { at, extLink } of entries) {
    extLink.fixedAddresses?.forEach((address, i) => {
      const { network, virtualLink } = extLink;
      const key = JSON.stringify([network, virtualLink, parseAddress(address)?.text]);
      const place = at.get("fixedAddresses", i);
      const before = seen.get(key);
      if (before !== undefined) place.fault(`${address} is also that of ${before.text}; use another one`);
      seen.set(key, place);
    });
  }
}
