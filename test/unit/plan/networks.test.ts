import { planNetworks } from "../../../components/plan/servers/networks";
import { planServers } from "../../../components/plan/servers/servers";
import { planVirtualIps } from "../../../components/plan/servers/virtual-ips";
import type { VirtualLinkSettings, VnfSettings } from "../../../components/settings/model";
import { connectionPoint, flavour, network, subnet, vdu, virtualLink, vnfSettings } from "../fixtures";
import { placeOf } from "../places";

const of = flavour({
  vdus: { a: vdu("a") },
  connectionPoints: {
    outside: connectionPoint("outside", "a", { externalLink: "ext" }),
    inside: connectionPoint("inside", "a", { order: 1, virtualLink: "internalVL" }),
  },
  virtualLinks: {
    internalVL: { ...virtualLink("internalVL", [subnet("10.10.0.0/24")]), mtu: 1400, vlanTransparent: true },
  },
  virtualIps: { vip: { id: "vip", targets: ["outside"], vipFunction: "high_availability" } },
});

function plan(settings: Partial<VnfSettings>) {
  const place = placeOf("vnf");
  const all = vnfSettings(settings);
  const servers = planServers("vnf-a", place, all, of, { a: 1 });
  const virtualIps = planVirtualIps(servers, place, all, of);
  const networks = planNetworks(servers, place, all, of);
  return { servers, virtualIps, networks, faults: place.findings.texts };
}

const onLink = (link: VirtualLinkSettings, changes: object = {}) =>
  plan({
    virtualLinks: { nodes: link },
    extVirtualLinks: { ext: { virtualLink: "nodes" }, ...changes },
  });
const given = (cidr: string, changes: object = {}) => ({ cidr, dhcpEnabled: true, ...changes });

it("makes a network of the stack config, beside those of the VNFD, for the connection points that name it", () => {
  const { servers, networks, faults } = onLink({
    subnets: [
      given("10.20.0.0/24", {
        gatewayIp: "10.20.0.9",
        ipAllocationPools: [{ start: "10.20.0.10", end: "10.20.0.20" }],
      }),
      given("fd00:20::/64", { ipv6AddressMode: "slaac" }),
    ],
    mtu: 1300,
    dnsNameservers: ["10.0.0.53", "fd00::53"],
    router: { externalNetwork: "public" },
  });
  expect(faults).toEqual([]);
  expect(servers[0]?.ports.map(({ connectionPoint: point, link }) => [point, link])).toEqual([
    ["outside", { kind: "internal", virtualLink: "nodes" }],
    ["inside", { kind: "internal", virtualLink: "internalVL" }],
  ]);
  expect(networks).toEqual([
    { ...network("internalVL", "10.10.0.0/24"), mtu: 1400, vlanTransparent: true },
    {
      virtualLink: "nodes",
      subnets: [
        {
          ...subnet("10.20.0.0/24"),
          gatewayIp: "10.20.0.9",
          ipAllocationPools: [{ start: "10.20.0.10", end: "10.20.0.20" }],
        },
        { ...subnet("fd00:20::/64"), ipv6AddressMode: "slaac" },
      ],
      mtu: 1300,
      vlanTransparent: false,
      dnsNameservers: ["10.0.0.53", "fd00::53"],
      router: { kind: "made", externalNetwork: "public" },
    },
  ]);
});

it("wants a network for a connection point whose virtual link the VNFD has not", () => {
  const dangling = flavour({
    vdus: { a: vdu("a") },
    connectionPoints: { inside: connectionPoint("inside", "a", { virtualLink: "lost" }) },
  });
  const faultsWith = (settings: Partial<VnfSettings>) => {
    const place = placeOf("vnf");
    planServers("vnf-a", place, vnfSettings(settings), dangling, { a: 1 });
    return place.findings.texts;
  };
  expect(faultsWith({})).toEqual([
    "vnf.extVirtualLinks.inside: is required, connection point inside of VDU a is on lost, which is not a virtual link of the VNFD",
  ]);
  expect(faultsWith({ extVirtualLinks: { inside: { network: "n" } } })).toEqual([]);
});

