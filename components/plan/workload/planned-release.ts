import { hasMark } from "../../kube/objects/attributes";
import { scopeOf } from "../../kube/objects/kinds";
import { identityOf, text, type KubeObject } from "../../kube/objects/object";
import { readinessContext, readinessOf, type Awaited } from "../../kube/order/readiness";
import { keyOf } from "./keys";
import type { ChartHook, ReleaseRequest, RenderedChart } from "./releases";
import type { Values } from "./chart-values";

/** A release as the settings ask for it, with its chart; undefined where that is not known. */
export interface GivenRelease extends Omit<ReleaseRequest, "chart"> {
  readonly chart: RenderedChart | undefined;
}

/** A Helm release of a CNF. */
export interface PlannedRelease {
  /** Resource name: `<instance>-helm-<namespace>/<name>`. */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  /** Of the chart's folder or archive, from the folder of the project. */
  readonly chartPath: string;
  /** Instances of Secret are among them, and marks of attributes. */
  readonly values: Values;
  readonly atomic: boolean;
  /** What the chart makes, and Helm changes and deletes with the release. */
  readonly objects: readonly ReleaseObject[];
  /** Objects that Helm makes beside the release, before and after an installation, an upgrade and a removal, or as a test. */
  readonly hooks: readonly ReleaseHook[];
  /** CRDs that Helm makes with the release, and leaves. */
  readonly definitions: readonly KubeObject[];
}

export interface ReleaseObject {
  /** Resource name of its hash: `<key of the release>-<kind>-[<namespace>/]<name>`. */
  readonly key: string;
  readonly object: KubeObject;
  /** What is waited for once Helm has made it; undefined is nothing. */
  readonly awaited: Awaited | undefined;
  /** True if the chart makes it another one each time. */
  readonly random: boolean;
}

/** The hooks of one identity, of which Helm makes one after the other. */
export interface ReleaseHook {
  /** Resource name of their hash: `<key of the release>-hook-<kind>-[<namespace>/]<name>`. */
  readonly key: string;
  readonly objects: readonly [KubeObject, ...KubeObject[]];
  /** Belongs to `helm test` alone: no run makes it. */
  readonly isTest: boolean;
  /** Differs with each rendering. */
  readonly random: boolean;
}

/** Returns true for an object of a chart that Helm leaves where it is when the release goes. */
export function isKept({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["helm.sh/resource-policy"] === "keep";
}

export function planRelease(instance: string, release: GivenRelease): PlannedRelease {
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
        `the chart names a ${kind} by a get_attribute, and names are known before the run; write the value itself`,
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

/** The object where Helm makes it: in the release's namespace, where it names none. */
function inNamespace(object: KubeObject, namespace: string, definitions: readonly KubeObject[]): KubeObject {
  if (text(object.metadata.namespace) !== undefined || scopeOf(object, definitions) === "cluster")
    return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
