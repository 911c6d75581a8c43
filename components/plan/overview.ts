import { at, shown, type KubeObject } from "../kube/objects/object";
import { imagesOf, isWorkload as hasPods } from "../kube/objects/pods";
import { own } from "../base/own";
import { secretsIn, withoutSecrets } from "../base/secret";
import type { Settings } from "../settings/model";
import { machineGroups, type MachineGroup } from "./cluster-api/machine-groups";
import { machineNetworks, type MachineNetworks } from "./cluster-api/machine-networks";
import { clusterIngress, storageIngress, type IngressRule } from "./kubeadm/ingress";
import { readCni } from "./kubeadm/installation";
import type { ClusterPlan } from "./kubeadm/model";
import { existingNetwork } from "./link";
import {
  clusterOf,
  isWorkload,
  type InstancePlan,
  type ServersPlan,
  type KubeadmPlan,
  type WorkloadPlan,
} from "./model";
import type { PlannedFlavor, PlannedNetwork, PlannedRouter, PlannedServer } from "./servers/model";
import { madeBy } from "./workload/cnf";
import { autoscaler, replicasOf } from "./workload/cnf-vdus";

/** The facts about a planned instance that a site's policy can check. */
export interface Overview {
  readonly kind: InstancePlan["kind"];
  /** Number of all its servers. */
  readonly servers: number;
  /** VDUs by id; machines of Cluster API by the object that creates them. */
  readonly vdus: Readonly<Record<string, VduOverview>>;
  /** Networks that vnfm creates, by virtual link. */
  readonly networks: Readonly<Record<string, NetworkOverview>>;
  /** Traffic that the security groups allow in. */
  readonly ingress: readonly IngressOverview[];
  /** Pods by their object, as `Deployment web/frontend`, with those of hooks. */
  readonly pods: Readonly<Record<string, PodsOverview>>;
}

export interface VduOverview {
  readonly servers: number;
  /** Name or id of the flavor, or the required size. Undefined: not known. */
  readonly flavor:
    { readonly vcpus: number; readonly ramMiB: number; readonly diskGiB: number } | string | undefined;
  /** Names or ids of the images of the server and of its volumes. */
  readonly images: readonly string[];
  /** Names or ids of existing networks. */
  readonly networks: readonly string[];
  /** Names or ids of the external networks of its floating IPs. */
  readonly floatingNetworks: readonly string[];
}

interface NetworkOverview {
  readonly cidrs: readonly string[];
  /** External network of the router that is created. */
  readonly externalNetwork?: string;
  /** Name or id of an existing router. */
  readonly router?: string;
}

interface IngressOverview {
  readonly group: "members" | "masters" | "others" | "storage";
  readonly protocol: string;
  /** First port; absent for all ports of the protocol, and for a protocol without ports. */
  readonly first?: number;
  readonly last?: number;
  /** CIDR of the source. */
  readonly from: string;
}

interface PodsOverview {
  /** The maximum number of pods; absent if there is one on each node. */
  readonly replicas: number | undefined;
  readonly images: readonly string[];
}

/**
 * The overview of each instance, with `[secret]` in place of secrets. @param vnfs settings of instances without a
 * template
 */
export function overviewOf(plans: readonly InstancePlan[], vnfs: Settings["vnfs"]): Record<string, Overview> {
  return Object.fromEntries(
    plans.map((plan) => [
      plan.name,
      isWorkload(plan)
        ? ofWorkload(plan, own(vnfs, plan.name)?.additionalParams?.variables)
        : ofServers(plan),
    ]),
  );
}

function ofServers(plan: ServersPlan | KubeadmPlan): Overview {
  const cluster = clusterOf(plan);
  const { kind, servers, networks } = plan;
  const vdus = [...new Set(servers.map(({ vdu }) => vdu.id))];
  return {
    kind,
    servers: servers.length,
    vdus: Object.fromEntries(vdus.map((id) => [id, vduOverview(servers.filter(({ vdu }) => vdu.id === id))])),
    networks: Object.fromEntries(networks.map((network) => [network.virtualLink, networkOverview(network)])),
    ingress: cluster === undefined ? [] : ingressOverview(cluster),
    pods:
      cluster === undefined
        ? {}
        : podsOverview(readCni("", cluster.cniManifest, []).map(({ object }) => object)),
  };
}

/** @param variables that may be in manifests */
function ofWorkload({ kind, cnf }: WorkloadPlan, variables: unknown): Overview {
  const secrets = secretsIn([variables, cnf.releases.map(({ values }) => values)]);
  const masked = (text: string): string => withoutSecrets(text, secrets);
  const ofHooks = cnf.releases.flatMap(({ hooks }) => hooks.flatMap((hook) => hook.objects));
  const objects = [...madeBy(cnf).map(({ object }) => object), ...ofHooks];
  const clusters = machineNetworks(objects);
  const vdus = [
    ...machineGroups(objects).map((group) => machinesOf(group, clusters)),
    ...clusters.flatMap(bastionOf),
  ];
  return {
    kind,
    servers: vdus.reduce((sum, { servers }) => sum + servers, 0),
    vdus: byName(vdus, ({ name, flavor, images, networks, floatingNetworks, servers }) => [
      name,
      {
        ...{ servers, flavor: flavor === undefined ? undefined : masked(flavor) },
        images: images.map(masked),
        networks: different(networks.map(masked)),
        floatingNetworks: floatingNetworks.map(masked),
      },
    ]),
    networks: byName(
      clusters.filter(({ made }) => made !== undefined),
      ({ owner, made }) => [shown(owner), mapTexts(made ?? { cidrs: [] }, masked)],
    ),
    ingress: [],
    pods: podsOverview(objects, masked),
  };
}

