import { SettingsFault } from "../fault";
import { findCycle, type Graph } from "../kube/graph";
import type { KubeObject } from "../kube/object";
import { didYouMean, oneOf } from "../nearest";
import { own } from "../own";
import type { Settings } from "../settings/model";
import { policyFaults } from "../settings/policy";
import { PackageFault } from "../vnfd/model";
import { planInstance, type Sources } from "./instance";
import { readCni } from "./kubeadm/installation";
import { existingNetwork } from "./link";
import { clusterOf, isWorkload, serversOf, workloads, type InstancePlan } from "./model";
import { overviewOf } from "./overview";
import { planClusterInstance } from "./cluster-api/instance";
import { vimIdentity, vnfOfStack } from "./vim";
import type { CnfPlan } from "./workload/cnf";
import { findCollisions } from "./workload/cnf-collisions";
import { definitionsBrought, undefinedKinds, type ApiKind } from "./workload/cnf-definitions";
import { cnfGraph, inOrder } from "./workload/cnf-order";
import { takenTwice, withAddressesAwaited, withoutFamily, type IpFamily } from "./workload/cnf-services";

/**
 * What shall exist for the stack's VNF instances, in an order in which each VIM comes before the CNFs on it, and
 * each CNF after those that it needs.
 * @throws SettingsFault with every fault of all instances and their packages.
 */
export function planStack(settings: Settings, sources: Sources): InstancePlan[] {
  const faults: string[] = [];
  // of a package that is not valid each of its instances has the same
  const packageFaults = new Set<string>();
  const instances = Object.entries(settings.vnfs).flatMap(([name, vnf]) => {
    try {
      return planInstance(name, vnf, settings, sources, faults);
    } catch (error) {
      if (!(error instanceof PackageFault)) throw error;
      packageFaults.add(error.message);
      return [];
    }
  });
  const clusters = Object.entries(settings.clusters).flatMap(([name, cluster]) =>
    planClusterInstance(name, cluster, sources.charts, faults),
  );
  const plans = [...instances, ...clusters];
  const vims = vimGraph(plans);
  checkVims(settings, plans, vims, faults);
  faults.push(...collisions(plans), ...sameNames(plans), ...sameRouterIds(plans));
  const { policy } = settings;
  const againstPolicy =
    policy === undefined
      ? []
      : policyFaults(policy, sources.readProjectFile(policy), settings, overviewOf(plans, settings.vnfs));
  const all = [...settings.faults, ...packageFaults, ...faults, ...againstPolicy];
  if (all.length > 0) throw new SettingsFault(all);
  const onOneCluster = byVim(plans);
  const controllers = new Set(
    plans.flatMap((plan) => (plan.kind === "kubeadm" ? (plan.cloudController ?? []) : [])),
  );
  const before: Graph = new Map(onOneCluster.flatMap((sharing) => [...cnfGraph(sharing, controllers)]));
  const cnfs = new Map(
    onOneCluster.flatMap((sharing) => {
      const brought = definitionsBrought(sharing, cniOf(sharing, plans));
      return sharing.map((cnf) => {
        const kinds = undefinedKindsOf(cnf, settings, brought);
        return [cnf.instance, { ...withAddressesAwaited(cnf, sharing), undefinedKinds: kinds }] as const;
      });
    }),
  );
  const graph: Graph = new Map(
    plans.map(({ name }) => [name, new Set([...(vims.get(name) ?? []), ...(before.get(name) ?? [])])]),
  );
  const named = new Map(plans.map((plan) => [plan.name, plan]));
  return inOrder(graph).flatMap((name): InstancePlan[] => {
    const plan = named.get(name);
    if (plan === undefined) return [];
    if (!isWorkload(plan)) return [plan];
    return [{ ...plan, cnf: cnfs.get(name) ?? plan.cnf, after: [...(before.get(name) ?? [])] }];
  });
}

/** Each instance with the VIM of this stack that it is on. */
function vimGraph(plans: readonly InstancePlan[]): Graph {
  return new Map(
    plans.map((plan) => {
      const vnf = isWorkload(plan) ? vnfOfStack(plan.on) : undefined;
      return [plan.name, new Set(vnf === undefined ? [] : [vnf])];
    }),
  );
}

