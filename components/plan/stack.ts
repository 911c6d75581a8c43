import type { Graph } from "../kube/graph";
import { didYouMean, oneOf } from "../nearest";
import { own } from "../own";
import { SettingsFault, type Settings, type VnfSettings } from "../settings/model";
import type { DeploymentFlavour, VnfPackage } from "../vnfd/model";
import { PackageFault } from "../vnfd/model";
import { planCluster } from "./kubeadm/cluster";
import { findCollisions, planCnf, type CnfPlan } from "./workload/cnf";
import { cnfGraph, inOrder } from "./workload/cnf-order";
import { takenTwice, withoutIPv6 } from "./workload/cnf-services";
import { planWholeHeal, staleHeals } from "./heal";
import { instanceCounts, isGoverned } from "./instances";
import { checkKind } from "./kind";
import { kubeadmWarnings } from "./kubeadm/kubeadm-additions";
import type { PlannedServer, Vim, VnfPlan } from "./model";
import {
  planNetworks,
  planPlacementGroups,
  planServers,
  planVirtualIps,
  tooLongNames,
} from "./servers/servers";
import { vimVersion } from "./vim-version";

/** The files that planning may read. */
export interface Sources {
  /** @throws PackageFault if the package is not valid. */
  readonly loadPackage: (location: string) => VnfPackage;
  /** Text of a file beside Pulumi.yaml; undefined if there is none. */
  readonly readProjectFile: (path: string) => string | undefined;
}

/**
 * What shall exist for the stack's VNF instances, in an order in which each VIM comes before the CNFs on it, and
 * each CNF after those that it needs.
 * @throws SettingsFault with every fault of all instances and their packages.
 */
export function planStack(settings: Settings, sources: Sources): VnfPlan[] {
  const faults: string[] = [];
  const packageFaults: string[] = [];
  const plans = Object.entries(settings.vnfs).flatMap(([name, vnf]) => {
    try {
      return [planVnf(name, vnf, settings, sources, faults)].filter((plan) => plan !== undefined);
    } catch (error) {
      if (!(error instanceof PackageFault)) throw error;
      packageFaults.push(error.message);
      return [];
    }
  });
  checkVims(settings, plans, faults);
  faults.push(...collisions(plans), ...sameNames(plans), ...sameRouterIds(plans));
  const all = [...settings.faults, ...packageFaults, ...faults];
  if (all.length > 0) throw new SettingsFault(all);
  const before: Graph = new Map(byVim(plans).flatMap((sharing) => [...cnfGraph(sharing)]));
  const graph: Graph = new Map(plans.map(({ name }) => [name, before.get(name) ?? new Set()]));
  const named = new Map(plans.map((plan) => [plan.name, plan]));
  return [
    ...plans.filter((plan) => plan.cnf === undefined),
    ...inOrder(graph).flatMap((name): VnfPlan[] => {
      const plan = named.get(name);
      return plan?.cnf === undefined
        ? []
        : [{ ...plan, cnf: { ...plan.cnf, after: [...(before.get(name) ?? [])] } }];
    }),
  ];
}

function planVnf(
  name: string,
  settings: VnfSettings,
  all: Settings,
  sources: Sources,
  faults: string[],
): VnfPlan | undefined {
  const path = `vnfm:vnfs.${name}`;
  const vnfPackage = sources.loadPackage(settings.package);
  const flavour = chooseFlavour(path, settings, vnfPackage, faults);
  if (flavour === undefined) return undefined;
  const counts = instanceCounts(path, settings, flavour, faults);
  const params = settings.additionalParams ?? {};
  const isCnf = params["lcm-kubernetes-def-files"] !== undefined;
  const servers = isCnf ? [] : planServers(name, path, settings, flavour, counts, faults);
  const networks = planNetworks(servers, path, flavour, faults);
  const virtualIps = planVirtualIps(servers, flavour);
  const installation = params.k8s_cluster_installation_param;
  const installationPath = `${path}.additionalParams.k8s_cluster_installation_param`;
  checkKind(path, settings, servers.length, faults);
  return {
    name,
    warnings: [
      ...[...vnfPackage.warnings, ...flavour.warnings].map((warning) => `${settings.package}: ${warning}`),
      ...(isCnf ? [] : notMade(path, servers, flavour)),
      ...tooLongNames(name, path, servers),
      ...staleHeals(path, settings, servers, flavour, faults),
      ...(installation === undefined ? [] : kubeadmWarnings(installation, installationPath)),
    ],
    networks,
    placementGroups: planPlacementGroups(servers, settings, flavour),
    virtualIps,
    servers,
    wholeHeal: planWholeHeal(name, all),
    cluster:
      installation &&
      planCluster(
        installation,
        {
          instance: name,
          path: installationPath,
          flavour,
          rotate: settings.rotate,
          servers,
          networks,
          virtualIps,
          readText: (file) =>
            vnfPackage.files.has(file)
              ? vnfPackage.files.read(file).toString()
              : sources.readProjectFile(file),
        },
        faults,
      ),
    cnf: !isCnf
      ? undefined
      : {
          plan: planCnf(
            {
              instance: name,
              settings,
              flavour,
              files: vnfPackage.files,
              counts: Object.fromEntries(
                Object.values(flavour.vdus)
                  .filter((vdu) => isGoverned(vdu, flavour))
                  .map((vdu) => [vdu.id, own(counts, vdu.id) ?? 0]),
              ),
              kubernetesVersion: vimVersion(settings, all),
            },
            faults,
          ),
          vim: vimOf(settings),
          readyTimeout: settings.readyTimeout,
          after: [],
        },
  };
}

