import { dirname, basename } from "node:path";
import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Finding } from "../findings";
import { digest } from "../kube/checksum";
import { at, identityOf, isFields, items, type KubeObject } from "../kube/object";
import { once } from "../once";
import type { WantedChart } from "../plan/wanted-charts";
import { mapValues } from "../plan/workload/chart-values";
import type { RenderedChart, RenderedCharts } from "../plan/workload/releases";
import { Secret, secretsIn, withoutSecrets } from "../secret";
import { ChartFault, placeChart } from "./chart-files";

/** What has become of a chart. */
interface Outcome {
  readonly instance: string;
  readonly release: string;
  readonly chart?: RenderedChart;
  readonly fault?: Finding;
}

/**
 * Reads and renders charts, all at the same time, and each once in a run, however often it is asked for. This comes before
 * the plan, so that the objects of charts are planned and shown in a preview as those of manifests are.
 */
export class ChartRenderer {
  readonly #outcomeOf = once(
    (wanted: WantedChart) => this.#render(wanted),
    ({ request }) => request.place.text,
  );
  #provider: Provider | undefined;

  /** @returns what each chart makes, and why some of them cannot be had */
  async render(wanted: readonly WantedChart[]): Promise<RenderedCharts> {
    const all = await Promise.all(wanted.map((one) => this.#outcomeOf(one)));
    return {
      get: (instance, release) =>
        all.find((one) => one.instance === instance && one.release === release)?.chart,
      faultsOf: (instance) => all.flatMap((one) => (one.instance === instance ? (one.fault ?? []) : [])),
    };
  }

  async #render(wanted: WantedChart): Promise<Outcome> {
    const { instance, request, files } = wanted;
    const release = request.name;
    try {
      const path = await placeChart(request, files);
      const chart = await renderChart(wanted, path, (this.#provider ??= withoutCluster()));
      return { instance, release, chart };
    } catch (error) {
      if (!(error instanceof ChartFault)) throw error;
      return { instance, release, fault: error.finding };
    }
  }
}

/**
 * A provider without a cluster. One with a cluster would render charts for the version of that, and the operator's own
 * kubeconfig may name any.
 */
function withoutCluster(): Provider {
  const kubeconfig = JSON.stringify({ apiVersion: "v1", kind: "Config" });
  return new Provider("helm-charts", { kubeconfig });
}

async function renderChart(wanted: WantedChart, path: string, provider: Provider): Promise<RenderedChart> {
  const { request, version } = wanted;
  const render = async (withDefinitions: boolean): Promise<KubeObject[]> => {
    const options = {
      ...{ path: dirname(path), chart: basename(path) },
      ...{ release_name: request.name, namespace: request.namespace },
      kube_version: version,
      values: mapValues(request.values, (leaf) => (leaf instanceof Secret ? leaf.revealScalar() : leaf)),
      skip_crd_rendering: !withDefinitions,
    };
    const args = { jsonOpts: JSON.stringify(options) };
    try {
      const answer: unknown = await pulumi.runtime.invoke("kubernetes:helm:template", args, { provider });
      return items(at(answer, "result")).flatMap(objectsIn);
    } catch (error) {
      throw notRendered(error, wanted);
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

/** Why a chart cannot be rendered, from what the engine says. */
export function notRendered(
  error: unknown,
  { request, isAssumed }: Pick<WantedChart, "request" | "isAssumed">,
): ChartFault {
  // the engine and the plugin put sentences of their own in front of what Helm says
  const reason = String(error).replace(/^.*failed to create chart from template: /s, "");
  const shown = withoutSecrets(reason, secretsIn(request.values));
  const hint = isAssumed && reason.includes("kubeVersion") ? VERSION_HINT : "";
  const standIns = request.attributes.length > 0 ? ATTRIBUTE_HINT : "";
  return new ChartFault(
    request.place.finding(`the chart of ${request.name} cannot be rendered: ${shown}${hint}${standIns}`),
  );
}

const ATTRIBUTE_HINT =
  "; where the chart is rendered a text stands for each get_attribute, whose value only the run knows";

const VERSION_HINT =
  "; that of the cluster is not known, and so a new one is taken: give it as kubernetes_version, " +
  "of the CNF's additionalParams or of the cluster";

/** The objects in one document of what Helm has rendered: one, those of a list, or none. */
function objectsIn(document: unknown): KubeObject[] {
  if (!isFields(document) || typeof document["kind"] !== "string") return [];
  if (document["kind"].endsWith("List") && Array.isArray(document["items"]))
    return document["items"].flatMap(objectsIn);
  return [document as KubeObject];
}

/** Whether the object is a hook: Helm makes it before or after an install, and it is no part of the release. */
function isHook({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["helm.sh/hook"] !== undefined;
}
