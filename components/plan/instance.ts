import { Findings, type Place } from "../findings";
import { didYouMean, oneOf } from "../nearest";
import { own } from "../own";
import type { Settings, VnfSettings } from "../settings/model";
import type { DeploymentFlavour, VnfPackage } from "../vnfd/model";
import { staleHeals, planWholeHeal } from "./heal";
import { instanceCounts, isGoverned, areTooMany } from "./instances";
import { checkKind, isOfObjects } from "./kind";
import { externalNetworkOf, kubeadmAddons } from "./kubeadm/cloud-provider";
import { planCluster } from "./kubeadm/cluster";
import { withRoles } from "./kubeadm/pools";
import { INSTALLATION, opennessWarnings } from "./kubeadm/installation";
import { reachWarnings } from "./kubeadm/jump-host";
import { squashWarnings } from "./kubeadm/storage";
import { kubeadmWarnings } from "./kubeadm/kubeadm-additions";
import { registryWarnings } from "./kubeadm/private-registries";
import type { InstancePlan, KubeadmPlan, PlannedServer } from "./model";
import { isOfServers, planPlacementGroups, planServers, tooLongNames } from "./servers/servers";
import { planNetworks } from "./servers/networks";
import { checkPorts } from "./servers/port-checks";
import { planVirtualIps } from "./servers/virtual-ips";
import { vimOf } from "./vim";
import { vimVersion } from "./vim-version";
import { addonInstance, CLOUD_CONTROLLER, planAddons } from "./workload/addons";
import { planCnf } from "./workload/cnf";
import { requestReleases, type ReleaseRequest, type RenderedCharts } from "./workload/releases";
import type { FormerOutputs } from "./cluster-api/version-steps";
import { planWorkloadCluster } from "./cluster-api/workload-cluster";

/** The files that planning may read. */
export interface Sources {
  /** @throws PackageFault if the package is not valid. */
  readonly loadPackage: (location: string) => VnfPackage;
  /** Text of a file beside Pulumi.yaml; undefined if there is none. */
  readonly readProjectFile: (path: string) => string | undefined;
  /** What the charts of the stack's releases have. @default not known: the plan has the releases without their objects */
  readonly charts?: RenderedCharts;
  /** What a run alone knows: what the last one has shown, and the time. @default not known, and nothing checked by it */
  readonly run?: { readonly former: FormerOutputs; readonly now: number };
}

/**
 * What shall exist for one VNF instance, and for the addons of the cluster that it may be; nothing where its package has
 * no such deployment flavour, or it would have too many VNFCs.
 * @throws PackageFault if the package is not valid
 */
export function planInstance(
  name: string,
  settings: VnfSettings,
  all: Settings,
  sources: Sources,
  faults: Findings,
): InstancePlan[] {
  const place = faults.instance(name);
  const vnfPackage = sources.loadPackage(settings.package);
  const flavour = chooseFlavour(place, settings, vnfPackage);
  if (flavour === undefined) return [];
  const counts = instanceCounts(place, settings, flavour);
  if (areTooMany(place, counts)) return [];
  const params = settings.additionalParams ?? {};
  const isCnf = isOfObjects(params);
  const servers = isCnf ? [] : planServers(name, place, settings, flavour, counts);
  const installation = params.k8s_cluster_installation_param;
  const ofInstallation = place.get(...INSTALLATION);
  checkKind(place, settings, isOfServers(settings, flavour));
  const warnings = [
    ...[...vnfPackage.warnings, ...flavour.warnings].map((warning) => `${settings.package}: ${warning}`),
    ...(isCnf ? ofFlavors(place, flavour) : notMade(place, servers, flavour)),
    ...tooLongNames(name, place, servers),
    ...staleHeals(place, settings, servers, flavour),
    ...(installation === undefined
      ? []
      : [
          ...kubeadmWarnings(installation, ofInstallation.get("kubeadm")),
          ...opennessWarnings(installation, ofInstallation),
          ...squashWarnings(installation, ofInstallation),
          ...registryWarnings(
            installation.private_registry_connection_info ?? [],
            ofInstallation.get("private_registry_connection_info"),
          ),
        ]),
  ];
  if (isCnf) {
    const context = {
      instance: name,
      place,
      settings,
      flavour,
      files: vnfPackage.files,
      counts: governedCounts(flavour, counts),
    };
    const requests = requestReleases(context);
    const { charts } = sources;
    const releases = requests.map((request) => ({ ...request, chart: charts?.get(name, request.name) }));
    faults.add(...(charts?.faultsOf(name) ?? []));
    const cnf = planCnf({ ...context, releases, kubernetesVersion: vimVersion(settings, all) });
    // that none is named has been told
    const on = vimOf(settings.vim ?? "");
    const cluster = planWorkloadCluster(place, cnf, warnings);
    const { credentials_receiver: receiver } = params;
    if (receiver !== undefined && cluster === undefined)
      place
        .get("additionalParams", "credentials_receiver")
        .fault("is for a CNF with one Cluster; leave it out");
    return [
      {
        kind: "workload",
        ...{ name, warnings, on, cnf, cluster },
        ...(receiver && { credentialsReceiver: receiver }),
        readyTimeout: settings.readyTimeout,
        after: [],
      },
    ];
  }
  const networks = planNetworks(servers, place, settings, flavour);
  checkPorts(place, settings, flavour, servers, networks);
  const virtualIps = planVirtualIps(servers, place, settings, flavour);
  const made = {
    name,
    warnings,
    networks,
    placementGroups: planPlacementGroups(servers, settings, flavour),
    virtualIps,
    servers,
    wholeHeal: planWholeHeal(name, all),
  };
  if (installation === undefined) return [{ kind: "servers", ...made }];
  const context = {
    instance: name,
    place: ofInstallation,
    flavour,
    rotate: settings.rotate,
    servers,
    networks,
    virtualIps,
    readText: (file: string) =>
      vnfPackage.files.has(file) ? vnfPackage.files.read(file).toString() : sources.readProjectFile(file),
  };
  const cluster = planCluster(installation, context);
  warnings.push(...reachWarnings(cluster, networks, ofInstallation));
  const addons = kubeadmAddons(name, place, settings, externalNetworkOf(cluster, networks));
  const plan: KubeadmPlan = {
    ...{ kind: "kubeadm", ...made, servers: withRoles(servers, cluster), cluster },
    credential: addons?.credential,
    cloudController: addons && addonInstance(name, CLOUD_CONTROLLER),
  };
  return [plan, ...(addons ? planAddons(addons, sources.charts) : [])];
}

