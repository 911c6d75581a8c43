import { Fault } from "../fault";
import { findEnd, findMade, type End, type Outcome } from "./find";
import { heldFault, holderBy, type Holder } from "../stack/lock";
import { isHeld, isHere, readLocks } from "../stack/locks";
import { lookupOf } from "./lookups";
import type { OpenStack } from "../../components/openstack/session";
import { cloudsOf, CloudSessions } from "../stack/clouds";
import { endOrphans } from "../stack/processes";
import { freeReleases, isRelease } from "./pending-releases";
import type { PulumiStack } from "../stack/pulumi";
import { isRefused } from "../stack/steps";
import { StackState } from "../stack/stack-state";
import {
  adopt,
  back,
  halfUpdated,
  leaving,
  nameOf,
  reread,
  retained,
  undone,
  without,
  type ResourceState,
  type State,
} from "../stack/state";

export interface RecoverOptions {
  /** Prints a finding or an action on one line. */
  readonly report: (line: string) => void;
  /** Returns true if a run on another machine, which cannot be inspected from here, is certainly dead. */
  readonly isDead: (holder: Holder) => boolean | Promise<boolean>;
}

/** Report on the remains of a run that was cut off. */
export interface RecoverReport {
  /** Findings; none if nothing was cut off. */
  readonly findings: readonly RecoverFinding[];
}

export interface RecoverFinding {
  /** The affected resource. Undefined for other findings, such as a lock. */
  readonly urn?: string;
  /** Sentence about the finding and the action, for the operator. */
  readonly text: string;
}

/**
 * Updates the state of a stack with the resources that a cut-off run has created and deleted, so that the next `pulumi
 * up` continues and creates nothing twice. It can run at any time and be repeated; without a cut-off run it does
 * nothing. The state is edited and imported as a whole, because Pulumi's own `refresh --import-pending-creates` drops
 * the pending operation and does not add the resource to the state (pulumi 3.259). Resources that are adopted here, or
 * may be deleted, are read from their provider at the beginning of the next operation.
 * @throws HeldFault if another run has locked the stack, Fault if something cannot be determined; nothing is changed
 * then
 */
export async function recover(stack: PulumiStack, options: RecoverOptions): Promise<RecoverReport> {
  const { report } = options;
  const findings: RecoverFinding[] = [];
  const note = (text: string, urn?: string): void => {
    findings.push({ ...(urn !== undefined && { urn }), text });
    report(text);
  };
  const noteOf = (resource: ResourceState, what: string): void =>
    note(`${nameOf(resource)}: ${what}`, resource.urn);
  await unlock(stack, { ...options, report: note });
  const orphans = await endOrphans(stack.folder);
  if (orphans > 0) note(`ended ${orphans} processes of an interrupted run`);
  const since = Date.now();

  const state = await stack.state();
  const pending = state.deployment.pending_operations ?? [];
  const creating = pending.filter(({ type }) => type === "creating").map(({ resource }) => resource);
  const deleting = leaving(state).filter(({ type }) => lookupOf(type) !== undefined);
  const gone = undone(state);
  const left = retained(state);
  const updating = halfUpdated(state);
  if ([pending, updating, gone, left].every(({ length }) => length === 0)) report("nothing was interrupted");
  const lookedUp = [...creating.filter(({ type }) => lookupOf(type) !== undefined), ...deleting];
  for (const resource of lookedUp) report(`${nameOf(resource)}: was interrupted; searching for its result`);
  for (const { type, resource } of pending) {
    if (type === "creating" || lookedUp.some(({ urn }) => urn === resource.urn)) continue;
    const next = updating.some(({ urn }) => urn === resource.urn)
      ? "refreshes it, and completes it"
      : "repeats it";
    noteOf(resource, `${type} was interrupted; the next update ${next}`);
  }
  for (const resource of updating.filter(isRefused))
    noteOf(resource, "its update failed; the next update refreshes it, and completes it");
  for (const resource of gone) noteOf(resource, "was deleted to be replaced; the next update re-creates it");
  const releases = pending.map(({ resource }) => resource).filter(isRelease);
  if (releases.length > 0)
    for (const line of await freeReleases(new StackState(await stack.plainState()), releases)) note(line);
  if ([creating, deleting, updating, gone, left].every(({ length }) => length === 0)) return { findings };
  const cloudOf = cloudOfResources(stack, state);
  const [found, ends, leftEnds] = await Promise.all([
    findAll(cloudOf, { state, creating, since }),
    findEnds(cloudOf, { deleting, since }),
    findEnds(cloudOf, { deleting: left, since }),
  ]);
  const there = leftEnds.flatMap(({ resource, end }) => (end === "there" ? [resource] : []));
  // the provider reads no server that is soft-deleted, rescued or suspended
  const deleted = ends.flatMap(({ resource, end }) => (end === "gone" ? [resource] : []));
  const made = found.flatMap(({ resource, id }) => (id === undefined ? [] : [{ resource, id }]));
  if (JSON.stringify(await stack.state()) !== JSON.stringify(state))
    throw new Fault(`stack ${stack.qualifiedName} was changed in the meantime: run it again`);
  await stack.importState(adopt(without(back(reread(state, [...deleted, ...updating]), there), gone), made));
  for (const { resource, outcome } of found) {
    // components are created and deleted with their children
    if (resource.custom) noteOf(resource, outcome);
  }
  for (const { resource, end } of ends) noteOf(resource, END[end]);
  for (const resource of there) noteOf(resource, "still exists; the state uses it again");
  return { findings };
}

