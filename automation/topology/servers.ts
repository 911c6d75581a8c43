import { vduOf } from "../stack/places";
import type { Change } from "../changes/changes";
import type { KubeadmPlan, ServersPlan } from "../../components/plan/model";
import type { Link, PlannedNetwork, PlannedRouter, PlannedServer } from "../../components/plan/servers/model";
import type { Role } from "../../components/plan/servers/model";
import { marksOf } from "./marks";
import { box, type Box } from "./model";

/** Boxes of an instance of servers: the existing networks that it uses, and the parts that it creates. */
export interface ServerBoxes {
  /** Networks that vnfm creates for the instance. */
  readonly networks: readonly Box[];
  /** Names of existing networks. */
  readonly existing: readonly string[];
  /** A box for each VDU. */
  readonly groups: readonly Box[];
  readonly facts: readonly string[];
  /** Changes that belong to none of these boxes. */
  readonly rest: readonly Change[];
}

/** @param changes changes of the instance */
export function serverBoxes(plan: ServersPlan | KubeadmPlan, changes: readonly Change[]): ServerBoxes {
  const { name, servers } = plan;
  const vdus = [
    ...new Set([
      ...servers.map(({ vdu }) => vdu.id),
      ...changes.flatMap(({ subject: { vnfc } }) => (vnfc ? [vduOf(vnfc)] : [])),
    ]),
  ];
  const networks = plan.networks.map((network) => networkBox(name, network, changes));
  const marked = (change: Change): boolean =>
    change.subject.vnfc !== undefined || plan.networks.some((network) => isOf(network, change));
  return {
    networks,
    existing: existingNetworks(plan),
    groups: vdus.map((vdu) => groupBox(plan, vdu, changes)),
    facts: factsOf(plan),
    rest: changes.filter((change) => !marked(change)),
  };
}

function groupBox(plan: ServersPlan | KubeadmPlan, vdu: string, changes: readonly Change[]): Box {
  const servers = plan.servers.filter((server) => server.vdu.id === vdu);
  const links = servers.flatMap(({ ports }) => ports.map(({ link }) => networkName(plan.name, link)));
  const role = servers[0]?.role;
  return box("group", vdu, {
    count: servers.length,
    facts: [
      ...(role === undefined ? [] : [ROLES[role]]),
      ...unique(servers.map(flavorName)),
      ...unique(servers.map(imageName)),
    ],
    networks: unique(links),
    marks: marksOf(changes.filter(({ subject: { vnfc } }) => vnfc !== undefined && vduOf(vnfc) === vdu)),
  });
}

const ROLES: Readonly<Record<Role, string>> = {
  master: "master",
  worker: "worker",
  balancer: "load balancer",
  storage: "storage server",
};

function flavorName({ flavor }: PlannedServer): string {
  switch (flavor.kind) {
    case "name":
      return flavor.name;
    case "size":
      return `${flavor.vcpus} vCPUs, ${flavor.ramMiB} MiB, ${flavor.diskGiB} GiB`;
  }
}

function imageName({ image }: PlannedServer): string {
  return image;
}

function factsOf(plan: ServersPlan | KubeadmPlan): readonly string[] {
  if (plan.kind !== "kubeadm") return ["servers"];
  const { kubernetesVersion, aptRepository, api } = plan.cluster;
  const version = kubernetesVersion ?? aptRepository?.kubernetesVersion;
  const balancers = api.kind === "haproxy" && !api.onMasters ? "its own servers" : "the masters";
  const at =
    api.kind === "octavia" ? "Octavia" : api.kind === "haproxy" ? `HAProxy on ${balancers}` : undefined;
  return [
    "kubeadm cluster",
    ...(version === undefined ? [] : [`Kubernetes ${version}`]),
    ...(at === undefined ? [] : [`API by ${at}`]),
  ];
}

/** Existing networks of ports, of floating IPs and of routers' external gateways. */
function existingNetworks({ cloudNeeds }: ServersPlan | KubeadmPlan): readonly string[] {
  return unique(cloudNeeds.flatMap(({ kind, name }) => (kind === "network" ? [name] : [])));
}

function networkBox(instance: string, network: PlannedNetwork, changes: readonly Change[]): Box {
  const { virtualLink, subnets, router } = network;
  return box("network", networkName(instance, { kind: "internal", virtualLink }), {
    facts: [...subnets.map(({ cidr }) => cidr), ...(router === undefined ? [] : [describeRouter(router)])],
    marks: marksOf(changes.filter((change) => isOf(network, change))),
  });
}

function describeRouter(router: PlannedRouter): string {
  switch (router.kind) {
    case "existing":
      return `router ${router.router}`;
    case "made":
      return `router to ${router.externalNetwork}`;
  }
}

/** Returns true if a change affects the network itself. */
function isOf({ virtualLink }: PlannedNetwork, { subject }: Change): boolean {
  return subject.kind === "network" && subject.vnfc === undefined && subject.key === virtualLink;
}

function networkName(instance: string, link: Link): string {
  switch (link.kind) {
    case "internal":
      return `${instance}/${link.virtualLink}`;
    case "external":
      return link.network;
  }
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
