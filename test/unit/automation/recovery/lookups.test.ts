import { lookupOf, progress, type Item, type Progress } from "../../../../automation/recovery/lookups";
import type { Properties } from "../../../../automation/stack/state";

const lookup = (type: string) => {
  const found = lookupOf(`openstack:${type}`);
  if (found === undefined) throw new Error(`no lookup of ${type}`);
  return found;
};

const USER = { userId: "u" };

const PORT = "networking/port:Port";
const INTERFACE = "networking/routerInterface:RouterInterface";
const FLOATING_IP = "networking/floatingIp:FloatingIp";
const RULE = "networking/secGroupRule:SecGroupRule";
const SERVER = "compute/instance:Instance";
const ROUTE = "networking/routerRoute:RouterRoute";
const CREDENTIAL = "identity/applicationCredential:ApplicationCredential";

const route = { routerId: "r", destinationCidr: "10.244.1.0/24", nextHop: "10.0.0.5" };

describe("the listing that is asked", () => {
  it.each<[string, Properties, string]>([
    [PORT, { name: "vnf-a-cp-1f2e" }, "/v2.0/ports?name=vnf-a-cp-1f2e"],
    ["networking/secGroup:SecGroup", { name: "a b&c" }, "/v2.0/security-groups?name=a%20b%26c"],
    [INTERFACE, { routerId: "r", subnetId: "s" }, "/v2.0/ports?device_id=r"],
    ["networking/router:Router", { name: "r-1" }, "/v2.0/routers?name=r-1"],
    [FLOATING_IP, { portId: "p", pool: "public" }, "/v2.0/floatingips?port_id=p"],
    [RULE, { securityGroupId: "g" }, "/v2.0/security-group-rules?security_group_id=g"],
    [SERVER, { name: "node.1" }, "/servers/detail?name=node%5C.1"],
    ["compute/volumeAttach:VolumeAttach", { instanceId: "s" }, "/servers/s/os-volume_attachments"],
    ["blockstorage/volume:Volume", { name: "data-9" }, "/volumes/detail?name=data-9"],
    ["loadbalancer/loadBalancer:LoadBalancer", { name: "vip-1" }, "/v2/lbaas/loadbalancers?name=vip-1"],
    ["loadbalancer/monitor:Monitor", { name: "alive-1" }, "/v2/lbaas/healthmonitors?name=alive-1"],
    [ROUTE, route, "/v2.0/routers?id=r"],
    [CREDENTIAL, { name: "tenant-1" }, "/users/u/application_credentials?name=tenant-1"],
  ])("for %s %j is %s", (type, inputs, path) => {
    expect(lookup(type).path(inputs, USER)).toBe(path);
  });
});

describe("what matches", () => {
  const rule = {
    direction: "ingress",
    ethertype: "IPv4",
    protocol: "tcp",
    port_range_min: 22,
    port_range_max: 22,
    remote_ip_prefix: "10.0.0.0/8",
    remote_group_id: null,
  };
  const ruleInputs = {
    securityGroupId: "g",
    direction: "ingress",
    ethertype: "IPv4",
    protocol: "tcp",
    portRangeMin: 22,
    portRangeMax: 22,
    remoteIpPrefix: "10.0.0.0/8",
  };
  const owner = (stack: string) => ({ "vnfm-owner": `${stack}/vnf-a`, role: "any" });
  const server = { name: "node", metadata: owner("site-1-5f0c2a9e"), "OS-EXT-STS:task_state": null };
  const serverInputs = { name: "node", metadata: owner("site-1-5f0c2a9e") };

  it.each<[string, string, Item, Properties, boolean]>([
    ["a port of the name", PORT, { name: "p-1" }, { name: "p-1" }, true],
    ["a port of another name", PORT, { name: "p-10" }, { name: "p-1" }, false],
    [
      "the port of a router in the subnet",
      INTERFACE,
      { fixed_ips: [{ subnet_id: "s" }] },
      { subnetId: "s" },
      true,
    ],
    ["that in another subnet", INTERFACE, { fixed_ips: [{ subnet_id: "t" }] }, { subnetId: "s" }, false],
    ["the floating IP of the port", FLOATING_IP, { port_id: "p" }, { portId: "p" }, true],
    ["one of another port", FLOATING_IP, { port_id: "q" }, { portId: "p" }, false],
    ["the same rule", RULE, rule, ruleInputs, true],
    [
      "a router with the route",
      ROUTE,
      { routes: [{ destination: "10.244.1.0/24", nexthop: "10.0.0.5" }] },
      route,
      true,
    ],
    [
      "one that has it by another node",
      ROUTE,
      { routes: [{ destination: "10.244.1.0/24", nexthop: "10.0.0.6" }] },
      route,
      false,
    ],
    ["a rule of another port", RULE, { ...rule, port_range_max: 23 }, ruleInputs, false],
    ["a rule for a group", RULE, { ...rule, remote_group_id: "g" }, ruleInputs, false],
    ["a rule for everybody", RULE, { ...rule, remote_ip_prefix: null }, ruleInputs, false],
    ["the server with the owner", SERVER, server, serverInputs, true],
    [
      "another stack's server of that name",
      SERVER,
      { ...server, metadata: owner("site-1-0a1b2c3d") },
      serverInputs,
      false,
    ],
    ["a server with a longer name", SERVER, { ...server, name: "node-2" }, serverInputs, false],
    ["somebody's server of that name", SERVER, { name: "node", metadata: {} }, serverInputs, false],
    [
      "the attachment",
      "compute/volumeAttach:VolumeAttach",
      { volumeId: "v" },
      { instanceId: "s", volumeId: "v" },
      true,
    ],
  ])("%s", (_, type, item, inputs, expected) => {
    expect(lookup(type).matches(item, inputs)).toBe(expected);
  });
});

