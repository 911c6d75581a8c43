import { own } from "../../components/base/own";
import { phaseOf, wordsOf } from "../../components/deploy/phases";
import { ownerOfStep, type StepKind } from "../../components/deploy/steps";
import type { ScriptName } from "../../components/remote/scripts";
import { nameWithin, type Place } from "../stack/places";
import { nameOfUrn, SERVER, STASH, type Action, type Step } from "../stack/steps";
import { FLOATING_IP, PORT, VOLUME, WHOLES, wordOf } from "./kinds";
import { subjectOf, type Subject } from "./subject";

/** A changed resource, and its place in the stack. */
export interface Resource extends Step, Place {
  readonly action: Action;
}

/** The property of a port whose change replaces the port. */
const NETWORK = "networkId";

/**
 * Results of commands on the machine that runs Pulumi, by name of the command; other commands are shown by their names.
 */
const MADE_HERE: Readonly<Record<string, string>> = {
  key: "SSH key",
  "host-key": "SSH host key",
  "masters-host-key": "SSH host key of the masters",
};

const DONE: Readonly<Record<Action, string>> = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  discard: "deleted: an earlier run replaced it",
};

/** Internal steps: their creation or deletion together with their instance is not shown. */
const INSIDE: readonly (StepKind | undefined)[] = ["wholeHeal", "evacuation", "claimCheck", "storeKey"];

/**
 * Returns true for a resource that the preview leaves out: an internal step, or a resource that is created or deleted
 * together with one that is shown, such as a rule with its security group, an object of a chart with its release, or
 * the data of a joining node with its taints.
 * @param others changed resources of its VNF instance
 */
export function isPartOf(resource: Resource, others: readonly Resource[]): boolean {
  const { action, kind, vnfc } = resource;
  if (runsAgain(resource, "join-node.sh"))
    return others.some((one) => one.vnfc === vnfc && taintsOf(one).length > 0);
  if (kind === "portExchange")
    return others.some((one) => one.vnfc === vnfc && (one.type === PORT || one.type === SERVER));
  if (INSIDE.includes(kind) && (action === "create" || action === "delete"))
    return others.some((one) => one.action === action && !INSIDE.includes(one.kind));
  return wholeOf(resource, others) !== undefined;
}

/** The resource, among others, with which it is created or deleted; undefined if there is none. */
export function wholeOf(
  { action, type, parent, urn }: Resource,
  others: readonly Resource[],
): Resource | undefined {
  const whole = own(WHOLES, type);
  if (whole === undefined || (action !== "create" && action !== "delete")) return undefined;
  const wholes = others.filter((one) => one.action === action && one.type === whole && one.parent === parent);
  // its name starts with that of its whole; the name of one whole may start with that of another
  const [named] = wholes
    .filter((one) => nameOfUrn(urn).startsWith(`${nameOfUrn(one.urn)}-`))
    .sort((a, b) => b.urn.length - a.urn.length);
  return named ?? wholes[0];
}

const runsAgain = ({ action, script }: Resource, expected: ScriptName): boolean =>
  action === "update" && script === expected;

/** Changed labels of a Node, as `-former` and `+new`. */
const labelsOf = (step: Resource): readonly string[] => differencesOf(step, "node_labels");
const taintsOf = (step: Resource): readonly string[] => differencesOf(step, "node_taints");

function differencesOf(step: Resource, list: "node_labels" | "node_taints"): readonly string[] {
  if (!runsAgain(step, "node-labels.sh")) return [];
  const [before = [], after = []] = (step.shown ?? []).map((data) =>
    (data[list] ?? "").split(",").filter(Boolean),
  );
  return [
    ...before.filter((one) => !after.includes(one)).map((one) => `-${one}`),
    ...after.filter((one) => !before.includes(one)).map((one) => `+${one}`),
  ];
}

/** The change of a VNFC's server; undefined if it stays as it is. */
export function serverAction(resources: readonly Resource[]): Action | undefined {
  return resources.find(({ type, action }) => type === SERVER && action !== "discard")?.action;
}

/** Returns true for a resource that the next server of a VNFC uses too: addresses and data. */
export function outlivesServer({ type }: Resource): boolean {
  return [PORT, FLOATING_IP, VOLUME].includes(type);
}

/** Returns true for a step that runs one of vnfm's scripts on a server. */
function runsOnServer({ script }: Step): boolean {
  return script !== undefined;
}

/**
 * Returns true if the whole cluster is deleted with a VNFC. The other nodes are not drained then, because no master is
 * left to drain them.
 */
