import { hasMark } from "../../kube/objects/attributes";
import { scopeOf } from "../../kube/objects/kinds";
import { identityOf, text, type KubeObject } from "../../kube/objects/object";
import { readinessContext, readinessOf, type Awaited } from "../../kube/order/readiness";
import { keyOf } from "./keys";
import type { ChartHook, ReleaseRequest, RenderedChart } from "./releases";
import type { Values } from "./chart-values";

/** A release of the settings, with its chart; undefined if the chart is not known. */
export interface ReleaseWithChart extends Omit<ReleaseRequest, "chart"> {
  readonly chart: RenderedChart | undefined;
}

/** A Helm release of a CNF. */
export interface PlannedRelease {
  /** Resource name: `<instance>-helm-<namespace>/<name>`. */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  /** Path of the chart's folder or archive, relative to the folder of the project. */
  readonly chartPath: string;
  /** Values, with instances of Secret and placeholders of attributes among them. */
  readonly values: Values;
  readonly atomic: boolean;
  /** Objects of the chart that Helm updates and deletes with the release. */
  readonly objects: readonly ReleaseObject[];
  /**
   * Objects that Helm creates outside of the release: before and after an installation, an upgrade and a removal, or as
   * a test.
   */
  readonly hooks: readonly ReleaseHook[];
  /** CRDs that Helm creates with the release, and does not delete. */
  readonly definitions: readonly KubeObject[];
}

export interface ReleaseObject {
  /** Resource name of its hash: `<key of the release>-<kind>-[<namespace>/]<name>`. */
  readonly key: string;
  readonly object: KubeObject;
  /** The condition to wait for once Helm has created it. Undefined: none. */
  readonly awaited: Awaited | undefined;
  /** True if it differs with each rendering. */
  readonly random: boolean;
}

/** The hooks with one identity, which Helm creates one after the other. */
export interface ReleaseHook {
  /** Resource name of their hash: `<key of the release>-hook-<kind>-[<namespace>/]<name>`. */
  readonly key: string;
  readonly objects: readonly [KubeObject, ...KubeObject[]];
  /** True if only `helm test` creates it. */
  readonly isTest: boolean;
  /** True if it differs with each rendering. */
  readonly random: boolean;
}

/** Returns true for an object of a chart that Helm keeps when it removes the release. */
export function isKept({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["helm.sh/resource-policy"] === "keep";
}

export function planRelease(instance: string, release: ReleaseWithChart): PlannedRelease {
  const { place, name, namespace, values, atomic, chart } = release;
  const { path = "", objects: rendered = [], definitions = [], random = [] } = chart ?? {};
  const all = [...definitions, ...rendered];
  const placed = (object: KubeObject): KubeObject => inNamespace(object, namespace, all);
  const objects = rendered.map(placed);
  const hooks = (chart?.hooks ?? []).map((hook) => ({ ...hook, object: placed(hook.object) }));
  const named = [...objects, ...hooks.map(({ object }) => object)];
  for (const { kind } of named.filter((object) => hasMark(identityOf(object))))
    place
      .get("values")
      .fault(
        `the chart names a ${kind} by a get_attribute, but names must be known before the update; write the value itself`,
      );
  const context = readinessContext(objects);
  const key = `${instance}-helm-${namespace}/${name}`;
  return {
    ...{ key, name, namespace, values, atomic, definitions },
    chartPath: path,
    objects: objects.map((object, i) => ({
      key: keyOf(key, object),
      object,
      awaited: readinessOf(object, context).awaited,
      random: random.includes(identityOf(rendered[i] ?? object)),
    })),
    hooks: planHooks(key, hooks),
  };
}

function planHooks(release: string, hooks: readonly ChartHook[]): ReleaseHook[] {
  const byIdentity = new Map<string, ReleaseHook>();
  for (const { object, events, random } of hooks) {
    const id = identityOf(object);
    const others = byIdentity.get(id);
    const isTest = events.every((event) => TESTS.includes(event));
    byIdentity.set(id, {
      key: keyOf(`${release}-hook`, object),
      objects: others === undefined ? [object] : [...others.objects, object],
      isTest: isTest && others?.isTest !== false,
      random: random || others?.random === true,
    });
  }
  return [...byIdentity.values()];
}

/** Events of tests; charts for Helm 2 have the second one: https://helm.sh/docs/topics/chart_tests/ */
const TESTS: readonly string[] = ["test", "test-success"];

/** The object in the namespace of the release, if it names none. */
function inNamespace(object: KubeObject, namespace: string, definitions: readonly KubeObject[]): KubeObject {
  if (text(object.metadata.namespace) !== undefined || scopeOf(object, definitions) === "cluster")
    return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