describe("the id", () => {
  it.each<[string, Item, Properties, string]>([
    [PORT, { id: "p" }, {}, "p"],
    ["compute/volumeAttach:VolumeAttach", { id: "a" }, { instanceId: "s" }, "s/a"],
    [ROUTE, { id: "r" }, route, "r-route-10.244.1.0/24-10.0.0.5"],
  ])("for %s %j is the provider's", (type, item, inputs, id) => {
    expect(lookup(type).id(item, inputs)).toBe(id);
  });
});

describe("the one that is asked", () => {
  it.each<[string, string, Properties, string]>([
    [PORT, "p", {}, "/v2.0/ports/p"],
    [RULE, "r", { securityGroupId: "g" }, "/v2.0/security-group-rules/r"],
    ["compute/serverGroup:ServerGroup", "g", {}, "/os-server-groups/g"],
    [SERVER, "s", { name: "node" }, "/servers/s"],
    ["compute/volumeAttach:VolumeAttach", "s/a", {}, "/servers/s/os-volume_attachments/a"],
    ["blockstorage/volume:Volume", "v", {}, "/volumes/v"],
    ["loadbalancer/loadBalancer:LoadBalancer", "l", {}, "/v2/lbaas/loadbalancers/l"],
    [ROUTE, "r-route-10.244.1.0/24-10.0.0.5", route, "/v2.0/routers/r"],
    [CREDENTIAL, "c", {}, "/users/u/application_credentials/c"],
    ["loadbalancer/member:Member", "m", { poolId: "p" }, "/v2/lbaas/pools/p/members/m"],
  ])("for %s %s is %s %s", (type, id, inputs, path) => {
    expect(lookup(type).item(id, inputs, USER)).toBe(path);
  });
});

it.each<[Item, Progress]>([
  [{ status: "BUILD", "OS-EXT-STS:task_state": "spawning" }, "underway"],
  [{ status: "creating" }, "underway"],
  [{ status: "ERROR" }, "failed"],
  [{ status: "error_managing" }, "failed"],
  [{ status: "ACTIVE", "OS-EXT-STS:task_state": null }, "made"],
  [{ status: "SHUTOFF" }, "made"],
  [{ status: "available" }, "made"],
  [{ name: "without a status" }, "made"],
  [{ status: "ACTIVE", "OS-EXT-STS:task_state": "powering-off" }, "underway"],
  [{ status: "ACTIVE", "OS-EXT-STS:task_state": "deleting" }, "leaving"],
  [{ status: "ERROR", "OS-EXT-STS:task_state": "deleting" }, "leaving"],
  [{ status: "ACTIVE", "OS-EXT-STS:task_state": "soft-deleting" }, "leaving"],
  [{ status: "SOFT_DELETED", "OS-EXT-STS:task_state": null }, "gone"],
  [{ status: "deleting" }, "leaving"],
  [{ status: "error_deleting" }, "failed"],
  [{ provisioning_status: "PENDING_CREATE" }, "underway"],
  [{ provisioning_status: "PENDING_UPDATE" }, "underway"],
  [{ provisioning_status: "ERROR" }, "failed"],
  [{ provisioning_status: "ACTIVE" }, "made"],
  [{ provisioning_status: "PENDING_DELETE" }, "leaving"],
  [{ provisioning_status: "DELETED" }, "gone"],
])("a lookup takes %j as %s", (item, expected) => {
  expect(progress(item)).toBe(expected);
});

it("a lookup knows nothing of a type without a lookup", () => {
  expect(lookupOf("openstack:dns/zone:Zone")).toBeUndefined();
});
