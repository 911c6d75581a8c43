/** Pure functions that find the reasons why an object is not ready, in data of the cluster. */
import { deletionOf } from "./deletion";
import { condition, readinessKind } from "./status";
import { claimOf, isReleased, suits } from "./volumes";

/** Data of the cluster about an object. */
export interface ObjectContext {
  readonly object: any;
  /** The newest ReplicaSet of a Deployment. */
  readonly replicaSet?: any;
  /** Pods of the object; of a Deployment, those of its newest ReplicaSet. */
  readonly pods: any[];
  /** PVCs that the pods mount. */
  claims: any[];
  /** Volumes of the cluster, read only if a PVC has none. */
  volumes?: any[];
  /** Events by the uid of their object. */
  readonly events: Record<string, any[]>;
  /** The end of each container's log, by `<pod>/<container>`. */
  readonly logs: Record<string, string>;
}

/**
 * A reason why an object is not ready. `who` is the object, `part` a part of it such as a container, and `what` the
 * reason. `written` is the output of a container, apart because it may contain secrets.
 */
type Reason = { who: string; part?: string; what: string; written?: string };

const MAX_REASONS = 8;

/** Lists the reasons why the object is not ready. Pods with the same reason are combined. */
export function finalReasons(found: ObjectContext): string[] {
  return grouped([...lasting(found), ...fleeting(found)]).map(({ line, written }) =>
    written === undefined ? line : `${line}\n${indented(written)}`,
  );
}

/**
 * Lists the reasons that may be shown during the wait: without events, which may be outdated, and without output of
 * containers.
 */
export function presentReasons(found: ObjectContext): string[] {
  return grouped(lasting(found)).map(({ line }) => line);
}

function lasting({ object, replicaSet, pods, claims, volumes = [], logs, events }: ObjectContext): Reason[] {
  return [
    ...[object, ...claims, ...pods.filter((pod) => pod !== object)].flatMap(ofDeletion),
    ...ofConditions(replicaSet ?? object, events),
    ...unready(pods).flatMap((pod) => ofPod(pod, logs)),
    ...claims.flatMap((claim) => ofReleased(claim, volumes)),
  ];
}

/** Returns reasons from events, for objects without any other reason. */
function fleeting({ object, replicaSet, pods, claims, volumes = [], events }: ObjectContext): Reason[] {
  const owners = [replicaSet, object].filter(
    (owner) => owner !== undefined && readinessKind(owner) !== "Pod",
  );
  const waiting = unready(pods).filter((pod) => ofPod(pod, {}).length === 0);
  return [
    ...owners
      .filter(
        (owner) =>
          ofConditions(owner, events).length === 0 && readinessKind(owner) !== "PersistentVolumeClaim",
      )
      .flatMap((owner) => warnings(owner, events)),
    ...waiting.flatMap((pod) => warnings(pod, events)),
    ...claims
      .filter((claim) => isUnbound(claim) && ofReleased(claim, volumes).length === 0)
      .map((claim) => ofClaim(claim, events)),
  ];
}

/**
 * Finds conditions with the reason why a controller creates no pods. Conditions keep the first message, events the
 * last.
 */
function ofConditions(owner: any, events: Record<string, any[]>): Reason[] {
  const newest = newestFirst(events[owner.metadata.uid] ?? []);
  const failure = condition(owner, "ReplicaFailure");
  const progress = readinessKind(owner) === "Deployment" ? condition(owner, "Progressing") : undefined;
  const jobEnd = readinessKind(owner) === "Job" ? condition(owner, "Failed") : undefined;
  return [
    ...(failure?.status === "True" ? [failure] : []),
    ...(progress?.status === "False" && progress.reason !== "ProgressDeadlineExceeded" ? [progress] : []),
    ...(jobEnd?.status === "True" ? [jobEnd] : []),
  ].map(({ reason, message }) => {
    const last = newest.find((event) => event.reason === reason);
    return { who: named(owner), what: joined(reason, last?.message ?? message) };
  });
}

function ofDeletion(object: any): Reason[] {
  const what = deletionOf(object);
  return what === undefined ? [] : [{ who: named(object), what }];
}

export function unready(pods: any[]) {
  return pods.filter(
    (pod) =>
      !pod.metadata.deletionTimestamp &&
      pod.status?.phase !== "Succeeded" &&
      condition(pod, "Ready")?.status !== "True",
  );
}

