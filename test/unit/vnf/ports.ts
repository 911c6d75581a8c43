import { makeVnfs } from "../../../components/deploy/instance";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { recordResources, settle } from "../../support/mocks";
import { connectionPoint, flavour, vdu, vnfPackage } from "../fixtures";
import { clusterOutputs } from "./outputs";

const servers = flavour({
  vdus: { node: vdu("node", { initialInstances: 1 }) },
  connectionPoints: {
    plain: connectionPoint("plain", "node"),
    fast: connectionPoint("fast", "node", { vnicType: "direct" }),
  },
});

const loadPackage = (location: string) => vnfPackage(location, { simple: servers });

it("asks Neutron for the VNIC type of a connection point where it is not the ordinary one", async () => {
  const recorded = recordResources(clusterOutputs);
  const network = { network: "6d0e4f32-0000-4000-8000-000000000000" };
  const vnfs = { "vnf-a": { package: "p", extVirtualLinks: { plain: network, fast: network } } };
  makeVnfs(planStack(parseSettings(vnfs).settings, { loadPackage, readProjectFile: () => undefined }));
  await settle();
  const ports = recorded.filter(({ type }) => type === "openstack:networking/port:Port");
  const ordinary = { networkId: network.network, adminStateUp: true };
  expect(ports.map(({ name, inputs }) => [name, inputs])).toEqual([
    ["vnf-a-node-1-plain", ordinary],
    ["vnf-a-node-1-fast", { ...ordinary, binding: { vnicType: "direct" } }],
  ]);
});
