import { isIn, overlap, parseAddress, parseCidr } from "../../base/net/cidr";
import {
  blockProblem,
  defaultGateway,
  gatewayProblem,
  modeProblem,
  poolProblems,
} from "../../base/net/subnet-problems";
import type { Place } from "../../base/findings";
import { didYouMean, oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import type { ExtVirtualLink, SubnetSettings, VnfSettings } from "../../settings/model";
import type { DeploymentFlavour } from "../../vnfd/model";
import { virtualLinkOf } from "../link";
import type { Link, PlannedNetwork, PlannedRouter, PlannedServer, PlannedSubnet } from "./model";

/** The network of an entry of extVirtualLinks; checkLinks reports errors in it. */
export function linkOf({ network, subnet, virtualLink }: ExtVirtualLink): Link {
  if (network === undefined) return { kind: "internal", virtualLink: virtualLink ?? "" };
  return { kind: "external", network, ...(subnet === undefined ? {} : { subnet }) };
}

/** Records errors in the entries of extVirtualLinks, and virtualLinks that none of them uses. */
export function checkLinks(
  place: Place,
  { extVirtualLinks = {}, virtualLinks = {} }: VnfSettings,
  flavour: DeploymentFlavour,
): void {
  const ofVnfd = Object.keys(flavour.virtualLinks);
  const known = [...new Set([...ofVnfd, ...Object.keys(virtualLinks)])];
  for (const [name, { network, subnet, virtualLink }] of Object.entries(extVirtualLinks)) {
    const at = place.get("extVirtualLinks", name);
    if ((network === undefined) === (virtualLink === undefined)) {
      at.fault("set either network, for an existing network, or virtualLink, for one that is created");
    } else if (virtualLink !== undefined && subnet !== undefined) {
      at.get("subnet").fault("is for an existing network; remove it next to virtualLink");
    }
    if (virtualLink !== undefined && !known.includes(virtualLink)) {
      at.get("virtualLink").fault(
        `"${virtualLink}" is neither under ${place.text}.virtualLinks nor a virtual link of the VNFD; ${oneOf(known)}${didYouMean(virtualLink, known)}`,
      );
    }
  }
  const used = new Set([...ofVnfd, ...Object.values(extVirtualLinks).map(({ virtualLink }) => virtualLink)]);
  for (const name of Object.keys(virtualLinks).filter((one) => !used.has(one))) {
    place
      .get("virtualLinks", name)
      .fault(
        `nothing uses it: it is neither a virtual link of the VNFD nor a virtualLink of ${place.text}.extVirtualLinks; set it there, or remove it`,
      );
  }
}

/**
 * The networks that vnfm creates: virtual links of the VNFD and of the stack config that servers use. The stack config
 * overrides the VNFD.
 */
export function planNetworks(
  servers: readonly PlannedServer[],
  place: Place,
  { virtualLinks = {} }: VnfSettings,
  flavour: DeploymentFlavour,
): PlannedNetwork[] {
  const links = servers.flatMap(({ ports }) => ports.map(({ link }) => link));
  const used = new Set(links.map(virtualLinkOf));
  const names = [...new Set([...Object.keys(flavour.virtualLinks), ...Object.keys(virtualLinks)])];
  return names
    .filter((name) => used.has(name))
    .map((name) => {
      const at = place.get("virtualLinks", name);
      const ofConfig = own(virtualLinks, name) ?? {};
      const described = own(flavour.virtualLinks, name);
      const all = ofConfig.subnets?.map(subnetOf) ?? described?.subnets ?? [];
      const subnets = all.flatMap(({ cidr, ...subnet }) => (cidr === undefined ? [] : [{ cidr, ...subnet }]));
      if (ofConfig.subnets !== undefined)
        checkSubnets(subnets, ofConfig.router !== undefined, at.get("subnets"));
      else if (described === undefined) at.get("subnets").fault("is required");
      else if (subnets.length === 0 || subnets.length < all.length) {
        place.fault(
          `virtual link ${name} has no cidr in the l3_protocol_data of the VNFD, and a port there ` +
            `would have no address; add it, or set subnets under virtualLinks.${name}, or a network under extVirtualLinks.${name}`,
        );
      }
      if (ofConfig.subnets === undefined && ofConfig.router !== undefined)
        checkGateways(subnets, at.get("router"));
      const dnsNameservers = [...(ofConfig.dnsNameservers ?? [])];
      checkNameservers(dnsNameservers, subnets, at.get("dnsNameservers"));
      return {
        virtualLink: name,
        subnets,
        mtu: ofConfig.mtu ?? described?.mtu,
        vlanTransparent: described?.vlanTransparent ?? false,
        dnsNameservers,
        router: routerOf(ofConfig.router),
      };
    });
}

function routerOf(setting: string | { externalNetwork: string } | undefined): PlannedRouter | undefined {
  return typeof setting === "string"
    ? { kind: "existing", router: setting }
    : setting && { kind: "made", ...setting };
}

function subnetOf(setting: SubnetSettings): PlannedSubnet {
  return {
    cidr: setting.cidr,
    gatewayIp: setting.gatewayIp,
    dhcpEnabled: setting.dhcpEnabled,
    ipv6AddressMode: setting.ipv6AddressMode,
    ipAllocationPools: setting.ipAllocationPools ?? [],
  };
}

/** Records subnets that Neutron would refuse in the middle of a run. */
function checkSubnets(subnets: readonly PlannedSubnet[], hasRouter: boolean, place: Place): void {
  subnets.forEach(({ cidr, gatewayIp, dhcpEnabled, ipv6AddressMode: mode, ipAllocationPools: pools }, i) => {
    const at = place.get(i);
    const block = parseCidr(cidr);
    const addresses: [Place, string | undefined][] = [
      [at.get("gatewayIp"), gatewayIp],
      ...pools.flatMap(({ start, end }, j): [Place, string][] => [
        [at.get("ipAllocationPools", j, "start"), start],
        [at.get("ipAllocationPools", j, "end"), end],
      ]),
    ];
    for (const [setting, address] of addresses) {
      if (address !== undefined && !isIn(address, cidr))
        setting.fault(`${address} is not in ${cidr}, the cidr`);
    }
    for (const { pool, problem } of poolProblems(pools, gatewayOf({ cidr, gatewayIp }, hasRouter), block))
      at.get("ipAllocationPools", pool).fault(problem);
    if (block !== undefined) {
      const problems = [
        ["cidr", blockProblem(block, dhcpEnabled)],
        ["gatewayIp", gatewayIp && gatewayProblem(block, gatewayIp)],
        ["ipv6AddressMode", mode && dhcpEnabled && modeProblem(block, mode)],
      ] as const;
      for (const [key, problem] of problems) if (problem) at.get(key).fault(problem);
    }
    if (mode !== undefined && block?.version === 4)
      at.get("ipv6AddressMode").fault(`is for IPv6, and ${cidr} is IPv4; remove it`);
    else if (mode !== undefined && !dhcpEnabled)
      at.get("ipv6AddressMode").fault("is not possible if dhcpEnabled is false; remove one of the two");
    const other = subnets.slice(0, i).find((before) => isShared(before.cidr, cidr));
    if (other !== undefined) at.get("cidr").fault(`${cidr} overlaps ${other.cidr} of the same virtual link`);
  });
}

/** The gateway of a subnet: the setting or, if the subnet has a router, Neutron's choice. */
function gatewayOf(
  { cidr, gatewayIp }: Pick<PlannedSubnet, "cidr" | "gatewayIp">,
  hasRouter: boolean,
): string | undefined {
  const block = parseCidr(cidr);
  return gatewayIp ?? (hasRouter && block !== undefined ? defaultGateway(block) : undefined);
}

/**
 * Records allocation pools of the VNFD without an address left for the gateway, which a router needs. @param place of
 * the router
 */
function checkGateways(subnets: readonly PlannedSubnet[], place: Place): void {
  for (const subnet of subnets) {
    if (subnet.gatewayIp !== undefined) continue;
    for (const { problem } of poolProblems(subnet.ipAllocationPools, gatewayOf(subnet, true), undefined))
      place.fault(`uses ${subnet.cidr} of the VNFD unchanged: the pool ${problem}, or set subnets here`);
  }
}

function checkNameservers(
  addresses: readonly string[],
  subnets: readonly PlannedSubnet[],
  place: Place,
): void {
  const versions = subnets.map(({ cidr }) => parseCidr(cidr)?.version);
  addresses.forEach((address, i) => {
    const version = parseAddress(address)?.version;
    if (!versions.includes(version))
      place.get(i).fault(`${address} is IPv${version}, and no subnet of the virtual link is; remove it`);
  });
}

function isShared(one: string, other: string): boolean {
  const [a, b] = [parseCidr(one), parseCidr(other)];
  return a !== undefined && b !== undefined && overlap(a, b);
}