/**
 * The Helm releases that an instance asks for: what has to be read before the stack is planned. None where something
 * is wrong with the instance, which planInstance tells.
 * @throws PackageFault if the package is not valid
 */
export function releasesOf(
  name: string,
  settings: VnfSettings,
  { loadPackage }: Pick<Sources, "loadPackage">,
): ReleaseRequest[] {
  if (settings.additionalParams?.using_helm_install_param === undefined) return [];
  const faults = new Findings();
  const place = faults.instance(name);
  const vnfPackage = loadPackage(settings.package);
  const flavour = chooseFlavour(place, settings, vnfPackage);
  if (flavour === undefined) return [];
  const counts = governedCounts(flavour, instanceCounts(place, settings, flavour));
  const requests = requestReleases({ place, settings, flavour, files: vnfPackage.files, counts });
  return faults.all.length > 0 ? [] : requests;
}

/** Instances by VDU, for the VDUs whose count the VNFD governs. */
function governedCounts(
  flavour: DeploymentFlavour,
  counts: Readonly<Record<string, number>>,
): Record<string, number> {
  const governed = Object.values(flavour.vdus).filter((vdu) => isGoverned(vdu, flavour));
  return Object.fromEntries(governed.map((vdu) => [vdu.id, own(counts, vdu.id) ?? 0]));
}

function chooseFlavour(
  place: Place,
  settings: VnfSettings,
  { vnfd }: VnfPackage,
): DeploymentFlavour | undefined {
  const known = Object.keys(vnfd.flavours);
  const id = settings.flavour ?? (known.length === 1 ? known[0] : undefined);
  if (id === undefined) {
    place.get("flavour").fault(`is required, the package has more than one; ${oneOf(known)}`);
    return undefined;
  }
  const flavour = own(vnfd.flavours, id);
  if (flavour === undefined)
    place.get("flavour").fault(`"${id}" is not ${oneOf(known)}${didYouMean(id, known)}`);
  return flavour;
}

/** What VDUs of a CNF ask of a Nova flavor, which pods have not. */
function ofFlavors(place: Place, { vdus }: DeploymentFlavour): string[] {
  return Object.values(vdus).flatMap(({ id, extraSpecs = [] }) => {
    const properties = [...new Set(extraSpecs.map(({ property }) => property))].join(", ");
    return extraSpecs.length === 0
      ? []
      : [
          `${place.text}: VDU ${id} is of pods, for which the manifests say what they ask for, not ${properties}`,
        ];
  });
}

/** What the VNFD asks for and this program does not make yet: said, never passed over in silence. */
function notMade(place: Place, servers: readonly PlannedServer[], flavour: DeploymentFlavour): string[] {
  const vdus = new Map(servers.map(({ vdu }) => [vdu.id, vdu]));
  return [
    ...[...vdus.values()].flatMap(({ id, volumes }) => {
      const others = volumes.filter((name) => own(flavour.volumes, name) === undefined);
      return others.length === 0
        ? []
        : [
            `${place.text}: VDU ${id} is made without its storages ${others.join(", ")}, which are no block storages`,
          ];
    }),
    ...flavour.placementGroups
      .filter(({ scope, vdus: members }) => scope !== "nfvi_node" && members.some((vdu) => vdus.has(vdu)))
      .map(({ id, scope }) => `${place.text}: ${id} is kept by compute host (nfvi_node), not by ${scope}`),
  ];
}