/** A CNF's VIM must be a cluster of this stack, which is not on that CNF itself. */
function checkVims(
  { vnfs, clusters: ofTemplates, refused }: Settings,
  plans: readonly InstancePlan[],
  graph: Graph,
  faults: string[],
): void {
  const names = [...Object.keys(vnfs), ...Object.keys(ofTemplates), ...refused];
  const planned = new Map(plans.map((plan) => [plan.name, plan]));
  const isVim = (name: string): boolean => {
    const plan = planned.get(name);
    // one without a plan has said why, and may be a cluster
    return plan === undefined || (plan.kind !== "servers" && plan.cluster !== undefined);
  };
  const clusters = names.filter(isVim);
  for (const { name, on } of workloads(plans)) {
    const vnf = vnfOfStack(on);
    if (vnf === undefined || clusters.includes(vnf)) continue;
    const why = names.includes(vnf) ? `"${vnf}" is no cluster` : `no VNF of this stack has the name "${vnf}"`;
    faults.push(`vnfm:vnfs.${name}.vim: ${why}; ${oneOf(clusters)}${didYouMean(vnf, clusters)}`);
  }
  const circle = findCycle(new Map([...graph].filter(([name]) => isVim(name))));
  if (circle !== undefined)
    faults.push(
      `vnfm:vnfs.${circle[0]}.vim: the clusters are on each other in a circle: ${circle.join(" -> ")}; the first one needs a VIM that is there without them`,
    );
}

/** CNFs that would fight for an object, a node port or an address of the same cluster, or ask for what it has not. */
function collisions(plans: readonly InstancePlan[]): string[] {
  return [
    ...byVim(plans).flatMap((sharing) => [...findCollisions(sharing), ...takenTwice(sharing)]),
    ...workloads(plans).flatMap(({ cnf, on }) => {
      const vnf = vnfOfStack(on);
      const families = ipFamilies(plans.find(({ name }) => name === vnf));
      return vnf === undefined || families === undefined ? [] : withoutFamily(cnf, vnf, families);
    }),
  ];
}

/** Of the Services on the cluster that an instance is. Undefined: the plan does not say. */
function ipFamilies(plan: InstancePlan | undefined): readonly IpFamily[] | undefined {
  switch (plan?.kind) {
    case "workload":
    case "template":
      return plan.cluster?.ipFamilies;
    case "kubeadm":
      return plan.cluster.ipv6 === undefined ? ["IPv4"] : ["IPv4", "IPv6"];
    case "servers":
    case undefined:
      return undefined;
  }
}

/** Of custom resources in CNFs; those of clusters by templates and of addons are the program's own. */
function undefinedKindsOf(
  cnf: CnfPlan,
  { vnfs }: Settings,
  brought: readonly KubeObject[] | undefined,
): ApiKind[] {
  if (brought === undefined || own(vnfs, cnf.instance) === undefined) return [];
  return undefinedKinds(cnf, brought);
}

/** The objects of the CNI of the cluster that some CNFs are on. None where that is no cluster of kubeadm. */
function cniOf([one]: readonly CnfPlan[], plans: readonly InstancePlan[]): KubeObject[] {
  const on = workloads(plans).find(({ name }) => name === one?.instance)?.on;
  const vnf = on && vnfOfStack(on);
  const cluster = plans.find(({ name }) => name === vnf);
  if (cluster?.kind !== "kubeadm") return [];
  return readCni("", cluster.cluster.cniManifest, []).map(({ object }) => object);
}

/** The CNFs, those of one cluster together. */
function byVim(plans: readonly InstancePlan[]): CnfPlan[][] {
  const found = new Map<string, CnfPlan[]>();
  for (const { cnf, on } of workloads(plans)) {
    const vim = vimIdentity(on);
    found.set(vim, [...(found.get(vim) ?? []), cnf]);
  }
  return [...found.values()];
}

/** Instances of which one's name is the beginning of the other's may come to the same resource names. */
function sameNames(plans: readonly InstancePlan[]): string[] {
  const owners = new Map<string, string>();
  return plans.flatMap((plan) => {
    const names = [
      ...serversOf(plan).map(({ key }) => `${plan.name}-${key}`),
      ...(isWorkload(plan) ? [...plan.cnf.objects, ...plan.cnf.releases].map(({ key }) => key) : []),
    ];
    return names.flatMap((name) => {
      const owner = owners.get(name);
      owners.set(name, plan.name);
      return owner === undefined || owner === plan.name
        ? []
        : [`vnfm:vnfs.${plan.name}: and ${owner} would both make a resource ${name}; give one another name`];
    });
  });
}

/** Clusters whose load balancers would have one VRRP id on a network; one of the VNFD is of its instance alone. */
function sameRouterIds(plans: readonly InstancePlan[]): string[] {
  const owners = new Map<string, string>();
  return plans.flatMap((plan) => {
    const { name } = plan;
    const cluster = clusterOf(plan);
    if (cluster?.api.kind !== "haproxy") return [];
    const { virtualRouterId: id, virtualIp } = cluster.api;
    const network = existingNetwork(virtualIp.link);
    if (network === undefined) return [];
    const owner = owners.get(`${id} ${network}`);
    if (owner === undefined) owners.set(`${id} ${network}`, name);
    return owner === undefined
      ? []
      : [
          `vnfm:vnfs.${name}.additionalParams.k8s_cluster_installation_param.load_balancer.virtual_router_id: ${id} is that of ${owner} too, on the network ${network}; give the newer one another id, 1 to 255`,
        ];
  });
}
