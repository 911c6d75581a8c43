import type { Service } from "./openstack";
import type { Properties } from "./state";

/** An object of an OpenStack API. */
export type Item = Readonly<Record<string, unknown>>;

/** How to find, by its recorded inputs, what a cut-off creation made. */
export interface Lookup {
  readonly service: Service;
  /** Path of a listing that has it. */
  readonly path: (inputs: Properties) => string;
  /** Key of the listing in the answer. */
  readonly key: string;
  readonly matches: (item: Item, inputs: Properties) => boolean;
  /** The provider's id of it. */
  readonly id: (item: Item, inputs: Properties) => string;
  /** Path of the one item, for what takes its time to be made or deleted. */
  readonly item?: (item: Item) => string;
}

/** Names that the engine made are random, so a name is enough: the program gives none itself to what is found so. */
function byName(service: Service, collection: string, key: string): Lookup {
  return {
    service,
    path: ({ name }) => `${collection}?name=${encodeURIComponent(String(name))}`,
    key,
    matches: (item, { name }) => item["name"] === name,
    id: (item) => String(item["id"]),
  };
}

const octavia = (key: string): Lookup => byName("load-balancer", `/v2/lbaas/${key}`, key);
const neutron = (key: string): Lookup => byName("network", `/v2.0/${key.replaceAll("_", "-")}`, key);

/** By the resource types of the engine. */
const LOOKUPS: Readonly<Record<string, Lookup>> = {
  "openstack:networking/network:Network": neutron("networks"),
  "openstack:networking/subnet:Subnet": neutron("subnets"),
  "openstack:networking/port:Port": neutron("ports"),
  "openstack:networking/router:Router": neutron("routers"),
  "openstack:networking/secGroup:SecGroup": neutron("security_groups"),
  "openstack:networking/secGroupRule:SecGroupRule": {
    ...neutron("security_group_rules"),
    path: ({ securityGroupId }) => `/v2.0/security-group-rules?security_group_id=${String(securityGroupId)}`,
    matches: (item, inputs) =>
      RULE_FIELDS.every(([field, input]) => (item[field] ?? undefined) === inputs[input]),
  },
  "openstack:networking/routerInterface:RouterInterface": {
    ...neutron("ports"),
    path: ({ routerId }) => `/v2.0/ports?device_id=${String(routerId)}`,
    matches: (item, { portId, subnetId }) =>
      portId === undefined
        ? items(item["fixed_ips"]).some((address) => address["subnet_id"] === subnetId)
        : item["id"] === portId,
  },
  "openstack:compute/keypair:Keypair": {
    service: "compute",
    key: "keypairs",
    path: () => "/os-keypairs",
    matches: (item, { name }) => keyPairName(item) === name,
    id: (item) => String(keyPairName(item)),
  },
  "openstack:compute/serverGroup:ServerGroup": {
    ...byName("compute", "/os-server-groups", "server_groups"),
    path: () => "/os-server-groups",
  },
  "openstack:compute/instance:Instance": {
    ...byName("compute", "/servers/detail", "servers"),
    // Nova reads the name as a regular expression, and gives no exact filter
    path: ({ name }) => `/servers/detail?name=${encodeURIComponent(escapeRegExp(String(name)))}`,
    // the name is the program's own and another stack may use it too, but not our key pair
    matches: (item, { name, keyPair }) =>
      item["name"] === name && (item["key_name"] ?? undefined) === keyPair && !isLeaving(item),
    item: (item) => `/servers/${String(item["id"])}`,
  },
  "openstack:compute/volumeAttach:VolumeAttach": {
    service: "compute",
    key: "volumeAttachments",
    path: ({ instanceId }) => `/servers/${String(instanceId)}/os-volume_attachments`,
    matches: (item, { volumeId }) => item["volumeId"] === volumeId,
    id: (item, { instanceId }) => `${String(instanceId)}/${String(item["id"])}`,
  },
  "openstack:compute/interfaceAttach:InterfaceAttach": {
    service: "compute",
    key: "interfaceAttachments",
    path: ({ instanceId }) => `/servers/${String(instanceId)}/os-interface`,
    matches: (item, { portId }) => item["port_id"] === portId,
    id: (item, { instanceId }) => `${String(instanceId)}/${String(item["port_id"])}`,
  },
  "openstack:blockstorage/volume:Volume": {
    ...byName("block-storage", "/volumes/detail", "volumes"),
    item: (item) => `/volumes/${String(item["id"])}`,
  },
  "openstack:loadbalancer/loadBalancer:LoadBalancer": {
    ...octavia("loadbalancers"),
    item: (item) => `/v2/lbaas/loadbalancers/${String(item["id"])}`,
  },
  "openstack:loadbalancer/listener:Listener": octavia("listeners"),
  "openstack:loadbalancer/pool:Pool": octavia("pools"),
  "openstack:loadbalancer/member:Member": {
    ...octavia("members"),
    path: ({ poolId }) => `/v2/lbaas/pools/${String(poolId)}/members`,
  },
  "openstack:loadbalancer/monitor:Monitor": octavia("healthmonitors"),
};

const RULE_FIELDS = [
  ["direction", "direction"],
  ["ethertype", "ethertype"],
  ["protocol", "protocol"],
  ["port_range_min", "portRangeMin"],
  ["port_range_max", "portRangeMax"],
  ["remote_ip_prefix", "remoteIpPrefix"],
  ["remote_group_id", "remoteGroupId"],
] as const;

/** @returns undefined for a type that we cannot find by its inputs */
export function lookupOf(type: string): Lookup | undefined {
  return LOOKUPS[type];
}

/** How far the making of an item is, for those that take their time. */
export function progress(item: Item): "underway" | "failed" | "made" {
  const status = String(item["status"] ?? item["provisioning_status"]).toLowerCase();
  if (["build", "creating", "downloading", "pending_create"].includes(status)) return "underway";
  return status.startsWith("error") ? "failed" : "made";
}

/** Whether the cloud has begun to delete an item. */
export function isLeaving(item: Item): boolean {
  const status = String(item["status"] ?? item["provisioning_status"]).toLowerCase();
  return item["OS-EXT-STS:task_state"] === "deleting" || ["deleting", "pending_delete"].includes(status);
}

function items(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}

function keyPairName(item: Item): unknown {
  return (item["keypair"] as Item | undefined)?.["name"];
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