interface Machines extends Omit<VduOverview, "flavor"> {
  readonly name: string;
  readonly flavor: string | undefined;
}

/** Machines of Cluster API, in the networks of their cluster; a floating IP of the API counts for the control plane. */
function machinesOf(group: MachineGroup, clusters: readonly MachineNetworks[]): Machines {
  const { owner, machines, flavor, image, networks } = group;
  const ofCluster = clusters.filter(
    (cluster) => cluster.owner.metadata.namespace === owner.metadata.namespace,
  );
  const isControlPlane = owner.kind === "KubeadmControlPlane";
  return {
    ...{ name: shown(owner), servers: machines, flavor, images: image === undefined ? [] : [image] },
    networks: [...ofCluster.flatMap(({ existing }) => existing), ...networks],
    floatingNetworks: ofCluster.flatMap(({ floating, isPublic }) =>
      isControlPlane && isPublic ? floating : [],
    ),
  };
}

function bastionOf({ owner, bastion, existing, floating }: MachineNetworks): Machines[] {
  if (bastion === undefined) return [];
  const { flavor, image } = bastion;
  const images = image === undefined ? [] : [image];
  return [
    {
      ...{ name: `${shown(owner)} bastion`, servers: 1, flavor, images },
      ...{ networks: existing, floatingNetworks: floating },
    },
  ];
}

function mapTexts(network: NetworkOverview, change: (text: string) => string): NetworkOverview {
  const { cidrs, ...others } = network;
  return {
    cidrs: cidrs.map(change),
    ...Object.fromEntries(Object.entries(others).map(([key, value]) => [key, change(value)])),
  };
}

/** The overview of the servers of a VDU, which all have the same flavor and images. */
function vduOverview(servers: readonly PlannedServer[]): VduOverview {
  const ports = servers.flatMap((server) => server.ports);
  const [first] = servers;
  return {
    servers: servers.length,
    flavor: first && flavorOverview(first.flavor),
    images: different(
      servers.flatMap(({ image, volumes }) => [image, ...volumes.flatMap((one) => one.image ?? [])]),
    ),
    networks: different(ports.flatMap(({ link }) => existingNetwork(link) ?? [])),
    floatingNetworks: different(ports.flatMap(({ floatingNetwork }) => floatingNetwork ?? [])),
  };
}

function flavorOverview(flavor: PlannedFlavor): VduOverview["flavor"] {
  switch (flavor.kind) {
    case "name":
      return flavor.name;
    case "size": {
      const { vcpus, ramMiB, diskGiB } = flavor;
      return { vcpus, ramMiB, diskGiB };
    }
  }
}

function networkOverview({ subnets, router }: PlannedNetwork): NetworkOverview {
  return {
    cidrs: subnets.map(({ cidr }) => cidr),
    ...(router && routerOverview(router)),
  };
}

function routerOverview(router: PlannedRouter): Pick<NetworkOverview, "router" | "externalNetwork"> {
  switch (router.kind) {
    case "existing":
      return { router: router.router };
    case "made":
      return { externalNetwork: router.externalNetwork };
  }
}

function ingressOverview(cluster: ClusterPlan): IngressOverview[] {
  const groups = { ...clusterIngress(cluster), storage: storageIngress(cluster) };
  const names = ["members", "masters", "others", "storage"] as const;
  return names.flatMap((group) =>
    groups[group].flatMap(({ protocol, ports, from }: IngressRule) =>
      typeof from === "string"
        ? []
        : [{ group, protocol, ...(ports && { first: ports[0], last: ports[1] }), from: from.cidr }],
    ),
  );
}

function podsOverview(
  objects: readonly KubeObject[],
  masked = (text: string): string => text,
): Record<string, PodsOverview> {
  return byName(objects.filter(hasPods), (object) => [
    shown(object),
    { replicas: mostReplicas(object, objects), images: imagesOf(object).map(masked) },
  ]);
}

/** Values by name. Hooks of a chart may share a name: all but the first get a number, so that none hides another. */
function byName<T, Value>(
  all: readonly T[],
  entryOf: (one: T) => readonly [name: string, value: Value],
): Record<string, Value> {
  const counts = new Map<string, number>();
  return Object.fromEntries(
    all.map((one) => {
      const [name, value] = entryOf(one);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [count === 1 ? name : `${name} (${count})`, value];
    }),
  );
}

/** KEDA's default for maxReplicaCount of a ScaledObject: https://keda.sh/docs/latest/reference/scaledobject-spec/ */
const KEDA_MAX = 100;

function mostReplicas(object: KubeObject, all: readonly KubeObject[]): number | undefined {
  const decider = autoscaler(object, all);
  if (decider === undefined) return replicasOf(object);
  const most = at(decider, "spec", "maxReplicas") ?? at(decider, "spec", "maxReplicaCount");
  return typeof most === "number" ? most : KEDA_MAX;
}

function different(values: readonly string[]): string[] {
  return [...new Set(values)];
}
