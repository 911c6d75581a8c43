import { Findings } from "../base/findings";
import type { Settings, VnfSettings } from "../settings/model";
import { PackageFault, type PackageFiles } from "../vnfd/model";
import { templateAddons } from "./cluster-api/addons";
import { releasesOf } from "./instance";
import type { Sources } from "./context";
import { kubeadmAddons } from "./kubeadm/cloud-provider";
import { statedVersion } from "./vim-version";
import { addonRequests } from "./workload/addons";
import { filesWith, type ReleaseRequest } from "./workload/releases";

/** A chart that must be read and rendered before the stack is planned. */
export interface RequiredChart {
  readonly instance: string;
  readonly request: ReleaseRequest;
  /**
   * Files that contain the chart: the package's, or those of Pulumi.yaml's folder. Undefined: the chart is in a
   * repository.
   */
  readonly files: PackageFiles | undefined;
  /** The version of Kubernetes for which the chart is rendered. */
  readonly version: string;
  /** True if that version is a guess. */
  readonly isAssumed: boolean;
}

/**
 * Kubernetes version for charts if that of the cluster is unknown: a recent one, because charts refuse old ones. The
 * provider plugin's default would be 1.20.
 */
const ASSUMED_VERSION = "v1.34.0";

/** The CNFs with charts on clusters whose version the stack config does not have, by instance. */
export function ofUnknownVersion(settings: Settings): ReadonlyMap<string, VnfSettings> {
  return new Map(
    Object.entries(settings.vnfs).filter(
      ([, vnf]) => mayHaveCharts(vnf) && statedVersion(vnf, settings) === undefined,
    ),
  );
}

/** Returns false for an instance that cannot have charts; for others the package decides. */
function mayHaveCharts({ vim, additionalParams: params }: VnfSettings): boolean {
  if (params?.using_helm_install_param !== undefined) return true;
  const isOther = params?.["lcm-kubernetes-def-files"] ?? params?.k8s_cluster_installation_param;
  return vim !== undefined && isOther === undefined;
}

/**
 * The charts of all instances, except those of invalid packages, which planStack reports.
 * @param versions of the clusters of `ofUnknownVersion`, as far as they are known
 */
export function requiredCharts(
  settings: Settings,
  sources: Pick<Sources, "loadPackage" | "openProjectChart">,
  versions: ReadonlyMap<string, string> = new Map(),
): RequiredChart[] {
  const ofPackages = Object.entries(settings.vnfs).flatMap(([instance, vnf]): RequiredChart[] => {
    if (!mayHaveCharts(vnf)) return [];
    try {
      const requests = releasesOf(instance, vnf, sources);
      if (requests.length === 0) return [];
      const { files } = sources.loadPackage(vnf.package);
      const version = statedVersion(vnf, settings) ?? versions.get(instance);
      return requests.map((request) => ({
        ...{ instance, request, files: filesWith(request.chart, files, sources) },
        ...renderedFor(version),
      }));
    } catch (error) {
      if (error instanceof PackageFault) return [];
      throw error;
    }
  });
  const ofClusters = Object.entries(settings.clusters).map(([name, cluster]) => ({
    addons: templateAddons(name, new Findings().instance(name), cluster),
    version: cluster.kubernetesVersion,
  }));
  const ofKubeadm = Object.entries(settings.vnfs).flatMap(([name, vnf]) => {
    const addons = kubeadmAddons(name, new Findings().instance(name), vnf);
    const version = vnf.additionalParams?.k8s_cluster_installation_param?.kubernetes_version;
    return addons === undefined ? [] : [{ addons, version }];
  });
  const ofAddons = [...ofKubeadm, ...ofClusters].flatMap(({ addons, version }) =>
    addonRequests(addons).map(({ instance, request }) => ({
      ...{ instance, request, files: undefined },
      ...renderedFor(version),
    })),
  );
  return [...ofPackages, ...ofAddons];
}

function renderedFor(version: string | undefined): Pick<RequiredChart, "version" | "isAssumed"> {
  return { version: version ?? ASSUMED_VERSION, isAssumed: version === undefined };
}
