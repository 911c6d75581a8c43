import { ipAddress, poolProblems } from "../../components/cidr";
import { Fault } from "../../components/fault";

it.each(["192.0.2.7", "fd00::5"])("takes the address %s of a cloud", (address) => {
  expect(ipAddress(address, "port p")).toBe(address);
});

it.each([
  ["", '""'],
  ["$(id)1.2.3.4", '"$(id)1.2.3.4"'],
  ["-oProxyCommand=id", '"-oProxyCommand=id"'],
  ["ssh://u@h", '"ssh://u@h"'],
  ["fe80::1%eth0", '"fe80::1%eth0"'],
  ["192.0.2.7\n10.0.0.1", String.raw`"192.0.2.7\n10.0.0.1"`],
  ["\u001b[2J", String.raw`"\u001b[2J"`],
])("refuses %j for an address of a cloud", (text, shown) => {
  expect(() => ipAddress(text, "port p")).toThrow(
    new Fault(`port p: the cloud gives ${shown} for its address, which is no IP address`),
  );
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
])("knows which pool shares addresses with which: %s", (_, pools, shared) => {
  expect(poolProblems(pools, undefined)).toEqual(
    shared.map(([one, other]) => ({ pool: one, problem: `shares addresses with pool ${other}` })),
  );
});
