import { COMMAND, RELEASE, SERVER, STASH, type Step } from "../stack/steps";

/** Kinds of resources of the cloud, by OpenStack's names. */
const CLOUD_KINDS = [
  "server",
  "serverGroup",
  "volume",
  "volumeAttachment",
  "network",
  "subnet",
  "router",
  "routerInterface",
  "routerRoute",
  "port",
  "floatingIp",
  "securityGroup",
  "securityGroupRule",
  "loadBalancer",
  "listener",
  "pool",
  "healthMonitor",
  "poolMember",
  "applicationCredential",
] as const;
export type CloudKind = (typeof CLOUD_KINDS)[number];

/**
 * Kinds of resources that a run changes. `vnfc`: a server with all parts that are deleted with it; `object`: a
 * Kubernetes object; `release`: a Helm release; `script`: it runs on a server; `command`: it runs on the machine that
 * runs Pulumi; `access`: access to a cluster; `resource`: any other type of Pulumi.
 */
export const ALL_KINDS = [
  ...CLOUD_KINDS,
  ...(["vnfc", "object", "release", "script", "command", "access", "resource"] as const),
] as const;
export type PartKind = (typeof ALL_KINDS)[number];

interface Row {
  readonly kind: PartKind;
  /** Name of the kind for the operator. @default the last part of the type */
  readonly word?: string;
}

export const PORT = "openstack:networking/port:Port";
export const FLOATING_IP = "openstack:networking/floatingIp:FloatingIp";
export const VOLUME = "openstack:blockstorage/volume:Volume";
export const SECURITY_GROUP = "openstack:networking/secGroup:SecGroup";
export const SECURITY_GROUP_RULE = "openstack:networking/secGroupRule:SecGroupRule";

/** Types of Pulumi with a kind of their own. */
const KINDS = new Map<string, Row>([
  [SERVER, { kind: "server", word: "server" }],
  ["openstack:compute/serverGroup:ServerGroup", { kind: "serverGroup", word: "placement group" }],
  ["openstack:compute/volumeAttach:VolumeAttach", { kind: "volumeAttachment" }],
  [
    "openstack:identity/applicationCredential:ApplicationCredential",
    { kind: "applicationCredential", word: "application credential" },
  ],
  ["openstack:networking/network:Network", { kind: "network", word: "network" }],
  ["openstack:networking/subnet:Subnet", { kind: "subnet", word: "subnet" }],
  ["openstack:networking/router:Router", { kind: "router", word: "router" }],
  [
    "openstack:networking/routerInterface:RouterInterface",
    { kind: "routerInterface", word: "router interface" },
  ],
  ["openstack:networking/routerRoute:RouterRoute", { kind: "routerRoute" }],
  [PORT, { kind: "port", word: "port" }],
  [FLOATING_IP, { kind: "floatingIp", word: "floating IP" }],
  [VOLUME, { kind: "volume", word: "volume" }],
  [SECURITY_GROUP, { kind: "securityGroup", word: "security group" }],
  [SECURITY_GROUP_RULE, { kind: "securityGroupRule", word: "security group rule" }],
  ["openstack:loadbalancer/loadBalancer:LoadBalancer", { kind: "loadBalancer" }],
  ["openstack:loadbalancer/listener:Listener", { kind: "listener" }],
  ["openstack:loadbalancer/pool:Pool", { kind: "pool" }],
  ["openstack:loadbalancer/monitor:Monitor", { kind: "healthMonitor" }],
  ["openstack:loadbalancer/member:Member", { kind: "poolMember" }],
  ["pulumi:providers:kubernetes", { kind: "access", word: "access to the cluster" }],
  [RELEASE, { kind: "release" }],
]);

export function kindOf({ type, script, object }: Pick<Step, "type" | "script" | "object">): PartKind {
  if (script !== undefined) return "script";
  if (type === COMMAND) return "command";
  if (object !== undefined) return "object";
  return KINDS.get(type)?.kind ?? "resource";
}

/** Names of kinds for the operator. A resource of any other kind is described by its key only. */
const WORDS: ReadonlyMap<PartKind, string> = new Map<PartKind, string>([
  ...[...KINDS].map(([type, { kind, word }]) => [kind, word ?? endOf(type)] as const),
  ["script", "step"],
]);

export function wordOf(kind: PartKind): string {
  return WORDS.get(kind) ?? "";
}

export function endOf(type: string): string {
  return type.split(":").at(-1) ?? type;
}

/** Types of resources that are created and deleted as a whole, by the type of their parts. */
export const WHOLES: Readonly<Record<string, string>> = {
  [SECURITY_GROUP_RULE]: SECURITY_GROUP,
  [STASH]: RELEASE,
};