export function endsCluster(resources: readonly Resource[]): boolean {
  return resources.some(
    (one) => one.kind === "init" && (one.action === "delete" || one.action === "replace"),
  );
}

/**
 * Describes the change of a VNFC whose server is created, replaced or deleted.
 * @param resources changed resources of the VNFC
 * @param clusterEnds true if its cluster is deleted too
 */
export function describeVnfc(vnfc: string, resources: readonly Resource[], clusterEnds: boolean): string {
  const action = serverAction(resources);
  const isMember = resources.some(({ kind }) => kind === "membership");
  const ofMaster = resources.some((one) => one.ofMaster);
  const isFirst = resources.some(({ kind }) => kind === "init");
  if (action === "create") {
    const role = isFirst
      ? " and bootstraps the cluster"
      : isMember || ofMaster
        ? " and joins the cluster"
        : "";
    const again = resources.some((one) => one.unmade) ? "; an earlier run failed to create its server" : "";
    return `${vnfc} is added${role}${again}`;
  }
  const leaves = isMember && !clusterEnds;
  const ends = [
    ...(leaves ? ["is drained, leaves the cluster"] : []),
    ...(ofMaster ? [describeEndOfMaster(vnfc, resources, clusterEnds)] : []),
    "its server is deleted",
  ].join(", ");
  if (action === "delete") return `${vnfc}${leaves ? "" : ":"} ${ends}`;
  const joins = isMember || ofMaster ? " and joins" : "";
  const begins = isFirst && clusterEnds ? " and bootstraps a new cluster" : joins;
  const returns = isCopied(resources) && !clusterEnds ? " and gets them" : begins;
  return `${vnfc} is replaced${describeReason(resources)}: ${leaves ? "it " : ""}${ends}, a new one is created${returns}`;
}

/**
 * The reason of a server's replacement, if it is a changed port: Nova's resource cannot change the ports of a server.
 */
function describeReason(resources: readonly Resource[]): string {
  // the server would keep them
  if (resources.some(({ kind }) => kind === "portExchange")) return "";
  const moved = resources
    .filter(({ type, action, differs }) => type === PORT && action === "replace" && differs.includes(NETWORK))
    .map((port) => nameOfSubject(subjectOf(port)));
  return moved.length === 0 ? "" : `, because the network of its ${moved.join(", ")} changes`;
}

/**
 * Returns true if the control plane of a single master is copied to a worker, for the next server, before the server is
 * deleted.
 */
function isCopied(resources: readonly Resource[]): boolean {
  return resources.some(({ kind }) => kind === "copy");
}

function describeEndOfMaster(vnfc: string, resources: readonly Resource[], clusterEnds: boolean): string {
  if (clusterEnds) return "its cluster is lost";
  return isCopied(resources) ? "a worker keeps its etcd and certificates" : `etcd member ${vnfc} leaves`;
}

/**
 * Describes the change of a port whose server stays; undefined for one in place, and for one that no server has.
 * @param resources changed resources of the VNFC
 */
export function describePort(resource: Resource, resources: readonly Resource[]): string | undefined {
  const exchange = resources.find(({ kind }) => kind === "portExchange");
  if (resource.type !== PORT || exchange === undefined) return undefined;
  const { action, vnfc, differs } = resource;
  const subject = subjectOf(resource);
  const port = `${vnfc}: ${nameOfSubject(subject)}`;
  if (action === "create") return `${port} is created and attached; the server stays`;
  if (action === "delete") return `${port} is detached and deleted; the server stays`;
  if (action !== "replace" || !differs.includes(NETWORK)) return undefined;
  const network = own(exchange.shown?.[1] ?? {}, subject.key);
  return `${port} moves to ${network === undefined ? "another network" : `network ${network}`}; the server stays`;
}