it("gives a virtual link of the VNFD what the stack config says of it, and leaves it the rest", () => {
  const ofVnfd = { ...network("internalVL", "10.10.0.0/24"), mtu: 1400, vlanTransparent: true };
  const ext = { ext: { network: "n" } };
  const with_ = (internalVL: VirtualLinkSettings) =>
    plan({ extVirtualLinks: ext, virtualLinks: { internalVL } }).networks;
  expect(with_({ router: "edge", dnsNameservers: ["10.0.0.53"] })).toEqual([
    { ...ofVnfd, router: { kind: "existing", router: "edge" }, dnsNameservers: ["10.0.0.53"] },
  ]);
  expect(with_({ subnets: [given("10.30.0.0/24")], mtu: 9000 })).toEqual([
    { ...ofVnfd, subnets: [subnet("10.30.0.0/24")], mtu: 9000 },
  ]);
});

it("gives the ports and the virtual IP of an entry floating IPs where it says so, and no others", () => {
  const { servers, virtualIps, faults } = onLink(
    { subnets: [given("10.20.0.0/24")] },
    {
      ext: { virtualLink: "nodes", floatingNetwork: "public" },
      vip: { virtualLink: "nodes", floatingNetwork: "other" },
    },
  );
  expect(faults).toEqual([]);
  expect(servers[0]?.ports.map(({ floatingNetwork }) => floatingNetwork)).toEqual(["public", undefined]);
  expect(virtualIps).toEqual([
    {
      connectionPoint: "vip",
      link: { kind: "internal", virtualLink: "nodes" },
      targets: ["outside"],
      floatingNetwork: "other",
      fixedAddresses: [],
    },
  ]);
});

it("refuses a virtual IP that is elsewhere than its servers", () => {
  expect(onLink({ subnets: [given("10.20.0.0/24")] }, { vip: { network: "public" } }).faults).toEqual([
    "vnf.extVirtualLinks.vip: is on another network than outside, whose servers have the address; set the same as for outside",
  ]);
});

it.each<[string, Partial<VnfSettings>, string[]]>([
  [
    "neither a network nor a virtual link",
    { extVirtualLinks: { ext: {} } },
    [
      "vnf.extVirtualLinks.ext: set either network, for an existing network, or virtualLink, for one that is created",
    ],
  ],
  [
    "both",
    { extVirtualLinks: { ext: { network: "n", virtualLink: "internalVL" } } },
    [
      "vnf.extVirtualLinks.ext: set either network, for an existing network, or virtualLink, for one that is created",
    ],
  ],
  [
    "a subnet beside a virtual link",
    { extVirtualLinks: { ext: { virtualLink: "internalVL", subnet: "s" } } },
    ["vnf.extVirtualLinks.ext.subnet: is for an existing network; remove it next to virtualLink"],
  ],
  [
    "a virtual link that nobody has",
    { extVirtualLinks: { ext: { virtualLink: "internalVl" } } },
    [
      'vnf.extVirtualLinks.ext.virtualLink: "internalVl" is neither under vnf.virtualLinks nor a virtual link of the VNFD; one of internalVL; did you mean "internalVL"?',
    ],
  ],
  [
    "a virtual link that nothing is on",
    {
      extVirtualLinks: { ext: { network: "n" } },
      virtualLinks: { nodes: { subnets: [given("10.20.0.0/24")] } },
    },
    [
      "vnf.virtualLinks.nodes: nothing uses it: it is neither a virtual link of the VNFD nor a virtualLink of vnf.extVirtualLinks; set it there, or remove it",
    ],
  ],
  [
    "one without subnets",
    { extVirtualLinks: { ext: { virtualLink: "nodes" } }, virtualLinks: { nodes: { mtu: 1400 } } },
    ["vnf.virtualLinks.nodes.subnets: is required"],
  ],
])("refuses %s", (_, settings, faults) => {
  expect(plan(settings).faults).toEqual(faults);
});

