import type { PlannedVirtualIp } from "../../../components/plan/servers/model";
import { keptAddressFault } from "../../../components/plan/servers/virtual-ips";

const virtualIp = (...fixedAddresses: string[]): PlannedVirtualIp => ({
  ...{ connectionPoint: "vip_CP", targets: ["masterNode_CP1"], floatingNetwork: undefined },
  link: { kind: "external", network: "n" },
  fixedAddresses,
});

it.each([
  [[], ["10.0.0.7", "fd00::7"]],
  [["10.0.0.7"], ["10.0.0.7", "fd00::7"]],
  [
    ["fd00:0::7", "10.0.0.7"],
    ["10.0.0.7", "fd00::7"],
  ],
])("a virtual IP with %j asked for has %j", (asked, addresses) => {
  expect(keptAddressFault("vnf-a-vip_CP", virtualIp(...asked), addresses)).toBeUndefined();
});

it.each([
  [["10.0.0.9"], ["10.0.0.7"]],
  [["10.0.0.7", "fd00::9"], ["10.0.0.7"]],
])("a virtual IP with %j asked for is refused, where it was made with %j", (asked, addresses) => {
  expect(keptAddressFault("vnf-a-vip_CP", virtualIp(...asked), addresses)).toBe(
    `the virtual IP vnf-a-vip_CP has ${addresses.join(", ")}, and fixedAddresses of extVirtualLinks.vip_CP are ` +
      `${asked.join(", ")}: it cannot change, because the certificates, the kubeconfigs and the nodes of ` +
      "a cluster contain it; set that, or terminate the instance first",
  );
});
