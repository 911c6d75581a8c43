import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { jsonData } from "../../components/base/json";
import { isScriptName, type ScriptName } from "../../components/remote/scripts";

/** The type of a server. */
export const SERVER = "openstack:compute/instance:Instance";
/** The type of a value in the state. */
export const STASH = "pulumi:index:Stash";
/** The type of a command. All run on the machine that runs Pulumi; some of them run a script on a server. */
export const COMMAND = "command:local:Command";

/** What becomes of a resource. `discard`: one that an earlier run has replaced, and not deleted yet, goes. */
export type Action = "create" | "update" | "replace" | "delete" | "discard";

/** A step of the engine, without any value of a resource that might be secret. */
export interface Step {
  readonly urn: string;
  /** The engine's word: `create`, `delete-replaced`, `same`. */
  readonly op: string;
  readonly type: string;
  /** URN; empty for the stack itself. */
  readonly parent: string;
  /** True if a provider makes it; components are of the program alone. */
  readonly custom: boolean;
  /** Properties that change. */
  readonly differs: readonly string[];
  /** True if the cloud failed to make it, in an earlier run: the state has it, and it never was. */
  readonly unmade?: true;
  /**
   * True for an OpenStack resource whose last update failed: the state has the new values, which Terraform's providers
   * record before the cloud has taken them, and another update would do nothing.
   */
  readonly refused?: true;
  /** The provider leaves the resource where it is when the state drops it. */
  readonly retained?: true;
  /** The script that it runs on a server, of a command that does. */
  readonly script?: ScriptName;
  /** Data of such a script that a preview tells of, before and after. */
  readonly shown?: readonly [before: Shown, after: Shown];
  /** Kubernetes object, also one of a chart, such as `Deployment web/frontend`. */
  readonly object?: string;
  /** The same as its API knows it; of an object of a chart undefined. */
  readonly reference?: ObjectReference;
  /** Of a Kubernetes object, before and after. */
  readonly replicas?: readonly [number, number];
}

type Shown = Readonly<Record<string, string>>;

/** How the API of a cluster knows an object. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined: it is in none, or in the default one of its kubeconfig. */
  readonly namespace?: string;
  readonly name: string;
}

export function stepOf(event: StepEventMetadata): Step {
  const state = event.new ?? event.old;
  const inputs = (state?.inputs ?? {}) as KubeInputs;
  const replicas = [event.old, event.new].map(
    (side) => (side?.inputs as KubeInputs | undefined)?.spec?.replicas,
  );
  const [from, to] = replicas;
  const before = { ...event.old, type: event.type };
  return {
    urn: event.urn,
    op: event.op,
    type: event.type,
    parent: state?.parent ?? "",
    custom: state?.custom ?? false,
    differs: Object.keys(event.detailedDiff ?? {}),
    ...(isUnmade(before) && { unmade: true }),
    ...(isRefused(before) && { refused: true }),
    ...((event.old ?? event.new)?.retainOnDelete && { retained: true }),
    ...scriptOf(event.type, inputs),
    ...shownBy(event),
    ...objectOf(event.type, inputs),
    ...(typeof from === "number" && typeof to === "number" && { replicas: [from, to] }),
  };
}

