import { jsonData } from "../../components/base/json";
import { Fault } from "../fault";
import { isRefused, nameOfUrn } from "./steps";

/** Properties in the state. A secret one is encoded: see `reveal`. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource of `pulumi stack export`, with the fields that vnfm uses. Other fields are preserved. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  /** True if a provider creates it; components exist in the program only. */
  readonly custom: boolean;
  readonly id?: string;
  /** URN of the parent. */
  readonly parent?: string;
  /** URNs of all dependencies. */
  readonly dependencies?: readonly string[];
  /** URNs of dependencies by property. */
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  /** URN and id of the provider, as `URN::ID`. */
  readonly provider?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  /** True if it is the remains of a replacement, which the next update deletes. */
  readonly delete?: boolean;
  /** True if it is deleted and its replacement does not exist yet. */
  readonly pendingReplacement?: boolean;
  /** True if its deletion removes it only from the state. */
  readonly retainOnDelete?: boolean;
  /** Reasons why the provider has not completed its creation or its last update. */
  readonly initErrors?: readonly string[];
  /** True if the next operation reads it from its provider first. */
  readonly refreshBeforeUpdate?: boolean;
}

/** An operation that Pulumi has begun and not finished. */
export interface PendingOperation {
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
  readonly resource: ResourceState;
}

/** Output of `pulumi stack export`. */
export interface State {
  readonly deployment: {
    readonly resources?: readonly ResourceState[];
    readonly pending_operations?: readonly PendingOperation[];
  };
}

/** A pending creation and the id of its result. */
export interface Made {
  readonly resource: ResourceState;
  readonly id: string;
}

/** Key of an object that is a secret, in a state and in the properties that a plugin gets. */
export const SECRET = "4dabf18193072939515e22adb298388d";

/** A secret: in a state its value is the JSON text `plaintext`, for a plugin it is `value`. */
type MarkedSecret = Properties & Readonly<Record<typeof SECRET, unknown>>;

/** Returns a copy of a value in which each secret, at any depth, is replaced. */
export function mapSecrets(value: unknown, replaced: (secret: MarkedSecret) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapSecrets(entry, replaced));
  if (typeof value !== "object" || value === null) return value;
  if (SECRET in value) return replaced(value);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapSecrets(entry, replaced)]));
}

/** The plain value of a property in a state that was exported with its secrets. */
export function reveal(value: unknown): unknown {
  return mapSecrets(value, (secret) => reveal(plaintextOf(secret)));
}

/** The value of a secret in a state that was exported with its secrets. It may contain further secrets. */
export function plaintextOf({ plaintext }: MarkedSecret): unknown {
  return jsonData(plaintext as string, "a secret of the state");
}

/** Name of a resource in the program. */
export function nameOf({ urn }: ResourceState): string {
  return nameOfUrn(urn);
}

/** Returns true if the state has a resource of this type and id. */
export function hasResource(state: State, type: string, id: string): boolean {
  return (state.deployment.resources ?? []).some((known) => known.type === type && known.id === id);
}

/**
 * The state with the results of cut-off creations, and without pending operations. The results are marked so that the
 * next operation reads them, which fills in their outputs. If the state already has a resource with the URN, a
 * replacement was cut off, or an update ran without a recovery: the resource in use stays, and the result is marked for
 * deletion.
 */
export function adopt(state: State, made: readonly Made[]): State {
  const resources = [...(state.deployment.resources ?? [])];
  for (const { resource, id } of made) {
    // two runs may have been cut off while they looked at the same resource
    if (resources.some(({ type, id: known }) => type === resource.type && known === id)) continue;
    const gone = resources.findIndex(
      ({ urn, pendingReplacement }) => urn === resource.urn && pendingReplacement,
    );
    if (gone >= 0) resources.splice(gone, 1);
    const inUse = resources.some(({ urn, delete: leaves }) => urn === resource.urn && !leaves);
    resources.push({
      ...resource,
      id,
      // a provider treats the reading of a resource without outputs as an import, which ignores the inputs
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
 * Sorts resources so that each comes after its dependencies, which Pulumi requires of an import. A resource that was
 * deleted for its replacement may come before its re-created server.
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

/** URNs of the resources that it depends on. */
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

/** The resources that a cut-off run may have deleted, without those that the next update deletes in any case. */
export function leaving({ deployment }: State): readonly ResourceState[] {
  const { resources = [], pending_operations: pending = [] } = deployment;
  const deleting = pending.filter(({ type }) => type === "deleting").map(({ resource }) => resource);
  return resources.filter(
    ({ urn, id, delete: leaves, pendingReplacement }) =>
      !leaves && !pendingReplacement && deleting.some((one) => one.urn === urn && one.id === id),
  );
}

/**
 * The OpenStack resources whose update was cut off or failed. After a cut-off the cloud may have the new values already;
 * after a failure the state has them, and the cloud may not. Not every update can be repeated: Cinder refuses to extend a
 * volume to its current size. Objects of a cluster, and scripts of commands, can be applied again.
 */
export function halfUpdated({ deployment }: State): readonly ResourceState[] {
  const { resources = [], pending_operations: pending = [] } = deployment;
  const urns = pending.filter(({ type }) => type === "updating").map(({ resource }) => resource.urn);
  return resources.filter(
    (one) => !one.delete && (isRefused(one) || (one.type.startsWith("openstack:") && urns.includes(one.urn))),
  );
}

/**
 * The state with these resources marked so that the next operation reads them: a missing one is re-created, if it is
 * still declared.
 */
export function reread(state: State, some: readonly ResourceState[]): State {
  return marked(state, some, { refreshBeforeUpdate: true });
}

/**
 * The state with the resources whose last update failed marked so that the next operation reads them.
 * @param stack name of the stack for the message
 * @throws Fault if a run was cut off: an import would drop its pending operations, which `recover` needs
 */
export function withRefusedReread(state: State, stack: string): State {
  if ((state.deployment.pending_operations ?? []).length > 0)
    throw new Fault(`a run of stack ${stack} was interrupted: run 'vnfm recover' first`);
  return reread(state, halfUpdated(state));
}

/** The commands that have been undone, and the Kubernetes objects deleted, for a replacement which was then cut off. */
export function undone({ deployment }: State): readonly ResourceState[] {
  return (deployment.resources ?? []).filter(
    ({ type, inputs, pendingReplacement }) =>
      pendingReplacement === true &&
      (type.startsWith("kubernetes:") || (type.startsWith("command:") && inputs?.["delete"] !== undefined)),
  );
}

/**
 * Resources that were marked as deleted for a replacement that did not happen, and that still exist in the cloud,
 * perhaps unchanged.
 */
export function retained({ deployment }: State): readonly ResourceState[] {
  return (deployment.resources ?? []).filter(
    ({ pendingReplacement, retainOnDelete }) => pendingReplacement === true && retainOnDelete === true,
  );
}

/** The state with these resources in use again, because the cloud would not create them a second time. */
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
 * The state without these resources, so that the next update re-creates them. Pulumi deletes a resource that was
 * deleted for a cut-off replacement a second time if one of its dependencies is replaced too (pulumi 3.259); the server
 * of a command, or the cluster of an object, may no longer exist then.
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
