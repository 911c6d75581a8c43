import { parseCidr, type Cidr } from "../../components/base/net/cidr";
import {
  blockProblem,
  defaultGateway,
  defaultPool,
  gatewayProblem,
  modeProblem,
  poolProblems,
} from "../../components/base/net/subnet-problems";

const block = (text: string) => parseCidr(text) as Cidr;

it.each([
  [
    "10.0.0.5/32",
    true,
    "10.0.0.5/32 is too small for DHCP, a gateway and a server; use /30 or a shorter prefix",
  ],
  [
    "10.0.0.4/31",
    true,
    "10.0.0.4/31 is too small for DHCP, a gateway and a server; use /30 or a shorter prefix",
  ],
  ["10.0.0.4/31", false, undefined],
  ["10.0.0.4/30", true, undefined],
  [
    "fd00::/127",
    true,
    "fd00::/127 is too small for DHCP, a gateway and a server; use /126 or a shorter prefix",
  ],
  ["fd00::/126", true, undefined],
  ["0.0.0.0/0", true, "0.0.0.0/0 has 0.0.0.0, the address of no host; use a block of your own addresses"],
  ["0.0.0.0/0", false, undefined],
  ["127.1.0.0/16", true, "127.1.0.0/16 has loopback addresses; use a block of your own addresses"],
  ["224.0.1.0/24", true, "224.0.1.0/24 has multicast addresses; use a block of your own addresses"],
  ["ff02::/64", true, "ff02::/64 has multicast addresses; use a block of your own addresses"],
  ["::/64", false, "::/64 begins with ::, which is not a network"],
])("a subnet %s, with DHCP %s, has the problem %s", (text, dhcp, problem) => {
  expect(blockProblem(block(text), dhcp)).toBe(problem);
});

it.each([
  ["10.0.0.0/24", "10.0.0.0", "10.0.0.0 is the network address of 10.0.0.0/24; use an address between these"],
  [
    "10.0.0.0/24",
    "10.0.0.255",
    "10.0.0.255 is the broadcast address of 10.0.0.0/24; use an address between these",
  ],
  ["10.0.0.0/24", "10.0.0.254", undefined],
  ["fd00::/64", "fd00::", undefined],
])("a gateway of %s at %s has the problem %s", (text, gateway, problem) => {
  expect(gatewayProblem(block(text), gateway)).toBe(problem);
});

it.each([
  ["fd00::/56", "slaac", "slaac requires a /64, and fd00::/56 is not one; use a /64, or dhcpv6-stateful"],
  [
    "fd00::/80",
    "dhcpv6-stateless",
    "dhcpv6-stateless requires a /64, and fd00::/80 is not one; use a /64, or dhcpv6-stateful",
  ],
  ["fd00::/80", "dhcpv6-stateful", undefined],
  ["fd00::/64", "slaac", undefined],
])("a subnet %s of mode %s has the problem %s", (text, mode, problem) => {
  expect(modeProblem(block(text), mode)).toBe(problem);
});

it.each([
  ["10.0.0.0/24", "10.0.0.0", "10.0.0.9", "the network address of 10.0.0.0/24"],
  ["10.0.0.0/24", "10.0.0.9", "10.0.0.255", "the broadcast address of 10.0.0.0/24"],
  ["fd00::/64", "fd00::", "fd00::9", "the network address of fd00::/64"],
])("a pool of %s from %s to %s has %s in it", (text, start, end, what) => {
  expect(poolProblems([{ start, end }], undefined, block(text))).toEqual([
    { pool: 0, problem: `${start} to ${end} contains ${what}; remove it from the pools` },
  ]);
});

it.each([
  ["10.0.0.4/31", "10.0.0.4", "10.0.0.5"],
  ["10.0.0.0/24", "10.0.0.1", "10.0.0.254"],
  ["fd00::/126", "fd00::1", "fd00::3"],
])("a pool of %s from %s to %s is taken", (text, start, end) => {
  expect(poolProblems([{ start, end }], undefined, block(text))).toEqual([]);
});

it.each([
  ["10.0.0.0/24", "10.0.0.1"],
  ["fd00::/64", "fd00::1"],
])("Neutron gives a subnet %s the gateway %s", (text, gateway) => {
  expect(defaultGateway(block(text))).toBe(gateway);
});

const pool = (start: string, end: string) => ({ start, end });

it.each<[string, Parameters<typeof poolProblems>[0], readonly [number, number][]]>([
  [
    "inside of a wide one, and not of the one before",
    [pool("10.0.0.1", "10.0.0.90"), pool("10.0.0.2", "10.0.0.9"), pool("10.0.0.20", "10.0.0.30")],
    [
      [1, 0],
      [2, 0],
    ],
  ],
  [
    "that begin with the same address",
    [pool("10.0.0.1", "10.0.0.9"), pool("10.0.0.1", "10.0.0.20"), pool("10.0.0.10", "10.0.0.15")],
    [
      [1, 0],
      [2, 1],
    ],
  ],
  [
    "of another version",
    [pool("10.0.0.1", "10.0.0.9"), pool("fd00::1", "fd00::9"), pool("fd00::9", "fd00::a")],
    [[2, 1]],
  ],
  ["side by side", [pool("10.0.0.10", "10.0.0.19"), pool("10.0.0.1", "10.0.0.9")], []],
])("vnfm knows which pool shares addresses with which: %s", (_, pools, shared) => {
  expect(poolProblems(pools, undefined, undefined)).toEqual(
    shared.map(([one, other]) => ({ pool: one, problem: `shares addresses with pool ${other}` })),
  );
});

it.each([
  ["10.0.0.0/24", { start: "10.0.0.2", end: "10.0.0.254" }],
  ["10.0.0.4/30", { start: "10.0.0.6", end: "10.0.0.6" }],
  ["10.0.0.4/31", undefined],
  ["fd00::/64", { start: "fd00::2", end: "fd00::ffff:ffff:ffff:ffff" }],
  ["fd00::/126", { start: "fd00::2", end: "fd00::3" }],
  ["fd00::/127", undefined],
])("a subnet %s has the pool %j beside its gateway", (text, pool) => {
  expect(defaultPool(block(text))).toEqual(pool);
});
