import type { HelmInstallParam, VnfSettings } from "../../settings/model";
import type { DeploymentFlavour } from "../../vnfd/model";

/**
 * Adds the Helm releases of a package's Mciops to the settings of an instance, if these have neither objects nor the
 * parameters of a cluster.
 */
export function withPackageCharts(
  instance: string,
  settings: VnfSettings,
  { charts = [] }: DeploymentFlavour,
): VnfSettings {
  const params = settings.additionalParams ?? {};
  const hasParams = [
    params["lcm-kubernetes-def-files"],
    params.using_helm_install_param,
    params.k8s_cluster_installation_param,
  ].some((param) => param !== undefined);
  if (hasParams || charts.length === 0) return settings;
  const releases = charts.map(({ id, path }): HelmInstallParam => ({
    helmreleasename: releaseName(instance, id, charts.length),
    helmchartfile_path: path,
    exthelmchart: false,
    helmparameter: [],
  }));
  return { ...settings, additionalParams: { ...params, using_helm_install_param: releases } };
}

/** Names of the releases by the VDUs that their charts create. */
export function releasesByVdu(
  instance: string,
  { charts = [] }: DeploymentFlavour,
): ReadonlyMap<string, string> {
  return new Map(
    charts.flatMap(({ id, vdus }) =>
      vdus.map((vdu) => [vdu, releaseName(instance, id, charts.length)] as const),
    ),
  );
}

/** Name of a release: that of the instance, with that of the Mciop if there are several charts. */
function releaseName(instance: string, mciop: string, charts: number): string {
  if (charts === 1) return instance;
  const label = mciop.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `${instance}-${label}`.slice(0, MOST_LETTERS).replace(/-+$/, "");
}

/** Helm's maximum length for the name of a release. */
const MOST_LETTERS = 53;