it.each<[string, Parameters<typeof onLink>[0], string[]]>([
  [
    "addresses of the network itself as the gateway and in a pool",
    {
      subnets: [
        given("10.20.0.0/24", {
          gatewayIp: "10.20.0.255",
          ipAllocationPools: [{ start: "10.20.0.0", end: "10.20.0.9" }],
        }),
      ],
    },
    [
      "ipAllocationPools[0]: 10.20.0.0 to 10.20.0.9 contains the network address of 10.20.0.0/24; remove it from the pools",
      "gatewayIp: 10.20.0.255 is the broadcast address of 10.20.0.0/24; use an address between these",
    ],
  ],
  [
    "a pool with the address that Neutron gives the router",
    {
      subnets: [given("10.20.0.0/24", { ipAllocationPools: [{ start: "10.20.0.1", end: "10.20.0.9" }] })],
      router: "edge",
    },
    [
      "ipAllocationPools[0]: 10.20.0.1 to 10.20.0.9 contains the gateway, 10.20.0.1; remove it from the pools",
    ],
  ],
  [
    "a block of one address",
    { subnets: [given("10.20.0.1/32")] },
    ["cidr: 10.20.0.1/32 is too small for DHCP, a gateway and a server; use /30 or a shorter prefix"],
  ],
  [
    "all addresses",
    { subnets: [given("0.0.0.0/0")] },
    ["cidr: 0.0.0.0/0 has 0.0.0.0, the address of no host; use a block of your own addresses"],
  ],
  [
    "addresses that servers make themselves, of no /64",
    { subnets: [given("10.20.0.0/24"), given("fd00::/80", { ipv6AddressMode: "slaac" })] },
    ["ipv6AddressMode: slaac requires a /64, and fd00::/80 is not one; use a /64, or dhcpv6-stateful"],
  ],
])("refuses a subnet with %s", (_, link, faults) => {
  const found = onLink(link).faults;
  expect(found.map((fault) => fault.replace(/^vnf\.virtualLinks\.nodes\.subnets\[\d\]\./, ""))).toEqual(
    faults,
  );
});

it("takes a pool with the first address where there is no router", () => {
  const pools = { ipAllocationPools: [{ start: "10.20.0.1", end: "10.20.0.9" }] };
  expect(onLink({ subnets: [given("10.20.0.0/24", pools)] }).faults).toEqual([]);
});

it("refuses what Neutron would refuse of a subnet in the middle of a run, all at once", () => {
  const { faults } = onLink({
    subnets: [
      given("10.20.0.0/24", {
        gatewayIp: "10.21.0.1",
        ipv6AddressMode: "slaac",
        ipAllocationPools: [{ start: "10.20.0.20", end: "10.20.0.10" }],
      }),
      given("10.20.0.128/25", { ipAllocationPools: [{ start: "fd00::1", end: "10.20.0.130" }] }),
      { cidr: "fd00::/64", dhcpEnabled: false, ipv6AddressMode: "slaac" },
    ],
  });
  const at = "vnf.virtualLinks.nodes.subnets";
  expect(faults).toEqual([
    `${at}[0].gatewayIp: 10.21.0.1 is not in 10.20.0.0/24, the cidr`,
    `${at}[0].ipAllocationPools[0]: 10.20.0.20 comes after 10.20.0.10; set the first address as start`,
    `${at}[0].ipv6AddressMode: is for IPv6, and 10.20.0.0/24 is IPv4; remove it`,
    `${at}[1].ipAllocationPools[0].start: fd00::1 is not in 10.20.0.128/25, the cidr`,
    `${at}[1].cidr: 10.20.0.128/25 overlaps 10.20.0.0/24 of the same virtual link`,
    `${at}[2].ipv6AddressMode: is not possible if dhcpEnabled is false; remove one of the two`,
  ]);
});

it("refuses a DNS server of an IP version that no subnet has", () => {
  const { faults } = onLink({ subnets: [given("10.20.0.0/24")], dnsNameservers: ["10.0.0.53", "fd00::53"] });
  expect(faults).toEqual([
    "vnf.virtualLinks.nodes.dnsNameservers[1]: fd00::53 is IPv6, and no subnet of the virtual link is; remove it",
  ]);
});
