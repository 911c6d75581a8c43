/** Refusals of a cloud, in the words of the stack config. The texts are what the provider says of real clouds. */
import { waysOut } from "../../../../automation/operations/ways-out";

const PORT = "0b2a6a6e-6d0e-4d3b-9f7b-0c1f3f2f9d11";
const http = (body: string) =>
  `vnf-a-a-1-cp: 1 error occurred: * Error creating openstack_networking_port_v2: Expected HTTP response code [201] when accessing [POST https://cloud:9696/v2.0/ports], but got 409 instead: ${body}`;
const neutron = (type: string, message: string) =>
  http(JSON.stringify({ NeutronError: { type, message, detail: "" } }));

it.each([
  [
    "a fixed address that a port has",
    neutron("IpAddressAlreadyAllocated", `IP address 198.18.0.5 already allocated in subnet ${PORT}`),
    "another port has the address 198.18.0.5: set another one under `fixedAddresses` of `extVirtualLinks`, or delete that port",
  ],
  [
    "a virtual IP that is in use",
    neutron(
      "IpAddressInUse",
      `Unable to complete operation for network ${PORT}. The IP address 198.18.0.6 is in use.`,
    ),
    "another port has the address 198.18.0.6: set another one under `fixedAddresses` of `extVirtualLinks`, or delete that port",
  ],
  [
    "a full network",
    neutron("IpAddressGenerationFailure", `No more IP addresses available on network ${PORT}.`),
    `the network ${PORT} has no free address: set another network under \`extVirtualLinks\`, or extend its allocation pool`,
  ],
  [
    "a port of another server",
    `{"conflictingRequest": {"code": 409, "message": "Port ${PORT} is still in use."}}`,
    `the port ${PORT} belongs to another server, which \`openstack port show\` shows; detach it there, then run again`,
  ],
  [
    "an image that is not active",
    `{"badRequest": {"code": 400, "message": "Image ${PORT} is not active."}}`,
    `the image ${PORT} is not active: set another one under \`images\`, or activate it`,
  ],
  [
    "what a policy forbids",
    neutron(
      "PolicyNotAuthorized",
      "(rule:create_port and rule:create_port:binding:profile) is disallowed by policy",
    ),
    "the cloud's policy forbids this to this user: remove the setting that needs it (for a port `bindingProfile`, `vnicType`, `portSecurity`, `fixedAddresses` on a network of another project), or request the role",
  ],
  [
    "a quota",
    '{"forbidden": {"code": 403, "message": "Quota exceeded for cores: Requested 4, but already used 20 of 20 cores"}}',
    "the project's quota does not suffice: `openstack quota show --usage` shows the figures; request a higher quota, or use less",
  ],
  [
    "a server that no compute host has room for",
    `server ${PORT}: No valid host was found. There are not enough hosts available. (500)`,
    "no compute host has room for the server: use a smaller flavor under `flavors`, another zone under `servers.<VDU>.availabilityZones`, or allow servers to share hosts with `placementPolicy: soft`",
  ],
])("the advice says what to do about %s", (_, text, way) => {
  expect(waysOut(`${text}\n${text}`)).toEqual([way]);
});

it("the advice says nothing of other errors", () => {
  expect(waysOut("vnf-a-a-1-node: node vnf-a-a-1 is not Ready after 300 s")).toEqual([]);
});
