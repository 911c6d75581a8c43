import { Findings } from "../base/findings";
import { findCycle, type Graph } from "../kube/order/graph";
import type { KubeObject } from "../kube/objects/object";
import { didYouMean, oneOf } from "../base/nearest";
import { own } from "../base/own";
import { assertNone } from "../base/settings-fault";
import type { Settings } from "../settings/model";
import { checkPolicy } from "../settings/policy";
import { PackageFault } from "../vnfd/model";
import { attributeGraph, checkAttributes } from "./attributes";
import { planInstance } from "./instance";
import type { Sources } from "./context";
import { INSTALLATION, readCni } from "./kubeadm/installation";
import { existingNetwork } from "./link";
import { Mask } from "./masked";
import { clusterOf, isWorkload, serversOf, workloads, type InstancePlan } from "./model";
import { overviewOf } from "./overview";
import { planClusterInstance } from "./cluster-api/instance";
import { checkClouds, inClouds } from "./clouds";
import { checkClusterNetworks } from "./cluster-api/cluster-network";
import { checkPatched } from "./cluster-api/patches";
import { checkVersionSteps } from "./cluster-api/version-steps";
import { expiries } from "./expiries";
import { vimIdentity, vimOf, vnfOfStack } from "./vim";
import type { CnfPlan } from "./workload/model";
import { checkCollisions } from "./workload/cnf-collisions";
import { definitionsBrought, undefinedKinds } from "./workload/cnf-definitions";
import type { ApiKind } from "./workload/model";
import { cnfGraph, inOrder } from "./workload/cnf-order";
import { checkClaims, checkFamilies, withAddressesAwaited, type IpFamily } from "./workload/cnf-services";

/**
 * Plans all VNF instances of the stack, ordered so that each VIM comes before its CNFs, and each CNF after the CNFs
 * that it needs.
 * @throws SettingsFault with all errors of all instances and their packages
 */
export function planStack(settings: Settings, sources: Sources): InstancePlan[] {
  const ofPackages = new Findings();
  const ofPlan = new Findings();
  const mask = new Mask(settings);
  const instances = Object.entries(settings.vnfs).flatMap(([name, vnf]) => {
    try {
      return planInstance(name, vnf, settings, sources, ofPlan);
    } catch (error) {
      if (!(error instanceof PackageFault)) throw error;
      // instances of the same invalid package have the same fault
      ofPackages.at().fault(mask.packageFault(error).message);
      return [];
    }
  });
  const clusters = Object.entries(settings.clusters).flatMap(([name, cluster]) =>
    planClusterInstance(name, cluster, sources.charts, ofPlan),
  );
  const plans = inClouds([...instances, ...clusters], settings);
  const vims = vimGraph(plans);
  const required = joined(vims, attributeGraph(plans));
  checkVims(settings, plans, vims, ofPlan);
  checkAttributes(plans, namesOf(settings), required, ofPlan);
  checkSharing(plans, ofPlan);
  checkPatches(settings, plans, ofPlan);
  checkNames(plans, ofPlan);
  checkRouterIds(plans, ofPlan);
  const { policy } = settings;
  if (policy !== undefined)
    checkPolicy(policy, sources.readProjectFile(policy), settings, overviewOf(plans, settings.vnfs), ofPlan);
  if (sources.run !== undefined) {
    const { former, now } = sources.run;
    checkClouds(plans, former, ofPlan);
    checkVersionSteps(plans, former, ofPlan);
    checkClusterNetworks(plans, former, ofPlan);
    ofPlan.add(
      ...expiries(plans, former, now)
        .filter(({ isFault }) => isFault)
        .map(({ finding }) => finding),
    );
  }
  assertNone(new Findings(...settings.faults, ...ofPackages.all, ...mask.findings(ofPlan.all)));
  const onOneCluster = byVim(plans);
  const controllers = new Set(
    plans.flatMap((plan) => (plan.kind === "kubeadm" ? (plan.cloudController ?? []) : [])),
  );
  const graph = onOneCluster.reduce((before, sharing) => cnfGraph(sharing, controllers, before), required);
  const cnfs = new Map(
    onOneCluster.flatMap((sharing) => {
      const brought = definitionsBrought(sharing, cniOf(sharing, plans));
      return sharing.map((cnf) => {
        const kinds = undefinedKindsOf(cnf, settings, brought);
        return [cnf.instance, { ...withAddressesAwaited(cnf, sharing), undefinedKinds: kinds }] as const;
      });
    }),
  );
  const named = new Map(plans.map((plan) => [plan.name, plan]));
  return inOrder(graph).flatMap((name): InstancePlan[] => {
    const plan = named.get(name);
    if (plan === undefined) return [];
    if (!isWorkload(plan)) return [mask.plan(plan)];
    const after = [...(graph.get(name) ?? [])].filter((before) => !vims.get(name)?.has(before));
    return [mask.plan({ ...plan, cnf: cnfs.get(name) ?? plan.cnf, after })];
  });
}