/** The Kubernetes object that a resource is, or whose hash it is: the objects of a chart are Helm's. */
function objectOf(
  type: string,
  { apiVersion = "", kind = "", metadata, input }: KubeInputs,
): Pick<Step, "object" | "reference"> {
  if (type === STASH) return typeof input?.object === "string" ? { object: input.object } : {};
  if (!type.startsWith("kubernetes:") || metadata?.name === undefined) return {};
  const { namespace, name } = metadata;
  const reference = { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
  return { object: keyOfObject(reference), reference };
}

/** The name that an object has in a preview: `Deployment web/frontend`. */
export function keyOfObject({ kind, namespace, name }: Omit<ObjectReference, "apiVersion">): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** The script that a resource runs on a server, by its inputs: see scriptStep. */
export function scriptOf(type: string, inputs: Readonly<Record<string, unknown>> = {}): Pick<Step, "script"> {
  const { VNFM_SCRIPT: named } = (inputs["environment"] ?? {}) as { readonly VNFM_SCRIPT?: unknown };
  const [script = ""] = typeof named === "string" ? named.split(" ") : [];
  return type === COMMAND && isScriptName(script) ? { script } : {};
}

/** Data of a script in its inputs, before and after: see scriptStep. */
function shownBy({ old, new: next }: StepEventMetadata): Pick<Step, "shown"> {
  const [before, after] = [old, next].map((side): Shown | undefined => {
    const { VNFM_SHOWN: text } = ((side?.inputs as KubeInputs | undefined)?.["environment"] ?? {}) as {
      readonly VNFM_SHOWN?: unknown;
    };
    return typeof text === "string" ? (jsonData(text, "VNFM_SHOWN of a step") as Shown) : undefined;
  });
  return before && after ? { shown: [before, after] } : {};
}

/** What the state has of a resource that the cloud may not have made, or not updated. */
interface Failed {
  readonly type: string;
  readonly initErrors?: readonly string[] | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
}

/** A server that ran has the time of its creation, also where a later update of it has failed. */
function isUnmade({ type, initErrors = [], outputs }: Failed): boolean {
  return type === SERVER && initErrors.length > 0 && !outputs?.["created"];
}

/** See Step.refused. */
export function isRefused(resource: Failed): boolean {
  const { type, initErrors = [] } = resource;
  return type.startsWith("openstack:") && initErrors.length > 0 && !isUnmade(resource);
}

interface KubeInputs extends Readonly<Record<string, unknown>> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly spec?: { readonly replicas?: unknown };
  /** Inputs of a value in the state. */
  readonly input?: { readonly object?: unknown };
}

/** The name that a resource has in the program. */
export function nameOfUrn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** What becomes of each resource that a provider makes; what stays as it is has no entry. */
export function actionsOf(steps: readonly Step[]): ReadonlyMap<Step, Action> {
  const byUrn = new Map<string, Step[]>();
  for (const step of steps) {
    if (!step.custom || isOfEngine(step)) continue;
    const others = byUrn.get(step.urn);
    if (others === undefined) byUrn.set(step.urn, [step]);
    else others.push(step);
  }
  const actions = new Map<Step, Action>();
  for (const its of byUrn.values()) {
    const leftovers = leftoversOf(its);
    for (const leftover of leftovers) actions.set(leftover, "discard");
    const others = its.filter((step) => !leftovers.includes(step));
    const action = actionOf(others.map(({ op }) => op));
    const last = others.at(-1);
    // nothing goes with a server that never was
    if (action === undefined || last === undefined) continue;
    // the engine does not tell with each step of a replacement what it is for
    const differs = [...new Set(others.flatMap((step) => step.differs))];
    actions.set({ ...last, differs }, action === "replace" && last.unmade ? "create" : action);
  }
  return actions;
}

/**
 * Returns true for a resource that stands for nothing outside of the engine: a value in the state, or a provider of no VNF
 * instance. Whatever goes or changes with such a provider has steps of its own.
 */
function isOfEngine({ type, parent, object }: Step): boolean {
  if (type === STASH) return object === undefined;
  return type.startsWith("pulumi:providers:") && (parent === "" || STACK.test(parent));
}

/** The URN of the stack itself. */
const STACK = /::pulumi:pulumi:Stack::[^:]*$/;

/** Of a run that has made the replacement, and was ended before it deleted what is replaced. */
function leftoversOf(its: readonly Step[]): readonly Step[] {
  // or removed, where this run deletes what is no longer in the program for the sake of another replacement
  const gone = ["replace", "create-replacement", "remove-pending-replace"];
  return its.some(({ op }) => gone.includes(op)) ? [] : its.filter(({ op }) => op === "delete-replaced");
}

/** @returns undefined where nothing changes */
function actionOf(ops: readonly string[]): Action | undefined {
  const has = (...some: string[]): boolean => some.some((op) => ops.includes(op));
  if (has("replace", "create-replacement")) return "replace";
  if (has("create", "import")) return has("delete") ? "replace" : "create";
  if (has("delete", "remove-pending-replace")) return "delete";
  return has("update") ? "update" : undefined;
}
