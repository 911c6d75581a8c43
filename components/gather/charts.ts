import { dirname, basename } from "node:path";
import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { digest } from "../kube/checksum";
import { at, identityOf, isFields, items, type KubeObject } from "../kube/object";
import { releasesOf, type Sources } from "../plan/instance";
import { statedVersion } from "../plan/vim-version";
import { addonRequests } from "../plan/cluster-api/addons";
import { mapValues } from "../plan/workload/chart-values";
import type { ReleaseRequest, RenderedChart, RenderedCharts } from "../plan/workload/releases";
import { Secret } from "../secret";
import type { Settings } from "../settings/model";
import { PackageFault, type PackageFiles } from "../vnfd/model";
import { ChartFault, placeChart } from "./chart-files";

/**
 * Reads and renders the charts of all Helm releases before the stack is planned, so that what they make is planned
 * and shown as what manifests make.
 */
export async function renderCharts(
  settings: Settings,
  sources: Pick<Sources, "loadPackage">,
): Promise<RenderedCharts> {
  const rendered = new Map<string, RenderedChart>();
  const faults = new Map<string, string[]>();
  let renderer: Provider | undefined;
  for (const { instance, request, files, version } of wantedCharts(settings, sources)) {
    renderer ??= withoutCluster();
    try {
      const path = await placeChart(request, files);
      rendered.set(`${instance}/${request.name}`, await renderChart(request, path, version, renderer));
    } catch (error) {
      if (!(error instanceof ChartFault)) throw error;
      faults.set(instance, [...(faults.get(instance) ?? []), error.message]);
    }
  }
  return {
    get: (instance, release) => rendered.get(`${instance}/${release}`),
    faultsOf: (instance) => faults.get(instance) ?? [],
  };
}

/**
 * The version of Kubernetes that charts are rendered for where the stack config does not say it: a new one, as charts
 * refuse old ones. The Helm in the plugin would take 1.20.
 */
const ASSUMED_VERSION = "v1.34.0";

interface WantedChart {
  readonly instance: string;
  readonly request: ReleaseRequest;
  /** Those of the package of the instance; a cluster by a template has none. */
  readonly files: PackageFiles | undefined;
  /** Of Kubernetes. */
  readonly version: string;
}

/** The charts of all instances, but of those whose package is not valid, which the plan tells. */
function wantedCharts(settings: Settings, sources: Pick<Sources, "loadPackage">): WantedChart[] {
  const ofPackages = Object.entries(settings.vnfs).flatMap(([instance, vnf]): WantedChart[] => {
    try {
      const requests = releasesOf(instance, vnf, sources);
      if (requests.length === 0) return [];
      const { files } = sources.loadPackage(vnf.package);
      const version = statedVersion(vnf, settings) ?? ASSUMED_VERSION;
      return requests.map((request) => ({ instance, request, files, version }));
    } catch (error) {
      if (error instanceof PackageFault) return [];
      throw error;
    }
  });
  const ofClusters = Object.entries(settings.clusters).flatMap(([name, cluster]) =>
    addonRequests(name, cluster).map((addon) => ({
      ...addon,
      files: undefined,
      version: cluster.kubernetesVersion,
    })),
  );
  return [...ofPackages, ...ofClusters];
}

/**
 * A provider that knows no cluster: charts are rendered for the Kubernetes version of the stack config, and not for
 * that of whichever cluster the operator's own kubeconfig names.
 */
function withoutCluster(): Provider {
  const kubeconfig = JSON.stringify({ apiVersion: "v1", kind: "Config" });
  return new Provider("helm-charts", { kubeconfig });
}

async function renderChart(
  request: ReleaseRequest,
  path: string,
  kubernetesVersion: string,
  provider: Provider,
): Promise<RenderedChart> {
  const render = async (withDefinitions: boolean): Promise<KubeObject[]> => {
    const options = {
      ...{ path: dirname(path), chart: basename(path) },
      ...{ release_name: request.name, namespace: request.namespace },
      kube_version: kubernetesVersion,
      values: mapValues(request.values, (leaf) => (leaf instanceof Secret ? leaf.reveal() : leaf)),
      skip_crd_rendering: !withDefinitions,
    };
    const args = { jsonOpts: JSON.stringify(options) };
    try {
      const answer: unknown = await pulumi.runtime.invoke("kubernetes:helm:template", args, { provider });
      return items(at(answer, "result")).flatMap(objectsIn);
    } catch (error) {
      // what Helm says stands behind what the engine and the plugin say of the call
      const reason = String(error).replace(/^.*failed to create chart from template: /s, "");
      throw new ChartFault(`${request.path}: the chart of ${request.name} cannot be rendered: ${reason}`);
    }
  };
  const [all, objects] = await Promise.all([render(true), render(false)]);
  const first = new Map(all.map((object) => [identityOf(object), digest(object)]));
  const own = new Set(objects.map(identityOf));
  return {
    path,
    objects: objects.filter((object) => !isHook(object)),
    definitions: all.filter((object) => !own.has(identityOf(object))),
    random: objects
      .filter((object) => first.get(identityOf(object)) !== digest(object))
      .map((object) => identityOf(object)),
  };
}

/** A rendered document's object; the items of a list. */
function objectsIn(document: unknown): KubeObject[] {
  if (!isFields(document) || typeof document["kind"] !== "string") return [];
  if (document["kind"].endsWith("List") && Array.isArray(document["items"]))
    return document["items"].flatMap(objectsIn);
  return [document as KubeObject];
}

/** Whether Helm runs it at a point of the release's life, and it is no part of the release. */
function isHook({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["helm.sh/hook"] !== undefined;
}