/** The graph of VIMs: each instance depends on its VIM, if that is in this stack. */
function vimGraph(plans: readonly InstancePlan[]): Graph {
  return new Map(
    plans.map((plan) => {
      const vnf = isWorkload(plan) ? vnfOfStack(plan.on) : undefined;
      return [plan.name, new Set(vnf === undefined ? [] : [vnf])];
    }),
  );
}

/** Joins two graphs. */
function joined(one: Graph, other: Graph): Graph {
  return new Map([...one].map(([name, before]) => [name, new Set([...before, ...(other.get(name) ?? [])])]));
}

/** The names of all instances of the stack config. */
function namesOf({ vnfs, clusters, refused }: Settings): string[] {
  return [...Object.keys(vnfs), ...Object.keys(clusters), ...refused.map(({ name }) => name)];
}

/** Checks that each CNF's VIM is a cluster of this stack, which is not created by the CNF itself. */
function checkVims(settings: Settings, plans: readonly InstancePlan[], graph: Graph, faults: Findings): void {
  const names = namesOf(settings);
  const planned = new Map(plans.map((plan) => [plan.name, plan]));
  const isVim = (name: string): boolean => {
    const plan = planned.get(name);
    // an instance without a plan has an error already, and may be a cluster
    return plan === undefined || (plan.kind !== "servers" && plan.cluster !== undefined);
  };
  const clusters = names.filter(isVim);
  const likely = clusters.filter((name) => planned.has(name) || !isCnf(settings, name));
  for (const { name, on } of workloads(plans)) {
    const vnf = vnfOfStack(on);
    if (vnf === undefined || clusters.includes(vnf)) continue;
    const why = names.includes(vnf) ? `"${vnf}" is not a cluster` : `this stack has no instance "${vnf}"`;
    faults
      .instance(name)
      .get("vim")
      .fault(`${why}; ${oneOf(likely)}${didYouMean(vnf, likely)}`);
  }
  const circle = findCycle(new Map([...graph].filter(([name]) => isVim(name))));
  if (circle !== undefined)
    faults
      .instance(circle[0] ?? "")
      .get("vim")
      .fault(
        `the clusters run on each other in a circle: ${circle.join(" -> ")}; the first one needs a VIM that exists without them`,
      );
}

/** Returns true for a CNF, by its settings, as few CNFs create a cluster. */
function isCnf({ vnfs, refused }: Settings, name: string): boolean {
  return own(vnfs, name)?.vim !== undefined || refused.some((one) => one.name === name && one.isCnf);
}

/**
 * Records CNFs of the same cluster that would fight for an object, a node port or an address, or that require an API
 * which the cluster does not have.
 */
function checkSharing(plans: readonly InstancePlan[], faults: Findings): void {
  for (const sharing of byVim(plans)) {
    checkCollisions(sharing, faults);
    checkClaims(sharing, faults);
  }
  for (const { cnf, on } of workloads(plans)) {
    const vnf = vnfOfStack(on);
    const families = ipFamilies(plans.find(({ name }) => name === vnf));
    if (vnf !== undefined && families !== undefined) checkFamilies(cnf, vnf, families, faults);
  }
}

