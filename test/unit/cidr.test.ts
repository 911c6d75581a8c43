import { ipAddress } from "../../components/base/net/cidr";
import { Fault } from "../../components/base/fault";

it.each(["192.0.2.7", "fd00::5"])("vnfm takes the address %s of a cloud", (address) => {
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
])("vnfm refuses %j for an address of a cloud", (text, shown) => {
  expect(() => ipAddress(text, "port p")).toThrow(
    new Fault(`port p: the cloud returned ${shown} as its address, which is not an IP address`),
  );
});
