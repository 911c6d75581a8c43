import { dirname, basename } from "node:path";
import type { Finding } from "../base/findings";
import { digest } from "../kube/objects/checksum";
import { at, identityOf, isFields, items, text, type KubeObject } from "../kube/objects/object";
import { limits } from "../base/limits";
import { isDeeper } from "../base/nesting";
import { once } from "../base/once";
import type { RequiredChart } from "../plan/required-charts";
import { mapValues } from "../plan/workload/chart-values";
import type { ChartHook, RenderedChart, RenderedCharts } from "../plan/workload/releases";
import { Secret, secretsIn, withoutSecrets } from "../base/secret";
import { ChartFault, placeChart } from "./chart-files";
import { deadlineOf, KubernetesPlugin } from "./kubernetes-plugin";

/** Result of the download and rendering of a chart. */
interface Outcome {
  readonly instance: string;
  readonly release: string;
  readonly chart?: RenderedChart;
  readonly fault?: Finding;
}

/**
 * Reads and renders charts, each only once in a run. This happens before the plan, so that the objects of charts are
 * planned, and shown in previews, like those of manifests. Charts are rendered one after the other, so that it is known
 * which one exceeds a limit.
 */
export class ChartRenderer {
  readonly #outcomeOf = once(
    (required: RequiredChart) => this.#render(required),
    ({ request }) => request.place.text,
  );
  #plugin: KubernetesPlugin | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @returns the objects of each chart, and the errors of charts that cannot be downloaded or rendered */
  async render(required: readonly RequiredChart[]): Promise<RenderedCharts> {
    const all = await Promise.all(required.map((one) => this.#outcomeOf(one))).finally(async () => {
      await this.#turn;
      this.#end();
    });
    return {
      get: (instance, release) =>
        all.find((one) => one.instance === instance && one.release === release)?.chart,
      faultsOf: (instance) => all.flatMap((one) => (one.instance === instance ? (one.fault ?? []) : [])),
    };
  }

  async #render(required: RequiredChart): Promise<Outcome> {
    const { instance, request, files } = required;
    const release = request.name;
    try {
      const path = await placeChart(request, files);
      const rendered = this.#turn.then(() => this.#renderNow(required, path));
      this.#turn = rendered.catch(() => undefined);
      return { instance, release, chart: await rendered };
    } catch (error) {
      if (!(error instanceof ChartFault)) throw error;
      return { instance, release, fault: error.finding };
    }
  }

  async #renderNow(required: RequiredChart, path: string): Promise<RenderedChart> {
    try {
      this.#plugin ??= await KubernetesPlugin.start();
      return await renderChart(required, path, this.#plugin);
    } catch (error) {
      this.#end();
      throw notRendered(error, required);
    }
  }

  #end(): void {
    this.#plugin?.end();
    this.#plugin = undefined;
  }
}

async function renderChart(
  required: RequiredChart,
  path: string,
  plugin: KubernetesPlugin,
): Promise<RenderedChart> {
  const { request, version } = required;
  const deadline = deadlineOf();
  const render = async (withDefinitions: boolean): Promise<Rendering> => {
    const options = {
      ...{ path: dirname(path), chart: basename(path) },
      ...{ release_name: request.name, namespace: request.namespace },
      kube_version: version,
      values: mapValues(request.values, (leaf) => (leaf instanceof Secret ? leaf.revealScalar() : leaf)),
      skip_crd_rendering: !withDefinitions,
      include_test_hook_resources: true,
    };
    return renderingOf(items(await plugin.template(options, deadline)));
  };
  const first = await render(true);
  const { objects, hooks } = await render(false);
  const digests = new Map(first.objects.map((object) => [identityOf(object), digest(object)]));
  const ofHooks = new Set(first.hooks.map(({ object }) => digest(object)));
  const own = new Set(objects.map(identityOf));
  return {
    path,
    objects,
    hooks: hooks.map((hook) => ({ ...hook, random: !ofHooks.has(digest(hook.object)) })),
    definitions: first.objects.filter((object) => !own.has(identityOf(object))),
    random: objects
      .filter((object) => digests.get(identityOf(object)) !== digest(object))
      .map((object) => identityOf(object)),
  };
}

interface Rendering {
  readonly objects: readonly KubeObject[];
  readonly hooks: readonly Omit<ChartHook, "random">[];
}

/** @throws Error if there are too many objects */
function renderingOf(documents: readonly unknown[]): Rendering {
  if (isDeeper(documents, limits.yamlDepth))
    throw new Error(`it creates maps and lists nested more than ${limits.yamlDepth} deep`);
  const found = documents.map((document) => ({ objects: objectsIn(document), events: hookEvents(document) }));
  const count = found.reduce((sum, { objects }) => sum + objects.length, 0);
  if (count > limits.objects)
    throw new Error(`it creates ${count} objects; at most ${limits.objects} are allowed`);
  return {
    objects: found.flatMap(({ objects, events }) => (events === undefined ? objects : [])),
    hooks: found.flatMap(({ objects, events }) =>
      events === undefined ? [] : objects.map((object) => ({ object, events })),
    ),
  };
}

/** Converts an error of rendering a chart to one for the operator, from the plugin's message. */
export function notRendered(
  error: unknown,
  { request, isAssumed }: Pick<RequiredChart, "request" | "isAssumed">,
): ChartFault {
  // the plugin adds sentences before Helm's message
  const message = error instanceof Error ? error.message : String(error);
  const reason = message.replace(/^.*failed to create chart from template: /s, "");
  const shown = withoutSecrets(reason, secretsIn(request.values));
  const hint = isAssumed && reason.includes("kubeVersion") ? VERSION_HINT : "";
  const standIns = request.attributes.length > 0 ? ATTRIBUTE_HINT : "";
  return new ChartFault(
    request.place.finding(`the chart of ${request.name} cannot be rendered: ${shown}${hint}${standIns}`),
  );
}

const ATTRIBUTE_HINT =
  "; the chart is rendered with a placeholder for each get_attribute, whose value is not yet known";

const VERSION_HINT =
  "; that of the cluster is not known, so a recent one is used: set it as kubernetes_version, " +
  "in the CNF's additionalParams or for the cluster";

/** Returns the objects in a rendered document: one, those of a List, or none. */
function objectsIn(document: unknown): KubeObject[] {
  if (!isFields(document) || typeof document["kind"] !== "string") return [];
  const { apiVersion, kind, metadata, items: inner } = document;
  if (document["kind"].endsWith("List") && Array.isArray(inner)) return inner.flatMap(objectsIn);
  if (typeof apiVersion !== "string" || !isFields(metadata))
    throw new Error(`it creates a ${kind} without ${isFields(metadata) ? "apiVersion" : "metadata"}`);
  return [document as KubeObject];
}

/**
 * Returns the events for which a document is a Helm hook. Undefined: it is not a hook. Helm reads only the annotations
 * of a List itself, so an object in the List with such annotations is part of the release.
 */
function hookEvents(document: unknown): readonly string[] | undefined {
  const events = at(document, "metadata", "annotations", "helm.sh/hook");
  return text(events)
    ?.split(",")
    .map((event) => event.trim().toLowerCase());
}