/** Describes the change of a single resource. */
export function describeResource(resource: Resource): string {
  const { action, type, object, replicas, differs, vnfc, kind } = resource;
  if (object !== undefined) {
    if (type === STASH) return `${object} of the chart is ${DONE[action]}`;
    if (action === "delete" && resource.retained) return `${object} stays on the cluster`;
    if (action === "create" && resource.retained) return `${object} is created, unless it exists`;
    if (action === "update" && replicas !== undefined && replicas[0] !== replicas[1])
      return `${object} is scaled from ${replicas[0]} to ${replicas[1]}`;
    return `${object} is ${DONE[action]}${changed(action, differs)}`;
  }
  const prefix = vnfc === undefined ? "" : `${vnfc}: `;
  if (kind === "membership" && ["delete", "replace"].includes(action))
    return `${prefix}is drained, leaves the cluster${action === "replace" ? ", and joins again" : ""}`;
  if (kind === "portExchange" && action !== "delete")
    return `${prefix}its ports are compared with those of its server`;
  if (kind === "evacuation" && action === "update") return "what is in use on the cluster is queried first";
  if (kind === "claimCheck" && (action === "create" || action === "update"))
    return "the cluster is searched first for existing objects of others";
  if (kind === "definitions" && action !== "delete" && action !== "discard")
    return `CRDs are ${action === "create" ? "created" : "updated"}`;
  if (kind === "definitionsEnd")
    return action === "delete" ? "CRDs are deleted" : "the script that deletes its CRDs is stored";
  if (kind === "foreignObjects")
    return action === "delete" || action === "replace"
      ? "its CRDs and Namespaces are searched first for objects of others"
      : "the script that protects objects of others is stored";
  if (kind === "wholeHeal" && action === "replace")
    return "all of its servers are deleted before a new one is created";
  const ofNode = [["labels", labelsOf(resource)] as const, ["taints", taintsOf(resource)] as const].flatMap(
    ([what, differences]) => (differences.length === 0 ? [] : [`${what} change: ${differences.join(", ")}`]),
  );
  if (ofNode.length > 0) return `${prefix}${ofNode.join("; ")}`;
  const phase = resource.script && phaseOf(nameOfUrn(resource.urn), resource.script);
  if (phase !== undefined && ["create", "update", "replace"].includes(action))
    return `${prefix}${wordsOf(phase, action !== "create")}`;
  const what = nameOfSubject(subjectOf(resource));
  if (runsOnServer(resource) && action !== "discard")
    return `${prefix}${what} ${action === "delete" ? "is undone" : action === "create" ? "runs" : "runs again"}`;
  return `${prefix}${what} is ${DONE[action]}${changed(action, differs)}`;
}

/** Name of a resource within its VNFC or VNF instance: `key pair`, `port workerNode_CP1`, `Deployment web/frontend`. */
export function nameOfSubject({ kind, key }: Subject): string {
  if (kind === "command") return own(MADE_HERE, key) ?? key;
  return [wordOf(kind), key].filter((part) => part !== "").join(" ");
}

/** Describes the release of a PersistentVolume, whose former PVC is named. */
export function describeReleased(name: string, claim: string): string {
  return `PersistentVolume ${name} becomes available to any PVC that it fits, with the data of ${claim}, which was deleted`;
}

/**
 * Describes the end of a step of an update, of a server, a script or a Kubernetes object; undefined for steps that take
 * little time.
 */
export function describeEnd(resource: Step & Place, isDone: boolean): string | undefined {
  const { type, object, op, vnf, vnfc, urn, kind, retained } = resource;
  // the objects of a chart are finished with their release
  if (vnf === undefined || op === "replace" || type === STASH) return undefined;
  const verb = op.startsWith("delete") ? "deleted" : op.startsWith("create") ? "made" : "updated";
  const outcome = isDone ? verb : `is not ${verb}`;
  if (object !== undefined && retained && verb === "deleted") return `${vnf}: ${object} stays on the cluster`;
  if (object !== undefined) return `${vnf}: ${object} ${outcome}`;
  if (kind === "objectReady" && verb !== "deleted") {
    const name = ownerOfStep(nameWithin(nameOfUrn(urn), vnf), kind);
    return `${vnf}: ${name} ${isDone ? "ready" : "is not ready"}`;
  }
  if (vnfc === undefined) return undefined;
  const place = `${vnf}: ${vnfc}:`;
  if (type === SERVER) return `${place} server ${outcome}`;
  if (kind === "membership" && verb === "deleted")
    return `${place} ${isDone ? "drained, out of the cluster" : "is not drained"}`;
  if (kind === "nodeReady" && verb !== "deleted")
    return `${place} ${isDone ? "Ready" : "is not Ready"} in the cluster`;
  // a new one does nothing yet
  if (kind === "membership") return undefined;
  if (kind === "copy" && verb === "deleted")
    return `${place} etcd and certificates are ${isDone ? "" : "not "}with a worker`;
  // the other scripts do nothing when they are deleted
  if (!runsOnServer(resource) || verb === "deleted") return undefined;
  return `${place} ${nameWithin(nameOfUrn(urn), `${vnf}-${vnfc}`)} ${isDone ? "done" : "is not done"}`;
}

function changed(action: Action, differs: readonly string[]): string {
  return action !== "update" || differs.length === 0 ? "" : ` (${[...differs].sort().join(", ")})`;
}
