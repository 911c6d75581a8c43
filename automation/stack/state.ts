import { jsonData } from "../../components/base/json";
import { isRefused, nameOfUrn } from "./steps";

/** A property as the state has it; see `reveal` for one that is secret. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource as `pulumi stack export` writes it, as far as it matters here; the rest is kept. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  /** True if a provider makes it; components are of the program alone. */
  readonly custom: boolean;
  readonly id?: string;
  /** URN. */
  readonly parent?: string;
  /** URNs. */
  readonly dependencies?: readonly string[];
  /** URNs by property. */
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  /** URN and id, as `URN::ID`. */
  readonly provider?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  /** It is replaced, or a leftover: the next update deletes it. */
  readonly delete?: boolean;
  /** It is deleted and its replacement not made yet. */
  readonly pendingReplacement?: boolean;
  /** Its deletion takes it out of the state alone. */
  readonly retainOnDelete?: boolean;
  /** Why the provider has not ended its creation or its last update. */
  readonly initErrors?: readonly string[];
  /** The next operation reads the resource from its provider before anything else. */
  readonly refreshBeforeUpdate?: boolean;
}

/** What the engine had begun and not seen the end of. */
export interface PendingOperation {
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
  readonly resource: ResourceState;
}

/** What `pulumi stack export` writes. */
export interface State {
  readonly deployment: {
    readonly resources?: readonly ResourceState[];
    readonly pending_operations?: readonly PendingOperation[];
  };
}

/** A pending creation and the id of what it made. */
export interface Made {
  readonly resource: ResourceState;
  readonly id: string;
}

/** Marks an object of a state as a secret. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** A property of a state that was exported with its secrets: without the marks of what is secret. */
export function reveal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reveal);
  if (typeof value !== "object" || value === null) return value;
  if (SECRET in value)
    return reveal(jsonData((value as unknown as { plaintext: string }).plaintext, "a secret of the state"));
  return Object.fromEntries(Object.entries(value).map(([key, its]) => [key, reveal(its)]));
}

/** The name a resource has in the program. */
export function nameOf({ urn }: ResourceState): string {
  return nameOfUrn(urn);
}

/** Returns true if the state has a resource of this type and id. */
export function knows(state: State, type: string, id: string): boolean {
  return (state.deployment.resources ?? []).some((known) => known.type === type && known.id === id);
}

/**
 * The state with the resources that cut-off creations made, and without pending operations. Each one is
 * marked to be read by the next operation, which fills in the outputs.
 *
 * Where the state already has a resource of that URN, a replacement was cut off, or an update ran without a
 * recovery: what is in use stays, and the one found is marked for deletion.
 */
export function adopt(state: State, made: readonly Made[]): State {
  const resources = [...(state.deployment.resources ?? [])];
  for (const { resource, id } of made) {
    // two runs may have been cut off while they looked at one and the same thing
    if (resources.some(({ type, id: known }) => type === resource.type && known === id)) continue;
    const gone = resources.findIndex(
      ({ urn, pendingReplacement }) => urn === resource.urn && pendingReplacement,
    );
    if (gone >= 0) resources.splice(gone, 1);
    const inUse = resources.some(({ urn, delete: leaves }) => urn === resource.urn && !leaves);
    resources.push({
      ...resource,
      id,
      // a provider takes the reading of a resource without outputs for an import, which ignores the inputs
      outputs: { ...resource.inputs, id },
      ...(inUse ? { delete: true } : { refreshBeforeUpdate: true }),
    });
  }
  return {
    ...state,
    deployment: { ...state.deployment, resources: inOrder(resources), pending_operations: [] },
  };
}

/**
 * The same resources, each behind what it needs: the engine imports no others. What was deleted to be replaced too may
 * stand before its server that was made again.
 */
function inOrder(resources: readonly ResourceState[]): readonly ResourceState[] {
  const ordered = new Set<ResourceState>();
  const begun = new Set<ResourceState>();
  const add = (resource: ResourceState): void => {
    if (begun.has(resource)) return;
    begun.add(resource);
    const needs = needsOf(resource);
    resources.filter(({ urn }) => needs.has(urn)).forEach(add);
    ordered.add(resource);
  };
  resources.forEach(add);
  return [...ordered];
}

