import { SERVER_OWNER } from "../../components/plan/servers/server-owner";
import type { OpenStack, Service } from "../../components/openstack/session";
import type { Properties } from "../stack/state";

/** A resource in an answer of an OpenStack API. */
export type Item = Readonly<Record<string, unknown>>;

/** The user of a session: application credentials belong to a user. */
type Session = Pick<OpenStack, "userId">;

/** A lookup of the result of a cut-off creation, by its recorded inputs, and of a cut-off deletion, by its id. */
export interface Lookup {
  readonly service: Service;
  /** Path of a list that contains the result. Without a name in the inputs: with any name. */
  readonly path: (inputs: Properties, session: Session) => string;
  /** Key of the list in the answer. */
  readonly key: string;
  readonly matches: (item: Item, inputs: Properties) => boolean;
  /** The provider's id of an item. */
  readonly id: (item: Item, inputs: Properties) => string;
  /** Path of the item with the provider's id. */
  readonly item: (id: string, inputs: Properties, session: Session) => string;
  /** True: the result is a part of an item, such as a route of a router. It is gone if the item no longer matches. */
  readonly isPart?: boolean;
  /** True: only the answer to the creation has the secret of the result, so the result of a cut-off one is deleted. */
  readonly hasSecret?: boolean;
  /**
   * Returns true if a creation takes the provider several requests. A cut-off run may have sent only some of them, so its
   * result is deleted. @default one request creates it
   */
  readonly isUnfinished?: (inputs: Properties) => boolean;
}

/**
 * A lookup by name. A generated name is random, so it is unique. The program itself sets the names of server groups of
 * workload clusters only, which Cluster API finds by them.
 */
function byName(service: Service, collection: string, key: string): Lookup {
  return {
    service,
    path: ({ name }) => collection + named(name),
    key,
    matches: (item, { name }) => item["name"] === name,
    id: (item) => String(item["id"]),
    item: (id) => `${collection}/${encodeURIComponent(id)}`,
  };
}

function named(name: unknown): string {
  return typeof name === "string" ? `?name=${encodeURIComponent(name)}` : "";
}

const octavia = (key: string): Lookup => byName("load-balancer", `/v2/lbaas/${key}`, key);
const neutron = (key: string): Lookup => byName("network", `/v2.0/${key.replaceAll("_", "-")}`, key);

