import type { Place } from "../base/findings";
import type { DeploymentFlavour } from "../vnfd/model";
import { planWorkloadCluster } from "./cluster-api/workload-cluster";
import { staleHeals } from "./heal";
import type { InstanceContext } from "./context";
import { governedCounts } from "./instances";
import { checkKind } from "./kind";
import type { WorkloadPlan } from "./model";
import { isOfServers } from "./servers/servers";
import { vimOf } from "./vim";
import { vimVersion } from "./vim-version";
import { planCnf } from "./workload/cnf";
import { requestReleases } from "./workload/releases";

/** Plans a CNF: the objects of its manifests and charts on a cluster. */
export function planCnfInstance(context: InstanceContext): WorkloadPlan {
  const { name, place, settings, vnfPackage, flavour, all, sources } = context;
  checkKind(place, settings, isOfServers(settings, flavour));
  const warnings = [
    ...[...vnfPackage.warnings, ...flavour.warnings].map((warning) => `${settings.package}: ${warning}`),
    ...ofFlavors(place, flavour),
    ...staleHeals(place, settings, [], flavour),
  ];
  const ofPackage = {
    ...{ instance: name, place, settings, flavour },
    files: vnfPackage.files,
    openProjectChart: sources.openProjectChart,
    counts: governedCounts(flavour, context.counts),
  };
  const { charts } = sources;
  const releases = requestReleases(ofPackage).map((request) => ({
    ...request,
    chart: charts?.get(name, request.name),
  }));
  place.findings.add(...(charts?.faultsOf(name) ?? []));
  const cnf = planCnf({ ...ofPackage, releases, kubernetesVersion: vimVersion(settings, all) });
  const cluster = planWorkloadCluster(place, cnf, warnings);
  const { credentials_receiver: receiver } = settings.additionalParams ?? {};
  if (receiver !== undefined && cluster === undefined)
    place.get("additionalParams", "credentials_receiver").fault("is for a CNF with one Cluster; remove it");
  return {
    kind: "cnf",
    // a missing vim has an error already
    ...{ name, warnings, on: vimOf(settings.vim ?? ""), cnf, cluster },
    ...(receiver && { credentialsReceiver: receiver }),
    readyTimeout: settings.readyTimeout,
    protectForeignObjects: settings.protectForeignObjects,
    after: [],
  };
}

/** Warnings about requirements on a Nova flavor in a CNF's VDUs, which have no effect on pods. */
function ofFlavors(place: Place, { vdus }: DeploymentFlavour): string[] {
  return Object.values(vdus).flatMap(({ id, extraSpecs = [] }) => {
    const properties = [...new Set(extraSpecs.map(({ property }) => property))].join(", ");
    return extraSpecs.length === 0
      ? []
      : [
          `${place.text}: VDU ${id} consists of pods, whose requests are set by the manifests, not by ${properties}`,
        ];
  });
}
