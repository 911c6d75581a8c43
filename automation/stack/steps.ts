import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { jsonData } from "../../components/base/json";
import { isScriptName, type ScriptName } from "../../components/remote/scripts";

/** The type of a server. */
export const SERVER = "openstack:compute/instance:Instance";
/** The type of a value that Pulumi keeps in the state. */
export const STASH = "pulumi:index:Stash";
/** The type of a command. All run on the machine that runs Pulumi; some of them run a script on a server. */
export const COMMAND = "command:local:Command";

/** The type of a Helm release. */
export const RELEASE = "kubernetes:helm.sh/v3:Release";

/** The change of a resource. `discard`: deletion of the remains of an earlier replacement. */
export type Action = "create" | "update" | "replace" | "delete" | "discard";

/** A step of Pulumi, without values that might be secret. */
export interface Step {
  readonly urn: string;
  /** Pulumi's operation: `create`, `delete-replaced`, `same`. */
  readonly op: string;
  readonly type: string;
  /** URN of the parent; empty for the stack itself. */
  readonly parent: string;
  /** True if a provider creates it; components exist in the program only. */
  readonly custom: boolean;
  /** Properties that change. */
  readonly differs: readonly string[];
  /** Present if the cloud failed to create it in an earlier run: it is in the state, but does not work. */
  readonly unmade?: true;
  /**
   * Present for an OpenStack resource whose last update failed. The state has the new values, which Terraform's providers
   * record before the cloud accepts them, so another update would do nothing.
   */
  readonly refused?: true;
  /** Present if the provider keeps the resource when it leaves the state. */
  readonly retained?: true;
  /** The script that a command runs on a server. */
  readonly script?: ScriptName;
  /** The script's data for previews, before and after. */
  readonly shown?: readonly [before: Shown, after: Shown];
  /** Kubernetes object, also one of a chart, such as `Deployment web/frontend`. */
  readonly object?: string;
  /** Reference to the same object on its API; undefined for an object of a chart. */
  readonly reference?: ObjectReference;
  /** Replicas of a Kubernetes object, before and after. */
  readonly replicas?: readonly [number, number];
}

type Shown = Readonly<Record<string, string>>;

/** Reference to an object on the API of a cluster. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined: the object is cluster-scoped, or in the default namespace of its kubeconfig. */
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

/** The Kubernetes object of a resource. An object of a chart is created by Helm, and has a hash in the state. */
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

/** Name of an object in a preview: `Deployment web/frontend`. */
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

/** The state of a resource that the cloud may not have created, or not updated. */
interface Failed {
  readonly type: string;
  readonly initErrors?: readonly string[] | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns true for a server that the cloud failed to create. A server that ran has the time of its creation, also if a
 * later update of it has failed.
 */
function isUnmade({ type, initErrors = [], outputs }: Failed): boolean {
  return type === SERVER && initErrors.length > 0 && !outputs?.["created"];
}

/** Returns true for an OpenStack resource whose last update failed: see Step.refused. */
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

/** Name of a resource in the program. */
export function nameOfUrn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Type of a resource in its URN, without the types of its parents. */
export function typeOfUrn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The change of each resource of a provider; unchanged ones have no entry. */
export function actionsOf(steps: readonly Step[]): ReadonlyMap<Step, Action> {
  const byUrn = new Map<string, Step[]>();
  for (const step of steps) {
    if (!step.custom || isOfEngine(step)) continue;
    const others = byUrn.get(step.urn);
    if (others === undefined) byUrn.set(step.urn, [step]);
    else others.push(step);
  }
  const actions = new Map<Step, Action>();
  for (const stepsOfUrn of byUrn.values()) {
    const leftovers = leftoversOf(stepsOfUrn);
    for (const leftover of leftovers) actions.set(leftover, "discard");
    const others = stepsOfUrn.filter((step) => !leftovers.includes(step));
    const action = actionOf(others.map(({ op }) => op));
    const last = others.at(-1);
    // nothing is lost with a server that never existed
    if (action === undefined || last === undefined) continue;
    // only some steps of a replacement have its properties
    const differs = [...new Set(others.flatMap((step) => step.differs))];
    actions.set({ ...last, differs }, action === "replace" && last.unmade ? "create" : action);
  }
  return actions;
}

/**
 * Returns true for a resource without effect outside of Pulumi: a value in the state, or a provider of no VNF instance.
 * Resources that are deleted or changed with such a provider have their own steps.
 */
function isOfEngine({ type, parent, object }: Step): boolean {
  if (type === STASH) return object === undefined;
  return type.startsWith("pulumi:providers:") && (parent === "" || STACK.test(parent));
}

/** Matches the URN of the stack itself. */
const STACK = /::pulumi:pulumi:Stack::[^:]*$/;

/** The steps that delete remains of replacements in earlier runs. */
function leftoversOf(stepsOfUrn: readonly Step[]): readonly Step[] {
  // or removed, if this run deletes a resource that is no longer in the program for another replacement
  const gone = ["replace", "create-replacement", "remove-pending-replace"];
  return stepsOfUrn.some(({ op }) => gone.includes(op))
    ? []
    : stepsOfUrn.filter(({ op }) => op === "delete-replaced");
}

/** @returns undefined if nothing changes */
function actionOf(ops: readonly string[]): Action | undefined {
  const has = (...some: string[]): boolean => some.some((op) => ops.includes(op));
  if (has("replace", "create-replacement")) return "replace";
  if (has("create", "import")) return has("delete") ? "replace" : "create";
  if (has("delete", "remove-pending-replace")) return "delete";
  return has("update") ? "update" : undefined;
}