function ofPod(pod: any, logs: Record<string, string>): Reason[] {
  const { phase, reason, message, initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const who = named(pod);
  const scheduled = condition(pod, "PodScheduled");
  if (scheduled?.status === "False")
    return [{ who, what: joined(scheduled.reason ?? "Unschedulable", scheduled.message) }];
  const containers = [...initContainerStatuses, ...containerStatuses].flatMap((status) => {
    const what = ofContainer(status);
    const written = logs[`${pod.metadata.name}/${status.name}`] ?? ended(status)?.message;
    return what === undefined
      ? []
      : [{ who, part: `container ${status.name}`, what, ...(isCrash(status) && written ? { written } : {}) }];
  });
  if (containers.length > 0) return containers;
  // evicted, for instance
  return phase === "Failed" ? [{ who, what: joined(reason ?? "Failed", message) }] : [];
}

/** Waiting reasons of each container during a normal start. */
const STARTING = ["ContainerCreating", "PodInitializing"];

/** @param status of a container, from its pod */
function ofContainer(status: any): string | undefined {
  const { waiting } = status.state ?? {};
  if (isCrash(status)) {
    const { exitCode, reason } = ended(status);
    const why = reason === undefined || reason === "Error" ? "" : ` (${reason})`;
    return `${waiting?.reason ?? "crash"}: it ended with exit code ${exitCode}${why}`;
  }
  if (waiting?.reason === undefined || STARTING.includes(waiting.reason)) return undefined;
  return joined(waiting.reason, waiting.message);
}

/** Returns true if a container has ended although it should run. */
export function isCrash(status: any) {
  const last = ended(status);
  if (last === undefined || status.ready) return false;
  return last.exitCode !== 0 || status.state?.waiting?.reason === "CrashLoopBackOff";
}

function ended({ state, lastState }: any) {
  return state?.terminated ?? lastState?.terminated;
}

export function isUnbound({ status }: any) {
  return status?.phase !== "Bound";
}

/** Lists Released volumes that would fit a PVC: the PVC's events mention only that there is no volume. */
function ofReleased(claim: any, volumes: any[]): Reason[] {
  const kept = volumes.filter((volume) => isUnbound(claim) && isReleased(volume) && suits(volume, claim));
  return kept.map((volume) => ({
    who: named(claim),
    what:
      `PersistentVolume ${volume.metadata.name} would fit it, but is Released: its PVC ${claimOf(volume)} was ` +
      "deleted, and its reclaim policy is Retain; 'vnfm release' makes it available again, with its data",
  }));
}

function ofClaim(claim: any, events: Record<string, any[]>): Reason {
  const [newest] = newestFirst(events[claim.metadata.uid] ?? []);
  const phase = `is ${claim.status?.phase ?? "not seen yet"}`;
  const why = newest === undefined ? "" : `: ${joined(newest.reason, newest.message)}`;
  return { who: named(claim), what: phase + why };
}

/** Returns the newest warnings about an object, at most two. */
function warnings(about: any, events: Record<string, any[]>) {
  const all = newestFirst(events[about.metadata.uid] ?? []).filter(({ type }) => type === "Warning");
  return all
    .filter(({ reason }, i) => all.findIndex((other) => other.reason === reason) === i)
    .slice(0, 2)
    .map(({ reason, message }) => ({ who: named(about), what: joined(reason, message) }));
}

function newestFirst(events: any[]) {
  const at = (event: any) =>
    Date.parse(
      event.series?.lastObservedTime ??
        event.lastTimestamp ??
        event.eventTime ??
        event.metadata?.creationTimestamp ??
        0,
    );
  return [...events].sort((a, b) => at(b) - at(a));
}

function grouped(reasons: Reason[]) {
  const groups: Map<string, { first: Reason; others: Set<string> }> = new Map();
  for (const reason of reasons) {
    const name = reason.who.split(" ")[1] ?? "";
    const key = `${reason.part} ${withoutNumbers(reason.what.replaceAll(name, "*"))}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: reason, others: new Set() });
    else if (reason.who !== group.first.who) group.others.add(reason.who);
  }
  return [...groups.values()].slice(0, MAX_REASONS).map(({ first: { who, part, what, written }, others }) => {
    const subject = others.size === 0 ? who : `${who} (and ${others.size} more)`;
    return { line: `${subject}${part === undefined ? "" : `, ${part}`}: ${what}`, written };
  });
}

/** Replaces numbers to compare messages, because a repeated error has other addresses and ports. Exit codes stay. */
export function withoutNumbers(text: string) {
  return text.replace(/(exit code )?\d+/g, (number, code) => (code === undefined ? "0" : number));
}

function named({ kind, metadata }: any) {
  return `${kind} ${metadata.name}`;
}

function joined(reason: string = "no reason is given", message?: string) {
  return message ? `${reason}: ${message.trim().replace(/\s*\n\s*/g, " ")}` : reason;
}

function indented(text: string) {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  | ${line.slice(0, 300)}`)
    .join("\n");
}