/**
 * Removes the locks of dead runs.
 * @throws HeldFault for a live run, or one on another machine that is not known to be dead
 */
async function unlock(stack: PulumiStack, { report, isDead }: RecoverOptions): Promise<void> {
  const locks = await readLocks(stack);
  for (const lock of locks.filter(isHeld)) {
    if (isHere(lock) || !(await isDead(holderBy(lock)))) throw heldFault(lock);
  }
  if (locks.length === 0) return;
  await stack.cancel();
  report(`removed the lock of process ${locks.map(({ pid }) => pid).join(", ")}, which has ended`);
}

interface Found {
  readonly resource: ResourceState;
  /** Id of a resource that is added to the state. */
  readonly id?: string;
  /** Result for the operator. */
  readonly outcome: string;
}

/** Returns the session with the cloud of a resource. @throws Fault if the cloud is not known */
type CloudOf = (resource: ResourceState) => Promise<OpenStack>;

function cloudOfResources(stack: PulumiStack, { deployment }: State): CloudOf {
  const cloudOf = cloudsOf(deployment.resources ?? []);
  const sessions = new CloudSessions(stack);
  return (resource) => {
    const cloud = cloudOf(resource);
    if (cloud === undefined)
      throw new Fault(
        `${nameOf(resource)}: the cloud of its provider is not known: use a provider with the name of a cloud in ` +
          "clouds.yaml, or run 'pulumi refresh' instead",
      );
    return sessions.to(cloud.named);
  };
}

async function findAll(
  cloudOf: CloudOf,
  { state, creating, since }: { state: State; creating: readonly ResourceState[]; since: number },
): Promise<readonly Found[]> {
  const unfindable = creating.filter((resource) => !lookupOf(resource.type) && !reasonToClear(resource));
  if (unfindable.length > 0) {
    throw new Fault(
      "vnfm cannot find out whether these were created: check, delete those that were, then run 'pulumi refresh " +
        `--clear-pending-creates': ${unfindable.map(({ urn }) => urn).join(", ")}`,
    );
  }
  return Promise.all(
    creating.map(async (resource) => {
      const lookup = lookupOf(resource.type);
      if (lookup === undefined) return { resource, outcome: `cleared; ${reasonToClear(resource)}` };
      const outcome = await findMade(await cloudOf(resource), lookup, { resource, state, since });
      return {
        resource,
        outcome: describe(outcome),
        ...(outcome.kind === "made" && { id: outcome.id }),
      };
    }),
  );
}

async function findEnds(
  cloudOf: CloudOf,
  { deleting, since }: { deleting: readonly ResourceState[]; since: number },
): Promise<readonly { readonly resource: ResourceState; readonly end: End }[]> {
  const ends = deleting.map(async (resource) => {
    const lookup = lookupOf(resource.type);
    if (lookup === undefined) return [];
    return [{ resource, end: await findEnd(await cloudOf(resource), lookup, { resource, since }) }];
  });
  return (await Promise.all(ends)).flat();
}

/** Results of deletions for the operator. */
const END: Readonly<Record<End, string>> = {
  gone: "was deleted; the next update re-creates it if it is in the desired state",
  kept: "was deleted, and the cloud can restore it: do so first if it is needed",
  there: "was not deleted; the next update repeats it",
  underway: "the cloud did not delete it within ten minutes; the next update repeats it",
};

/**
 * The reason why a creation can be repeated even if it was successful.
 * @returns undefined if it cannot be repeated
 */
function reasonToClear(resource: ResourceState): string | undefined {
  const { custom, type } = resource;
  if (!custom || type.startsWith("pulumi:")) return "it creates nothing outside the state";
  if (type.startsWith("command:")) return "its script checks its own result first";
  if (isRelease(resource)) return "Helm adopts what belongs to the release";
  if (type.startsWith("kubernetes:")) return "it is applied, which also works for an existing object";
  return undefined;
}

function describe(outcome: Outcome): string {
  switch (outcome.kind) {
    case "made":
      return `found ${outcome.id}; it is in the state now`;
    case "known":
      return `cleared; ${outcome.id} is in the state already`;
    case "absent":
      return "cleared; it was not created";
    case "failed":
      return `cleared; the cloud failed to create ${outcome.id}, which was deleted`;
    case "unfinished":
      return `cleared; ${outcome.id}, which only the interrupted run could complete, was deleted`;
  }
}
