/** What ports of servers get of extVirtualLinks, and what of it is refused before anything is made. */
import type { PlannedPort } from "../../../components/plan/servers/model";
import { planNetworks } from "../../../components/plan/servers/networks";
import { checkPorts } from "../../../components/plan/servers/port-checks";
import { planServers } from "../../../components/plan/servers/servers";
import type { ExtVirtualLink, SubnetSettings } from "../../../components/settings/model";
import { connectionPoint, flavour, vdu, vnfSettings } from "../fixtures";
import { placeOf } from "../places";

const of = flavour({
  vdus: { a: vdu("a"), b: vdu("b") },
  connectionPoints: {
    cp: connectionPoint("cp", "a", { externalLink: "both", vnicType: "direct" }),
    other: connectionPoint("other", "b", { externalLink: "both" }),
  },
  virtualIps: { vip: { id: "vip", targets: ["cp"], vipFunction: "high_availability" } },
});

const SUBNETS: readonly SubnetSettings[] = [
  { cidr: "10.20.0.0/24", gatewayIp: "10.20.0.1", dhcpEnabled: true },
  { cidr: "fd00:20::/64", dhcpEnabled: true },
  { cidr: "fd00:30::/64", dhcpEnabled: true, ipv6AddressMode: "slaac" },
];

function plan(extVirtualLinks: Readonly<Record<string, ExtVirtualLink>>, b = 0) {
  const place = placeOf("vnf");
  const used = Object.values(extVirtualLinks).some(({ virtualLink }) => virtualLink === "nodes");
  const settings = vnfSettings({
    extVirtualLinks,
    ...(used && { virtualLinks: { nodes: { subnets: SUBNETS } } }),
  });
  const servers = planServers("vnf-a", place, settings, of, { a: 2, b });
  const networks = planNetworks(servers, place, settings, of);
  checkPorts(place, settings, of, servers, networks);
  return { ports: servers.flatMap(({ ports }) => ports), faults: place.findings.texts };
}

const onNetwork = (settings: ExtVirtualLink) =>
  plan({ cp: { network: "n", ...settings }, other: { network: "n" } });
const onLink = (settings: ExtVirtualLink) =>
  plan({ cp: { virtualLink: "nodes", ...settings }, other: { network: "n" } });

it("the plan gives each server, by its number, its own fixed address of each IP version", () => {
  const { ports, faults } = onLink({
    fixedAddresses: ["10.20.0.11", "fd00:20::1", "10.20.0.12", "fd00:20::2", "10.20.0.13", "fd00:20::3"],
  });
  expect(faults).toEqual([]);
  expect(ports.map(({ fixedAddresses }) => fixedAddresses)).toEqual([
    ["10.20.0.11", "fd00:20::1"],
    ["10.20.0.12", "fd00:20::2"],
  ]);
});

it("the plan hands on what an entry says of its ports, and nothing of it to other ports", () => {
  const asked = {
    allowedAddressPairs: [{ ipAddress: "10.244.0.0/16", macAddress: "00:00:5e:00:01:33" }],
    securityGroups: ["web"],
    portSecurity: true,
    bindingProfile: { capabilities: ["switchdev"] },
    qosPolicy: "gold",
    tags: ["blue"],
  };
  const { ports, faults } = plan({ cp: { network: "n", ...asked }, other: { network: "n" } }, 1);
  expect(faults).toEqual([]);
  const link = { kind: "external", network: "n" } as const;
  const ofA: PlannedPort = {
    connectionPoint: "cp",
    link,
    vnicType: "direct",
    floatingNetwork: undefined,
    ...asked,
  };
  expect(ports).toEqual([ofA, ofA, { connectionPoint: "other", link }]);
});

it("the plan prefers the VNIC type of an entry to that of the VNFD", () => {
  expect(onNetwork({ vnicType: "macvtap" }).ports[0]?.vnicType).toBe("macvtap");
  expect(onNetwork({ vnicType: "normal" }).ports[0]?.vnicType).toBeUndefined();
});

