import { actionsOf, type Action, type Step } from "../stack/steps";
import { Places } from "../stack/places";
import { subjectOf, subjectOfVnfc, type Subject } from "./subject";
import {
  endsCluster,
  isPartOf,
  outlivesServer,
  describePort,
  describeResource,
  describeVnfc,
  serverAction,
  wholeOf,
  type Resource,
} from "./words";

/** The change of one VNFC, one Kubernetes object or another resource. */
export interface Change {
  readonly action: Action;
  /** The VNFC or the resource that changes. */
  readonly subject: Subject;
  /** Description for the operator. */
  readonly text: string;
  /** Present if addresses or data of a VNFC are lost, although its server need not be replaced. */
  readonly isLoss?: true;
  /** Numbers of replicas before and after, of a Kubernetes object that is scaled. */
  readonly replicas?: readonly [number, number];
  /** The changed resources: one; or all of a VNFC, a security group with its rules, or a release with its objects. */
  readonly parts: readonly Part[];
}

/** The change of one resource. */
export interface Part {
  readonly action: Action;
  readonly subject: Subject;
  /** Names of the properties that change, for a resource that is updated or replaced. */
  readonly differs?: readonly string[];
  /**
   * Present for a Kubernetes object that stays on the cluster when it leaves the state, and that may exist before its
   * creation.
   */
  readonly retained?: true;
}

/** The changes of a run. */
export interface Preview {
  readonly changes: readonly Change[];
  /** Unchanged VNFCs of each VNF instance that changes. */
  readonly stays: Readonly<Record<string, readonly string[]>>;
}

/** The changes of an operation. */
export interface OperationPreview extends Preview {
  /** Changes that delete or replace something without a request. */
  readonly unrequested: readonly Change[];
  /** Messages for the operator that are no errors. */
  readonly warnings: readonly string[];
  /** The runs of an operation that needs several, as lines. */
  readonly runs?: readonly string[];
}

/** Converts the steps of a preview to changes, sorted by VNF instance and VNFC. */
export function previewOf(steps: readonly Step[]): Preview {
  const places = new Places(steps);
  const resources = [...actionsOf(steps)].map(([step, action]): Resource => ({
    ...step,
    ...places.of(step),
    action,
  }));
  const vnfs = [...new Set(resources.map(({ vnf }) => vnf))];
  const changes = vnfs.flatMap((vnf) => {
    const all = resources.filter((resource) => resource.vnf === vnf);
    const own = all.filter((resource) => !isPartOf(resource, all));
    const ofWholes = all.map((part) => ({ part, whole: wholeOf(part, all) })).filter(({ whole }) => whole);
    const partsOf = (some: readonly Resource[]) =>
      some
        .flatMap((one) => [one, ...ofWholes.filter(({ whole }) => whole === one).map(({ part }) => part)])
        .map(partOf)
        .sort(byKindAndKey);
    const keys = [...new Set(own.map(({ vnfc }) => vnfc))].sort(byOrdinal);
    const groups = keys.map((vnfc) => ({ vnfc, members: own.filter((resource) => resource.vnfc === vnfc) }));
    const clusterEnds = groups.some(({ members }) => endsCluster(members));
    return groups.flatMap(({ vnfc, members }) =>
      changesOf(
        members,
        all.filter((one) => one.vnfc === vnfc),
        clusterEnds,
      ).map(({ resources: some, ...change }) => ({
        ...change,
        parts: partsOf(some),
      })),
    );
  });
  const stays = vnfs.flatMap((vnf) => {
    if (vnf === undefined) return [];
    const changed = new Set(
      changes.filter(({ subject }) => subject.vnf === vnf).map(({ subject }) => subject.vnfc),
    );
    const rest = [...(places.vnfcs.get(vnf) ?? [])].filter((vnfc) => !changed.has(vnfc));
    return rest.length === 0 ? [] : [[vnf, rest.sort(byOrdinal)] as const];
  });
  return { changes, stays: Object.fromEntries(stays) };
}

/** A change with its resources. */
type ResourceChange = Omit<Change, "parts"> & { readonly resources: readonly Resource[] };

/**
 * The changes of one VNFC, or of resources without a VNFC. If the server is created or deleted there is one change for
 * all its parts; otherwise each resource is a change.
 * @param all the resources of the VNFC, with those that are parts of others
 */
function changesOf(
  resources: readonly Resource[],
  all: readonly Resource[],
  clusterEnds: boolean,
): readonly ResourceChange[] {
  const { vnf, vnfc } = resources[0] ?? {};
  const action = serverAction(resources);
  // these are deleted with a VNFC that is deleted, but never for a new server
  const ends: readonly Action[] =
    action === "create" || action === "replace" ? ["replace", "delete"] : ["replace"];
  const isLost = (one: Resource): boolean => outlivesServer(one) && ends.includes(one.action);
  const changes = (some: readonly Resource[]) => some.map((one) => changeOf(one, isLost(one)));
  if (vnfc === undefined || action === undefined || action === "update")
    return changes(resources).map((change) => ({ ...change, text: textOf(change, all) }));
  const others = resources.filter((one) => one.action === "discard" || isLost(one));
  const whole: ResourceChange = {
    action,
    subject: subjectOfVnfc(vnf, vnfc),
    text: describeVnfc(vnfc, all, clusterEnds),
    resources: resources.filter((one) => !others.includes(one)),
  };
  return [whole, ...changes(others)];
}

/** Returns the text of a change whose server stays. */
function textOf({ resources: [resource], text }: ResourceChange, all: readonly Resource[]): string {
  return (resource && describePort(resource, all)) ?? text;
}

/** @param isLost true if addresses or data of a VNFC are lost although its server stays */
function changeOf(resource: Resource, isLost: boolean): ResourceChange {
  const { action, replicas } = resource;
  return {
    action,
    subject: subjectOf(resource),
    text: describeResource(resource),
    ...(isLost && { isLoss: true }),
    ...(action === "update" && replicas && replicas[0] !== replicas[1] && { replicas }),
    resources: [resource],
  };
}

function partOf(resource: Resource): Part {
  const { action, differs, object, retained } = resource;
  const isThere = action === "update" || action === "replace";
  return {
    action,
    subject: subjectOf(resource),
    ...(isThere && differs.length > 0 && { differs: [...differs].sort() }),
    ...((action === "delete" || action === "create") && object !== undefined && retained && { retained }),
  };
}

/** Compares parts by kind and key, because Pulumi reports concurrent steps in any order. */
function byKindAndKey({ subject: one }: Part, { subject: other }: Part): number {
  return byOrdinal(`${one.kind} ${one.key}`, `${other.kind} ${other.key}`);
}

/** Compares VNFCs; resources without a VNFC come last. */
function byOrdinal(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return a.localeCompare(b, "en", { numeric: true });
}

/** A preview as lines. */
export function describePreview({ changes, stays }: Preview): readonly string[] {
  if (changes.length === 0) return ["nothing changes"];
  const lines = changes.map(describeChange);
  const rest = Object.entries(stays).map(
    ([vnf, vnfcs]) => `${vnf}: ${vnfcs.join(", ")} ${vnfcs.length === 1 ? "stays" : "stay"}`,
  );
  return [...lines, ...rest, "nothing else changes"];
}

export function describeChange({ subject: { vnf }, text }: Change): string {
  return vnf === undefined ? text : `${vnf}: ${text}`;
}