/** Checks patches of clusters against the CRDs that CNFs of the management cluster contain. */
function checkPatches({ clusters }: Settings, plans: readonly InstancePlan[], faults: Findings): void {
  for (const sharing of byVim(plans))
    for (const { instance, objects } of sharing) {
      const { patches = [] } = own(clusters, instance) ?? {};
      const brought = patches.length > 0 ? definitionsBrought(sharing, []) : undefined;
      const made = objects.map(({ object }) => object);
      checkPatched(made, patches, brought ?? [], faults.instance(instance).get("patches"));
    }
}

/** IP families of Services on the cluster of an instance. Undefined: not known from the plan. */
function ipFamilies(plan: InstancePlan | undefined): readonly IpFamily[] | undefined {
  switch (plan?.kind) {
    case "cnf":
    case "template":
      return plan.cluster?.ipFamilies;
    case "kubeadm":
      return plan.cluster.ipv6 === undefined ? ["IPv4"] : ["IPv4", "IPv6"];
    case "servers":
    case undefined:
      return undefined;
  }
}

/**
 * Kinds of custom resources in a CNF that neither the cluster nor a CNF defines. Addons and clusters from templates are
 * not checked, as vnfm chooses their objects and their VIM has Cluster API; only a VIM by its kubeconfig can be queried
 * for it.
 */
function undefinedKindsOf(
  cnf: CnfPlan,
  { vnfs, clusters }: Settings,
  brought: readonly KubeObject[] | undefined,
): ApiKind[] {
  const vim = own(clusters, cnf.instance)?.vim;
  const isChecked = own(vnfs, cnf.instance) !== undefined || (vim && vimOf(vim).kind === "kubeconfig");
  return brought === undefined || !isChecked ? [] : undefinedKinds(cnf, brought);
}

/**
 * The objects of a kubeadm cluster's CNI; none for other clusters.
 * @param one the first CNF on the cluster
 */
function cniOf([one]: readonly CnfPlan[], plans: readonly InstancePlan[]): KubeObject[] {
  const on = workloads(plans).find(({ name }) => name === one?.instance)?.on;
  const vnf = on && vnfOfStack(on);
  const cluster = plans.find(({ name }) => name === vnf);
  if (cluster?.kind !== "kubeadm") return [];
  return readCni("", cluster.cluster.cniManifest, []).map(({ object }) => object);
}

/** The CNFs, grouped by cluster. */
function byVim(plans: readonly InstancePlan[]): CnfPlan[][] {
  const found = new Map<string, CnfPlan[]>();
  for (const { cnf, on } of workloads(plans)) {
    const vim = vimIdentity(on);
    found.set(vim, [...(found.get(vim) ?? []), cnf]);
  }
  return [...found.values()];
}

/** Records instances with the same beginning of their names, which may lead to equal names of resources. */
function checkNames(plans: readonly InstancePlan[], faults: Findings): void {
  const owners = new Map<string, string>();
  for (const plan of plans) {
    const names = [
      ...serversOf(plan).map(({ key }) => `${plan.name}-${key}`),
      ...(isWorkload(plan) ? [...plan.cnf.objects, ...plan.cnf.releases].map(({ key }) => key) : []),
    ];
    for (const name of names) {
      const owner = owners.get(name);
      owners.set(name, plan.name);
      if (owner !== undefined && owner !== plan.name)
        faults.instance(plan.name).fault(`and ${owner} would both create a resource ${name}; rename one`);
    }
  }
}

/**
 * Records clusters whose load balancers would share a VRRP id on one network; a network of the VNFD belongs to its
 * instance only.
 */
function checkRouterIds(plans: readonly InstancePlan[], faults: Findings): void {
  const owners = new Map<string, string>();
  for (const plan of plans) {
    const cluster = clusterOf(plan);
    if (cluster?.api.kind !== "haproxy") continue;
    const { virtualRouterId: id, virtualIp } = cluster.api;
    const network = existingNetwork(virtualIp.link);
    if (network === undefined) continue;
    const owner = owners.get(`${id} ${network}`);
    if (owner === undefined) owners.set(`${id} ${network}`, plan.name);
    else
      faults
        .instance(plan.name)
        .get(...INSTALLATION, "load_balancer", "virtual_router_id")
        .fault(
          `${id} is also that of ${owner}, on the network ${network}; set another id for the newer one, 1 to 255`,
        );
  }
}
