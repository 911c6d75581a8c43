import * as pulumi from "@pulumi/pulumi";
import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { connectionPoint, flavour, vdu, vnfPackage } from "../fixtures";
import { clusterOutputs } from "./outputs";

const servers = flavour({
  vdus: { node: vdu("node", { initialInstances: 1 }) },
  connectionPoints: {
    plain: connectionPoint("plain", "node"),
    fast: connectionPoint("fast", "node", { vnicType: "direct" }),
  },
});

/** Flavour with servers that share a virtual IP, each with a volume. */
const sharing = flavour({
  vdus: { node: vdu("node", { initialInstances: 2, volumes: ["data"] }) },
  volumes: { data: { id: "data", sizeGiB: 20, image: undefined, volumeType: undefined } },
  connectionPoints: { cp: connectionPoint("cp", "node") },
  virtualIps: { vip: { id: "vip", targets: ["cp"], vipFunction: "high_availability" } },
});

const loadPackage = (location: string) => vnfPackage(location, { simple: servers });

it("asks Neutron for the VNIC type of a connection point where it is not the ordinary one", async () => {
  const recorded = recordResources(clusterOutputs);
  const network = { network: "6d0e4f32-0000-4000-8000-000000000000" };
  const vnfs = { "vnf-a": { package: "p", extVirtualLinks: { plain: network, fast: network } } };
  makeVnfs(planOf(vnfs, { loadPackage }));
  await settle();
  const ports = recorded.filter(({ type }) => type === "openstack:networking/port:Port");
  const ordinary = { networkId: network.network, adminStateUp: true };
  expect(ports.map(({ name, inputs }) => [name, inputs])).toEqual([
    ["vnf-a-node-1-plain", ordinary],
    ["vnf-a-node-1-fast", { ...ordinary, binding: { vnicType: "direct" } }],
  ]);
});

const NETWORK = "6d0e4f32-0000-4000-8000-000000000000";
const GROUP = "0b2a6a6e-6d0e-4d3b-9f7b-0c1f3f2f9d11";

/** Records the resources of two servers that share a virtual IP. @returns the inputs by the name of the resource */
async function inputsOf(
  cp: object,
  servers?: object,
  vip?: object,
): Promise<Record<string, RecordedResource["inputs"]>> {
  const recorded = recordResources(clusterOutputs);
  const vnf = {
    package: "p",
    extVirtualLinks: { cp: { network: NETWORK, ...cp }, ...(vip && { vip: { network: NETWORK, ...vip } }) },
    ...(servers && { servers: { node: servers } }),
  };
  makeVnfs(
    planOf({ "vnf-a": vnf }, { loadPackage: (location) => vnfPackage(location, { simple: sharing }) }),
  );
  await settle();
  const ofVnf = recorded.filter(({ name, type }) => name.startsWith("vnf-a-") && !type.startsWith("vnfm:"));
  return Object.fromEntries(ofVnf.map(({ name, inputs }) => [name, inputs]));
}

it("asks Neutron for all that an entry says of its ports, beside the address that they share", async () => {
  const made = await inputsOf({
    fixedAddresses: ["10.0.0.11", "10.0.0.12"],
    allowedAddressPairs: [{ ipAddress: "10.244.0.0/16", macAddress: "00:00:5e:00:01:33" }],
    securityGroups: ["web", GROUP],
    portSecurity: true,
    vnicType: "direct",
    bindingProfile: { capabilities: ["switchdev"] },
    qosPolicy: "gold",
    tags: ["blue"],
  });
  expect(made["vnf-a-node-2-cp"]).toEqual({
    networkId: NETWORK,
    adminStateUp: true,
    fixedIps: [{ ipAddress: "10.0.0.12" }],
    portSecurityEnabled: true,
    securityGroupIds: ["looked-up", GROUP],
    allowedAddressPairs: [
      { ipAddress: "10.0.0.9" },
      { ipAddress: "10.244.0.0/16", macAddress: "00:00:5e:00:01:33" },
    ],
    binding: { vnicType: "direct", profile: '{"capabilities":["switchdev"]}' },
    qosPolicyId: "looked-up",
    tags: ["blue"],
  });
});

it("asks Neutron for the chosen addresses that servers share, and lets their ports send from each", async () => {
  const made = await inputsOf({}, undefined, { fixedAddresses: ["fd00::5", "10.0.0.9"] });
  expect(made["vnf-a-vip"]).toEqual({
    networkId: NETWORK,
    adminStateUp: true,
    fixedIps: [{ ipAddress: "fd00::5" }, { ipAddress: "10.0.0.9" }],
  });
  expect(made["vnf-a-node-1-cp"]?.["allowedAddressPairs"]).toEqual([
    { ipAddress: "10.0.0.9" },
    { ipAddress: "fd00::5" },
  ]);
});

it("gives a port without port security neither groups nor pairs, which Neutron would refuse", async () => {
  const made = await inputsOf({
    subnet: GROUP,
    fixedAddresses: ["10.0.0.11", "10.0.0.12"],
    portSecurity: false,
  });
  expect(made["vnf-a-node-1-cp"]).toEqual({
    networkId: NETWORK,
    adminStateUp: true,
    fixedIps: [{ subnetId: GROUP, ipAddress: "10.0.0.11" }],
    portSecurityEnabled: false,
    noSecurityGroups: true,
  });
});

it("asks Nova and Cinder for all that a VDU says of its servers, and for nothing else where it says nothing", async () => {
  const plain = await inputsOf({});
  const asked = await inputsOf(
    {},
    {
      availabilityZones: ["az1", "az2"],
      volumeAvailabilityZones: ["v1"],
      configDrive: true,
      metadata: { role: "edge" },
      tags: ["blue"],
      schedulerHints: { group: GROUP, different_host: [NETWORK], same_host: [GROUP], reservation: "r1" },
    },
  );
  expect(asked).toEqual({
    ...plain,
    ...Object.fromEntries(
      ["az1", "az2"].map((zone, i) => [
        `vnf-a-node-${i + 1}-server`,
        {
          ...plain[`vnf-a-node-${i + 1}-server`],
          availabilityZoneHints: zone,
          configDrive: true,
          metadata: { role: "edge", "vnfm-owner": "site-1-5f0c2a9e/vnf-a" },
          tags: ["blue"],
          schedulerHints: [
            {
              ...{ group: GROUP, differentHosts: [NETWORK], sameHosts: [GROUP] },
              additionalProperties: { reservation: "r1" },
            },
          ],
        },
      ]),
    ),
    ...Object.fromEntries(
      [1, 2].map((i) => [
        `vnf-a-node-${i}-data`,
        { ...plain[`vnf-a-node-${i}-data`], availabilityZone: "v1" },
      ]),
    ),
  });
  expect(plain["vnf-a-node-1-data"]).toEqual({ size: 20, enableOnlineResize: true });
});

it("gives a running server its ports by a step with their ids and networks, and the config of the provider", async () => {
  pulumi.runtime.setAllConfig({ "openstack:cloud": "lab", "vnfm:vnfs": "{}" });
  const made = await inputsOf({}, undefined, {});
  pulumi.runtime.setAllConfig({});
  const { environment, stdin } = made["vnf-a-node-2-ports"] ?? {};
  expect(environment).toEqual({ VNFM_SHOWN: JSON.stringify({ cp: NETWORK }) });
  expect(JSON.parse((stdin as { readonly value: string }).value)).toEqual({
    ...{ serverId: "vnf-a-node-2-server-id", owner: "vnf-a-node-2", ports: ["vnf-a-node-2-cp-id"] },
    config: { "openstack:cloud": "lab" },
  });
});
