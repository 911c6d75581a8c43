import { dirname, basename } from "node:path";
import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { digest } from "../kube/checksum";
import { at, identityOf, isFields, items, type KubeObject } from "../kube/object";
import type { WantedChart } from "../plan/wanted-charts";
import { mapValues } from "../plan/workload/chart-values";
import type { ReleaseRequest, RenderedChart, RenderedCharts } from "../plan/workload/releases";
import { Secret } from "../secret";
import { ChartFault, placeChart } from "./chart-files";

/**
 * Reads and renders charts, all at the same time, before the stack is planned: so what they make is planned and shown
 * as what manifests make.
 */
export async function renderCharts(wanted: readonly WantedChart[]): Promise<RenderedCharts> {
  if (wanted.length === 0) return { get: () => undefined, faultsOf: () => [] };
  const renderer = withoutCluster();
  const all = await Promise.all(
    wanted.map(async ({ instance, request, files, version }) => {
      try {
        const path = await placeChart(request, files);
        const chart = await renderChart(request, path, version, renderer);
        return { instance, release: request.name, chart };
      } catch (error) {
        if (!(error instanceof ChartFault)) throw error;
        return { instance, release: request.name, fault: error.message };
      }
    }),
  );
  return {
    get: (instance, release) =>
      all.find((one) => one.instance === instance && one.release === release)?.chart,
    faultsOf: (instance) => all.flatMap((one) => (one.instance === instance ? (one.fault ?? []) : [])),
  };
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
