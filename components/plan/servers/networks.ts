import { isIn, overlap, parseAddress, parseCidr, poolProblems } from "../../cidr";
import { didYouMean, oneOf } from "../../nearest";
import { own } from "../../own";
import type { ExtVirtualLink, SubnetSettings, VnfSettings } from "../../settings/model";
import type { DeploymentFlavour } from "../../vnfd/model";
import { virtualLinkOf } from "../link";
import type { Link, PlannedNetwork, PlannedRouter, PlannedServer, PlannedSubnet } from "../model";

/** What an entry of extVirtualLinks connects to; checkLinks tells what is wrong with it. */
export function linkOf({ network, subnet, virtualLink }: ExtVirtualLink): Link {
  if (network === undefined) return { kind: "internal", virtualLink: virtualLink ?? "" };
  return { kind: "external", network, ...(subnet === undefined ? {} : { subnet }) };
}

/** Appends what is wrong with the entries of extVirtualLinks, and with virtualLinks that none of them uses. */
export function checkLinks(
  path: string,
  { extVirtualLinks = {}, virtualLinks = {} }: VnfSettings,
  flavour: DeploymentFlavour,
  faults: string[],
): void {
  const ofVnfd = Object.keys(flavour.virtualLinks);
  const known = [...new Set([...ofVnfd, ...Object.keys(virtualLinks)])];
  for (const [name, { network, subnet, virtualLink }] of Object.entries(extVirtualLinks)) {
    const at = `${path}.extVirtualLinks.${name}`;
    if ((network === undefined) === (virtualLink === undefined)) {
      faults.push(
        `${at}: give either network, of a network that exists, or virtualLink, of one that is made`,
      );
    } else if (virtualLink !== undefined && subnet !== undefined) {
      faults.push(`${at}.subnet: is of a network that exists; leave it out beside virtualLink`);
    }
    if (virtualLink !== undefined && !known.includes(virtualLink)) {
      faults.push(
        `${at}.virtualLink: "${virtualLink}" is neither under ${path}.virtualLinks nor a virtual link of the VNFD; ${oneOf(known)}${didYouMean(virtualLink, known)}`,
      );
    }
  }
  const used = new Set([...ofVnfd, ...Object.values(extVirtualLinks).map(({ virtualLink }) => virtualLink)]);
  for (const name of Object.keys(virtualLinks).filter((one) => !used.has(one))) {
    faults.push(
      `${path}.virtualLinks.${name}: nothing is on it: it is no virtual link of the VNFD, and no virtualLink of ${path}.extVirtualLinks; name it there, or leave it out`,
    );
  }
}

/**
 * The networks that are made: the virtual links of the VNFD and of the stack config that servers are on. What the stack
 * config says of one wins. Appends what is wrong to `faults`.
 */
export function planNetworks(
  servers: readonly PlannedServer[],
  path: string,
  { virtualLinks = {} }: VnfSettings,
  flavour: DeploymentFlavour,
  faults: string[],
): PlannedNetwork[] {
  const links = servers.flatMap(({ ports }) => ports.map(({ link }) => link));
  const used = new Set(links.map(virtualLinkOf));
  const names = [...new Set([...Object.keys(flavour.virtualLinks), ...Object.keys(virtualLinks)])];
  return names
    .filter((name) => used.has(name))
    .map((name) => {
      const at = `${path}.virtualLinks.${name}`;
      const given = own(virtualLinks, name) ?? {};
      const described = own(flavour.virtualLinks, name);
      const all = given.subnets?.map(subnetOf) ?? described?.subnets ?? [];
      const subnets = all.flatMap(({ cidr, ...subnet }) => (cidr === undefined ? [] : [{ cidr, ...subnet }]));
      if (given.subnets !== undefined) checkSubnets(subnets, `${at}.subnets`, faults);
      else if (described === undefined) faults.push(`${at}.subnets: is required`);
      else if (subnets.length === 0 || subnets.length < all.length) {
        faults.push(
          `${path}: virtual link ${name} has no cidr in the l3_protocol_data of the VNFD, and a port there ` +
            `would have no address; add it, or give subnets under virtualLinks.${name}, or a network under extVirtualLinks.${name}`,
        );
      }
      const dnsNameservers = [...(given.dnsNameservers ?? [])];
      checkNameservers(dnsNameservers, subnets, `${at}.dnsNameservers`, faults);
      return {
        virtualLink: name,
        subnets,
        mtu: given.mtu ?? described?.mtu,
        vlanTransparent: described?.vlanTransparent ?? false,
        dnsNameservers,
        router: routerOf(given.router),
      };
    });
}

function routerOf(given: string | { externalNetwork: string } | undefined): PlannedRouter | undefined {
  return typeof given === "string"
    ? { kind: "existing", router: given }
    : given && { kind: "made", ...given };
}

function subnetOf(given: SubnetSettings): PlannedSubnet {
  return {
    cidr: given.cidr,
    gatewayIp: given.gatewayIp,
    dhcpEnabled: given.dhcpEnabled,
    ipv6AddressMode: given.ipv6AddressMode,
    ipAllocationPools: given.ipAllocationPools ?? [],
  };
}

/** What Neutron would refuse in the middle of a run. */
function checkSubnets(subnets: readonly PlannedSubnet[], path: string, faults: string[]): void {
  subnets.forEach(({ cidr, gatewayIp, dhcpEnabled, ipv6AddressMode: mode, ipAllocationPools: pools }, i) => {
    const at = `${path}[${i}]`;
    const block = parseCidr(cidr);
    const addresses: [string, string | undefined][] = [
      ["gatewayIp", gatewayIp],
      ...pools.flatMap(({ start, end }, j): [string, string][] => [
        [`ipAllocationPools[${j}].start`, start],
        [`ipAllocationPools[${j}].end`, end],
      ]),
    ];
    for (const [key, address] of addresses) {
      if (address !== undefined && !isIn(address, cidr))
        faults.push(`${at}.${key}: ${address} is not in ${cidr}, the cidr`);
    }
    for (const { pool, problem } of poolProblems(pools, gatewayIp))
      faults.push(`${at}.ipAllocationPools[${pool}]: ${problem}`);
    if (mode !== undefined && block?.version === 4)
      faults.push(`${at}.ipv6AddressMode: is for IPv6, and ${cidr} is IPv4; leave it out`);
    else if (mode !== undefined && !dhcpEnabled)
      faults.push(
        `${at}.ipv6AddressMode: is not possible where dhcpEnabled is false; leave one of the two out`,
      );
    const other = subnets.slice(0, i).find((before) => isShared(before.cidr, cidr));
    if (other !== undefined)
      faults.push(`${at}.cidr: ${cidr} overlaps ${other.cidr} of the same virtual link`);
  });
}

function checkNameservers(
  addresses: readonly string[],
  subnets: readonly PlannedSubnet[],
  path: string,
  faults: string[],
): void {
  const versions = subnets.map(({ cidr }) => parseCidr(cidr)?.version);
  addresses.forEach((address, i) => {
    const version = parseAddress(address)?.version;
    if (!versions.includes(version))
      faults.push(
        `${path}[${i}]: ${address} is IPv${version}, and no subnet of the virtual link is; leave it out`,
      );
  });
}

function isShared(one: string, other: string): boolean {
  const [a, b] = [parseCidr(one), parseCidr(other)];
  return a !== undefined && b !== undefined && overlap(a, b);
}