it.each<[string, ExtVirtualLink, string[]]>([
  [
    "fewer addresses than servers",
    { fixedAddresses: ["10.20.0.11", "fd00:20::1", "fd00:20::2"] },
    ["fixedAddresses: VDU a has 2 servers, but 1 IPv4 addresses are set; set one for each server"],
  ],
  [
    "addresses outside of the subnets, of a gateway, and where servers make their own",
    {
      fixedAddresses: ["10.21.0.1", "10.20.0.1", "fd00:30::1", "fd00:30::2"],
    },
    [
      "fixedAddresses[0]: 10.21.0.1 is in no subnet of the virtual link nodes, which are 10.20.0.0/24, fd00:20::/64, fd00:30::/64",
      "fixedAddresses[1]: 10.20.0.1 is the gatewayIp of 10.20.0.0/24; use another one",
      "fixedAddresses[2]: fd00:30::1 is in fd00:30::/64, where servers generate their addresses (slaac); remove it",
      "fixedAddresses[3]: fd00:30::2 is in fd00:30::/64, where servers generate their addresses (slaac); remove it",
    ],
  ],
  [
    "an address twice",
    { fixedAddresses: ["fd00:20::1", "fd00:20:0::1"] },
    [
      "fixedAddresses[1]: fd00:20:0::1 is also that of vnf.extVirtualLinks.cp.fixedAddresses[0]; use another one",
    ],
  ],
  [
    "groups and pairs without port security",
    { portSecurity: false, securityGroups: ["web"], allowedAddressPairs: [{ ipAddress: "10.0.0.1" }] },
    [
      "securityGroups: has no effect if portSecurity is false; remove one of the two",
      "allowedAddressPairs: has no effect if portSecurity is false; remove one of the two",
    ],
  ],
])("the plan refuses %s", (_, settings, faults) => {
  expect(onLink(settings).faults).toEqual(faults.map((fault) => `vnf.extVirtualLinks.cp.${fault}`));
});

it("the plan refuses addresses of both IP versions in one subnet of a network that exists, and asks no more of it", () => {
  const fixedAddresses = ["10.99.0.1", "10.99.0.2", "fd00:99::1", "fd00:99::2"];
  expect(onNetwork({ subnet: "s", fixedAddresses }).faults).toEqual([
    "vnf.extVirtualLinks.cp.fixedAddresses: are IPv4 and IPv6, and a subnet has only one of them; remove subnet",
  ]);
  expect(onNetwork({ fixedAddresses }).faults).toEqual([]);
});

it("the plan refuses fixed addresses that several connection points would have", () => {
  const fixedAddresses = ["10.0.0.1", "10.0.0.2"];
  expect(plan({ both: { network: "n", fixedAddresses } }, 1).faults).toEqual([
    "vnf.extVirtualLinks.both.fixedAddresses: would belong to the connection points cp, other; write one entry for each",
  ]);
  const one = { network: "n", fixedAddresses };
  expect(plan({ cp: one, other: one }, 1).faults).toEqual(
    [0, 1].map(
      (i) =>
        `vnf.extVirtualLinks.other.fixedAddresses[${i}]: 10.0.0.${i + 1} is also that of vnf.extVirtualLinks.cp.fixedAddresses[${i}]; use another one`,
    ),
  );
});

it("the plan takes for an address that servers share one of each IP version", () => {
  const cp = { virtualLink: "nodes" };
  const other = { network: "n" };
  const vip = { virtualLink: "nodes", fixedAddresses: ["10.20.0.9", "fd00:20::9"] };
  expect(plan({ cp, other, vip }).faults).toEqual([]);
});

it.each<[string, string[], string[]]>([
  [
    "several of an IP version",
    ["10.20.0.8", "fd00:20::9", "10.20.0.9"],
    ["fixedAddresses: servers share one address of each IP version, but 2 IPv4 addresses are set; keep one"],
  ],
  [
    "one outside of the subnets, and a gateway",
    ["fd00:99::9", "10.20.0.1"],
    [
      "fixedAddresses[0]: fd00:99::9 is in no subnet of the virtual link nodes, which are 10.20.0.0/24, fd00:20::/64, fd00:30::/64",
      "fixedAddresses[1]: 10.20.0.1 is the gatewayIp of 10.20.0.0/24; use another one",
    ],
  ],
  [
    "that of a port",
    ["10.20.0.12"],
    [
      "fixedAddresses[0]: 10.20.0.12 is also that of vnf.extVirtualLinks.cp.fixedAddresses[1]; use another one",
    ],
  ],
])("the plan refuses for an address that servers share %s", (_, fixedAddresses, faults) => {
  const cp = { virtualLink: "nodes", fixedAddresses: ["10.20.0.11", "10.20.0.12"] };
  const vip = { virtualLink: "nodes", fixedAddresses };
  expect(plan({ cp, other: { network: "n" }, vip }).faults).toEqual(
    faults.map((fault) => `vnf.extVirtualLinks.vip.${fault}`),
  );
});

it("the plan refuses for an address that servers share what is of their ports", () => {
  const vip = { network: "n", securityGroups: ["web"], portSecurity: false };
  expect(plan({ cp: { network: "n" }, other: { network: "n" }, vip }).faults).toEqual(
    ["securityGroups", "portSecurity"].map(
      (key) =>
        `vnf.extVirtualLinks.vip.${key}: is for ports of servers, and this is an address that they share; remove it`,
    ),
  );
});