/** URNs. */
function needsOf({
  parent,
  provider,
  dependencies,
  propertyDependencies,
}: ResourceState): ReadonlySet<string> {
  return new Set([
    ...(parent === undefined ? [] : [parent]),
    ...(provider === undefined ? [] : [provider.slice(0, provider.lastIndexOf("::"))]),
    ...(dependencies ?? []),
    ...Object.values(propertyDependencies ?? {}).flat(),
  ]);
}

/** What a cut-off run may have deleted, as the state has it: not what the next update deletes in any case. */
export function leaving({ deployment }: State): readonly ResourceState[] {
  const { resources = [], pending_operations: pending = [] } = deployment;
  const deleting = pending.filter(({ type }) => type === "deleting").map(({ resource }) => resource);
  return resources.filter(
    ({ urn, id, delete: leaves, pendingReplacement }) =>
      !leaves && !pendingReplacement && deleting.some((one) => one.urn === urn && one.id === id),
  );
}

/**
 * The OpenStack resources whose update was cut off or failed, as the state has them. After the one the cloud may have the
 * new values, after the other the state alone; and not every update can be done twice: Cinder refuses to extend a volume to
 * the size that it has. What is applied to a cluster, and the script of a command, can be.
 */
export function halfUpdated({ deployment }: State): readonly ResourceState[] {
  const { resources = [], pending_operations: pending = [] } = deployment;
  const urns = pending.filter(({ type }) => type === "updating").map(({ resource }) => resource.urn);
  return resources.filter(
    (one) => !one.delete && (isRefused(one) || (one.type.startsWith("openstack:") && urns.includes(one.urn))),
  );
}

/** The state with these resources marked to be read by the next operation: one that is gone is made anew, if it shall be. */
export function reread(state: State, some: readonly ResourceState[]): State {
  return marked(state, some, { refreshBeforeUpdate: true });
}

/** The commands that have been undone, and the Kubernetes objects deleted, for a replacement which was then cut off. */
export function undone({ deployment }: State): readonly ResourceState[] {
  return (deployment.resources ?? []).filter(
    ({ type, inputs, pendingReplacement }) =>
      pendingReplacement === true &&
      (type.startsWith("kubernetes:") || (type.startsWith("command:") && inputs?.["delete"] !== undefined)),
  );
}

/** What was taken out of use for a replacement that did not come, and not out of the cloud: there, it may be as it was. */
export function retained({ deployment }: State): readonly ResourceState[] {
  return (deployment.resources ?? []).filter(
    ({ pendingReplacement, retainOnDelete }) => pendingReplacement === true && retainOnDelete === true,
  );
}

/** The state with these resources in use again: the cloud would not make them a second time. */
export function back(state: State, some: readonly ResourceState[]): State {
  return marked(state, some, { pendingReplacement: false });
}

function marked(
  state: State,
  some: readonly ResourceState[],
  marks: Pick<ResourceState, "refreshBeforeUpdate" | "pendingReplacement">,
): State {
  const resources = (state.deployment.resources ?? []).map((resource) =>
    some.includes(resource) ? { ...resource, ...marks } : resource,
  );
  return { ...state, deployment: { ...state.deployment, resources } };
}

/**
 * The state without these resources, for the next update to make them anew. The engine deletes what was deleted
 * for a cut-off replacement a second time if something that it depends on is replaced too (pulumi 3.259); the
 * server that a command undoes something on, or the cluster that an object was on, may be gone by then.
 */
export function without(state: State, gone: readonly ResourceState[]): State {
  const urns = gone.map(({ urn }) => urn);
  const stay = (dependencies: readonly string[] = []) => dependencies.filter((urn) => !urns.includes(urn));
  const resources = (state.deployment.resources ?? [])
    .filter((resource) => !gone.includes(resource))
    .map((resource) => ({
      ...resource,
      ...(resource.dependencies && { dependencies: stay(resource.dependencies) }),
      ...(resource.propertyDependencies && {
        propertyDependencies: Object.fromEntries(
          Object.entries(resource.propertyDependencies).map(([key, on]) => [key, stay(on)]),
        ),
      }),
    }));
  return { ...state, deployment: { ...state.deployment, resources } };
}