/** Lookups by Pulumi's resource types. */
const LOOKUPS: Readonly<Record<string, Lookup>> = {
  "openstack:networking/network:Network": neutron("networks"),
  "openstack:networking/subnet:Subnet": neutron("subnets"),
  "openstack:networking/port:Port": neutron("ports"),
  "openstack:networking/router:Router": neutron("routers"),
  "openstack:networking/routerInterface:RouterInterface": {
    ...neutron("ports"),
    path: ({ routerId }) => `/v2.0/ports?device_id=${String(routerId)}`,
    matches: (item, { subnetId }) =>
      ((item["fixed_ips"] ?? []) as readonly Item[]).some((address) => address["subnet_id"] === subnetId),
  },
  // a router has its routes in a list; the provider refuses to create one that exists
  "openstack:networking/routerRoute:RouterRoute": {
    ...neutron("routers"),
    path: ({ routerId }) => `/v2.0/routers?id=${String(routerId)}`,
    matches: (item, { destinationCidr, nextHop }) =>
      ((item["routes"] ?? []) as readonly Item[]).some(
        (route) => route["destination"] === destinationCidr && route["nexthop"] === nextHop,
      ),
    id: (_, { routerId, destinationCidr, nextHop }) =>
      `${String(routerId)}-route-${String(destinationCidr)}-${String(nextHop)}`,
    item: (_, { routerId }) => `/v2.0/routers/${String(routerId)}`,
    isPart: true,
  },
  "openstack:networking/floatingIp:FloatingIp": {
    ...neutron("floatingips"),
    path: ({ portId }) => `/v2.0/floatingips?port_id=${String(portId)}`,
    // a port has one for each of its addresses, and the program gives it one
    matches: (item, { portId }) => item["port_id"] === portId,
  },
  "openstack:networking/secGroup:SecGroup": {
    ...neutron("security_groups"),
    // the provider deletes the rules that Neutron gives each group, one after the other
    isUnfinished: ({ deleteDefaultRules }) => deleteDefaultRules === true,
  },
  "openstack:networking/secGroupRule:SecGroupRule": {
    ...neutron("security_group_rules"),
    path: ({ securityGroupId }) => `/v2.0/security-group-rules?security_group_id=${String(securityGroupId)}`,
    matches: (item, inputs) =>
      RULE_FIELDS.every(([field, input]) => (item[field] ?? undefined) === inputs[input]),
  },
  "openstack:compute/serverGroup:ServerGroup": {
    ...byName("compute", "/os-server-groups", "server_groups"),
    path: () => "/os-server-groups",
  },
  "openstack:compute/instance:Instance": {
    ...byName("compute", "/servers", "servers"),
    // Nova reads the name as a regular expression, and has no exact filter
    path: ({ name }) => `/servers/detail?name=${encodeURIComponent(escapeRegExp(String(name)))}`,
    // the program sets the name, which another stack may use too, but not with this owner
    matches: (item, { name, metadata }) =>
      item["name"] === name && ownerIn(item["metadata"]) === ownerIn(metadata),
  },
  "openstack:compute/volumeAttach:VolumeAttach": {
    service: "compute",
    key: "volumeAttachments",
    path: ({ instanceId }) => `/servers/${String(instanceId)}/os-volume_attachments`,
    matches: (item, { volumeId }) => item["volumeId"] === volumeId,
    id: (item, { instanceId }) => `${String(instanceId)}/${String(item["id"])}`,
    item: (id) => `/servers/${id.replace("/", "/os-volume_attachments/")}`,
  },
  "openstack:blockstorage/volume:Volume": {
    ...byName("block-storage", "/volumes", "volumes"),
    path: ({ name }) => `/volumes/detail${named(name)}`,
  },
  "openstack:loadbalancer/loadBalancer:LoadBalancer": octavia("loadbalancers"),
  "openstack:loadbalancer/listener:Listener": octavia("listeners"),
  "openstack:loadbalancer/pool:Pool": octavia("pools"),
  "openstack:loadbalancer/member:Member": {
    ...octavia("members"),
    path: ({ poolId }) => `/v2/lbaas/pools/${String(poolId)}/members`,
    item: (id, { poolId }) => `/v2/lbaas/pools/${String(poolId)}/members/${id}`,
  },
  "openstack:loadbalancer/monitor:Monitor": octavia("healthmonitors"),
  "openstack:identity/applicationCredential:ApplicationCredential": {
    ...byName("identity", "", "application_credentials"),
    path: ({ name }, { userId }) => `/users/${userId}/application_credentials${named(name)}`,
    item: (id, _, { userId }) => `/users/${userId}/application_credentials/${id}`,
    hasSecret: true,
  },
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

/**
 * @returns undefined for a type that cannot be found by its inputs
 */
export function lookupOf(type: string): Lookup | undefined {
  return LOOKUPS[type];
}

/** The progress of the cloud's work on an item. */
export type Progress = "underway" | "failed" | "made" | "leaving" | "gone";

export function progress(item: Item): Progress {
  const status = String(item["status"] ?? item["provisioning_status"]).toLowerCase();
  const task = item["OS-EXT-STS:task_state"] ?? undefined;
  if (["deleted", "soft_deleted"].includes(status)) return "gone";
  if (["deleting", "pending_delete"].includes(status)) return "leaving";
  if (task === "deleting" || task === "soft-deleting") return "leaving";
  if (status.startsWith("error")) return "failed";
  if (["build", "creating", "downloading", "pending_create", "pending_update"].includes(status))
    return "underway";
  // a stopped server, or the like
  return task === undefined ? "made" : "underway";
}

/** The owner in the metadata of a server. */
function ownerIn(metadata: unknown): unknown {
  return (metadata as Item | undefined)?.[SERVER_OWNER];
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