function chooseFlavour(
  path: string,
  settings: VnfSettings,
  { vnfd }: VnfPackage,
  faults: string[],
): DeploymentFlavour | undefined {
  const known = Object.keys(vnfd.flavours);
  const id = settings.flavour ?? (known.length === 1 ? known[0] : undefined);
  if (id === undefined) {
    faults.push(`${path}.flavour: is required, the package has more than one; ${oneOf(known)}`);
    return undefined;
  }
  const flavour = own(vnfd.flavours, id);
  if (flavour === undefined)
    faults.push(`${path}.flavour: "${id}" is not ${oneOf(known)}${didYouMean(id, known)}`);
  return flavour;
}

/** What the VNFD asks for and this program does not make yet: said, never passed over in silence. */
function notMade(path: string, servers: readonly PlannedServer[], flavour: DeploymentFlavour): string[] {
  const vdus = new Map(servers.map(({ vdu }) => [vdu.id, vdu]));
  return [
    ...[...vdus.values()].flatMap(({ id, volumes }) => {
      const others = volumes.filter((name) => own(flavour.volumes, name) === undefined);
      return others.length === 0
        ? []
        : [
            `${path}: VDU ${id} is made without its storages ${others.join(", ")}, which are no block storages`,
          ];
    }),
    ...flavour.placementGroups
      .filter(({ scope, vdus: members }) => scope !== "nfvi_node" && members.some((vdu) => vdus.has(vdu)))
      .map(({ id, scope }) => `${path}: ${id} is kept by compute host (nfvi_node), not by ${scope}`),
  ];
}

function vimOf({ vim }: VnfSettings): Vim {
  return typeof vim === "object" ? vim : { vnf: vim ?? "" };
}

/** A CNF's VIM must be a cluster of this stack; a CNF itself is none, which also rules out cycles. */
function checkVims({ vnfs, refused }: Settings, plans: readonly VnfPlan[], faults: string[]): void {
  const names = [...Object.keys(vnfs), ...refused];
  const planned = new Map(plans.map((plan) => [plan.name, plan]));
  // one without a plan has said why, and may be a cluster
  const clusters = names.filter((name) => !planned.has(name) || planned.get(name)?.cluster !== undefined);
  for (const { name, cnf } of plans) {
    if (cnf === undefined || !("vnf" in cnf.vim) || cnf.vim.vnf === "") continue;
    const { vnf } = cnf.vim;
    if (clusters.includes(vnf)) continue;
    const why = names.includes(vnf) ? `"${vnf}" is no cluster` : `no VNF of this stack has the name "${vnf}"`;
    faults.push(`vnfm:vnfs.${name}.vim: ${why}; ${oneOf(clusters)}${didYouMean(vnf, clusters)}`);
  }
}

/** CNFs that would fight for an object, a node port or an address of the same cluster, or ask for what it has not. */
function collisions(plans: readonly VnfPlan[]): string[] {
  return [
    ...byVim(plans).flatMap((sharing) => [...findCollisions(sharing), ...takenTwice(sharing)]),
    ...plans.flatMap(({ cnf }) =>
      cnf !== undefined && "vnf" in cnf.vim ? withoutIPv6(cnf.plan, cnf.vim.vnf) : [],
    ),
  ];
}

/** The CNFs, those of one cluster together. */
function byVim(plans: readonly VnfPlan[]): CnfPlan[][] {
  const found = new Map<string, CnfPlan[]>();
  for (const { cnf } of plans) {
    if (cnf === undefined) continue;
    const vim = identityOf(cnf.vim);
    found.set(vim, [...(found.get(vim) ?? []), cnf.plan]);
  }
  return [...found.values()];
}

function identityOf(vim: Vim): string {
  if ("vnf" in vim) return `vnf ${vim.vnf}`;
  return "stack" in vim ? `stack ${vim.stack} ${vim.vim_name}` : `kubeconfig ${vim.kubeconfig.reveal()}`;
}

/** Instances of which one's name is the beginning of the other's may come to the same resource names. */
function sameNames(plans: readonly VnfPlan[]): string[] {
  const owners = new Map<string, string>();
  return plans.flatMap((plan) => {
    const names = [
      ...plan.servers.map(({ key }) => `${plan.name}-${key}`),
      ...(plan.cnf?.plan.objects.map(({ key }) => key) ?? []),
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
function sameRouterIds(plans: readonly VnfPlan[]): string[] {
  const owners = new Map<string, string>();
  return plans.flatMap(({ name, cluster }) => {
    if (cluster?.api.kind !== "haproxy") return [];
    const { virtualRouterId: id, virtualIp } = cluster.api;
    if (!("external" in virtualIp.link)) return [];
    const { network } = virtualIp.link.external;
    const owner = owners.get(`${id} ${network}`);
    if (owner === undefined) owners.set(`${id} ${network}`, name);
    return owner === undefined
      ? []
      : [
          `vnfm:vnfs.${name}.additionalParams.k8s_cluster_installation_param.load_balancer.virtual_router_id: ${id} is that of ${owner} too, on the network ${network}; give the newer one another id, 1 to 255`,
        ];
  });
}
