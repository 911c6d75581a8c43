import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import { recordResources, settle } from "../../support/mocks";
import { connectionPoint, flavour, subnet, vdu, virtualLink, vnfPackage } from "../fixtures";
import { clusterOutputs } from "./outputs";

const inside = virtualLink("inside", [
  subnet("10.9.0.0/24"),
  {
    ...subnet("fd00:9::/64"),
    gatewayIp: "fd00:9::1",
    ipv6AddressMode: "dhcpv6-stateful",
    ipAllocationPools: [{ start: "fd00:9::2", end: "fd00:9::9" }],
  },
]);
const servers = flavour({
  vdus: { node: vdu("node", { initialInstances: 1 }) },
  connectionPoints: {
    plain: connectionPoint("plain", "node", { virtualLink: "plain" }),
    dual: connectionPoint("dual", "node", { virtualLink: "inside" }),
  },
  virtualLinks: {
    plain: virtualLink("plain", [{ ...subnet("10.8.0.0/24"), dhcpEnabled: false }]),
    inside: { ...inside, mtu: 1400, vlanTransparent: true },
  },
});

const loadPackage = (location: string) => vnfPackage(location, { simple: servers });

it("makes the network of an internal virtual link with all of its subnets", async () => {
  const recorded = recordResources(clusterOutputs);
  makeVnfs(planOf({ "vnf-a": { package: "p" } }, { loadPackage }));
  await settle();
  const made = recorded.filter(({ type }) => /networking\/(network|subnet):/.test(type));
  expect(made.map(({ name, inputs }) => [name, inputs])).toEqual([
    ["vnf-a-plain", {}],
    ["vnf-a-inside", { mtu: 1400, transparentVlan: true }],
    [
      "vnf-a-plain",
      {
        ...{ networkId: "vnf-a-plain-id", cidr: "10.8.0.0/24", ipVersion: 4, enableDhcp: false },
        // the pool leaves out the address of a router, which may be added later
        ...{ noGateway: true, allocationPools: [{ start: "10.8.0.2", end: "10.8.0.254" }] },
      },
    ],
    [
      "vnf-a-inside",
      {
        ...{ networkId: "vnf-a-inside-id", cidr: "10.9.0.0/24", ipVersion: 4, enableDhcp: true },
        ...{ noGateway: true, allocationPools: [{ start: "10.9.0.2", end: "10.9.0.254" }] },
      },
    ],
    [
      "vnf-a-inside-2",
      {
        networkId: "vnf-a-inside-id",
        cidr: "fd00:9::/64",
        ipVersion: 6,
        enableDhcp: true,
        gatewayIp: "fd00:9::1",
        ipv6AddressMode: "dhcpv6-stateful",
        ipv6RaMode: "dhcpv6-stateful",
        allocationPools: [{ start: "fd00:9::2", end: "fd00:9::9" }],
      },
    ],
  ]);
});
