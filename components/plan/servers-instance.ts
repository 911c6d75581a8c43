import type { Place } from "../base/findings";
import { own } from "../base/own";
import type { ClusterInstallation } from "../settings/model";
import type { DeploymentFlavour } from "../vnfd/model";
import { planWholeHeal, staleHeals } from "./heal";
import type { InstanceContext, Sources } from "./context";
import { checkKind } from "./kind";
import { externalNetworkOf, kubeadmAddons } from "./kubeadm/cloud-provider";
import { planCluster } from "./kubeadm/cluster";
import { INSTALLATION, opennessWarnings } from "./kubeadm/installation";
import { reachWarnings } from "./kubeadm/jump-host";
import { kubeadmWarnings } from "./kubeadm/kubeadm-additions";
import { withRoles } from "./kubeadm/pools";
import { squashWarnings } from "./kubeadm/storage";
import type { InstancePlan, KubeadmPlan, ServersPlan } from "./model";
import type { PlannedServer } from "./servers/model";
import { serverNeeds } from "./servers/needs";
import { planNetworks } from "./servers/networks";
import { checkPorts } from "./servers/port-checks";
import { isOfServers, planPlacementGroups, planServers, tooLongNames } from "./servers/servers";
import { planVirtualIps } from "./servers/virtual-ips";
import { CLOUD_CONTROLLER } from "../settings/cluster-checks";
import { addonInstance, planAddons } from "./workload/addons";

/** Plans the servers of a VNF and, if they are a cluster, the cluster and its addons. */
export function planServersInstance(context: InstanceContext): InstancePlan[] {
  const installation = context.settings.additionalParams?.k8s_cluster_installation_param;
  const plan = planServersOf(context, installation);
  return installation === undefined ? [plan] : planClusterOf(context, installation, plan);
}

function planServersOf(
  { name, place, settings, vnfPackage, flavour, counts, all }: InstanceContext,
  installation: ClusterInstallation | undefined,
): ServersPlan {
  const servers = planServers(name, place, settings, flavour, counts);
  checkKind(place, settings, isOfServers(settings, flavour));
  const warnings = [
    ...[...vnfPackage.warnings, ...flavour.warnings].map((warning) => `${settings.package}: ${warning}`),
    ...notMade(place, servers, flavour),
    ...tooLongNames(name, place, servers),
    ...staleHeals(place, settings, servers, flavour),
    ...(installation === undefined ? [] : installationWarnings(installation, place.get(...INSTALLATION))),
  ];
  const networks = planNetworks(servers, place, settings, flavour);
  checkPorts(place, settings, flavour, servers, networks);
  return {
    ...{ kind: "servers", name, warnings, networks, servers },
    placementGroups: planPlacementGroups(servers, settings, flavour),
    virtualIps: planVirtualIps(servers, place, settings, flavour),
    cloudNeeds: serverNeeds(settings, flavour, servers, networks),
    wholeHeal: planWholeHeal(name, all),
  };
}

/** Plans the cluster on the servers. */
function planClusterOf(
  { name, place, settings, vnfPackage, flavour, sources }: InstanceContext,
  installation: ClusterInstallation,
  made: ServersPlan,
): InstancePlan[] {
  const { servers, networks, virtualIps, warnings } = made;
  const ofInstallation = place.get(...INSTALLATION);
  const cluster = planCluster(installation, {
    ...{ instance: name, place: ofInstallation, flavour, rotate: settings.rotate },
    ...{ servers, networks, virtualIps, readText: textReader(vnfPackage, sources) },
  });
  const addons = kubeadmAddons(name, place, settings, externalNetworkOf(cluster, networks));
  const plan: KubeadmPlan = {
    ...{ ...made, kind: "kubeadm", servers: withRoles(servers, cluster), cluster },
    warnings: [...warnings, ...cluster.nodes.warnings, ...reachWarnings(cluster, networks, ofInstallation)],
    credential: addons?.credential,
    cloudController: addons && addonInstance(name, CLOUD_CONTROLLER),
  };
  return [plan, ...(addons ? planAddons(addons, sources.charts) : [])];
}

/** Reads a file of the package, or one in the folder of Pulumi.yaml. */
function textReader(
  { files }: InstanceContext["vnfPackage"],
  { readProjectFile }: Sources,
): (file: string) => string | undefined {
  return (file) => (files.has(file) ? files.read(file).toString() : readProjectFile(file));
}

function installationWarnings(installation: ClusterInstallation, place: Place): string[] {
  return [
    ...kubeadmWarnings(installation, place.get("kubeadm")),
    ...opennessWarnings(installation, place),
    ...squashWarnings(installation, place),
  ];
}

/** Warnings about parts of the VNFD that vnfm does not create. */
function notMade(place: Place, servers: readonly PlannedServer[], flavour: DeploymentFlavour): string[] {
  const vdus = new Map(servers.map(({ vdu }) => [vdu.id, vdu]));
  return [
    ...[...vdus.values()].flatMap(({ id, volumes }) => {
      const others = volumes.filter((name) => own(flavour.volumes, name) === undefined);
      return others.length === 0
        ? []
        : [
            `${place.text}: VDU ${id} is created without its storages ${others.join(", ")}, which are not block storages`,
          ];
    }),
    ...flavour.placementGroups
      .filter(({ scope, vdus: members }) => scope !== "nfvi_node" && members.some((vdu) => vdus.has(vdu)))
      .map(({ id, scope }) => `${place.text}: ${id} applies to compute hosts (nfvi_node), not to ${scope}`),
  ];
}
