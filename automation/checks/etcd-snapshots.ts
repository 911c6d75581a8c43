import { setTimeout as sleep } from "node:timers/promises";
import type { Script } from "../stack/stack-state";
import { ask } from "./ask";
import { linesOf, type Finding } from "./checks";
import { factsOf } from "./facts";
import type { ProgramResult } from "./run-program";

/** A verified snapshot of etcd in its store. */
export interface Snapshot {
  /** Timestamp from `date` in control-plane-archive.sh, in a format whose strings sort like times. */
  readonly time: string;
  readonly revision: number;
  /** Number of keys in etcd. */
  readonly keys: number;
  /** Version of the API server; `-` if the snapshot has none. */
  readonly version: string;
  /** Digest of the cluster's CA. */
  readonly ca: string;
  /** Node that has taken it. */
  readonly node: string;
}

/** Content of the store of a control plane: archives and snapshots. */
export interface Kept {
  /** Timestamp of the archive for the next server. Null: there is no archive. */
  readonly copy: string | null;
  /** The snapshots, the newest first. */
  readonly snapshots: readonly Snapshot[];
  /** Age of the newest snapshot in seconds, by the clock of the store. Null: there is no snapshot. */
  readonly age: number | null;
  /** Age of the store itself, in seconds. */
  readonly open: number;
}

/** Reads the output of control-plane-store.sh for `kept`. */
const readKept = factsOf<Omit<Kept, "snapshots"> & { readonly snapshots: readonly string[] }>({
  properties: {
    copy: { type: "string", nullable: true },
    snapshots: { elements: { type: "string" } },
    age: { type: "float64", nullable: true },
    open: { type: "float64" },
  },
});
/** Reads a script's answer to `begun`: whether its server has a control plane. */
export const readBegun = factsOf<{ readonly begun: boolean }>({ properties: { begun: { type: "boolean" } } });
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const HEADER = /^(\S+) (\d+) (\d+) ([v0-9.-]+) ([0-9a-f]{64}) ([a-z0-9.-]+)$/;

/** Number of attempts to reach a server, so that a slow answer never counts as a loss of etcd's data. */
const TRIES = 3;
const PAUSE_SECONDS = 5;

/** Repeats a query that gets no answer. */
export async function patiently(question: () => Promise<ProgramResult>): Promise<ProgramResult> {
  for (let attempt = 1; ; attempt++) {
    const answer = await question();
    if (answer.status === 0 || attempt === TRIES) return answer;
    await sleep(PAUSE_SECONDS * 1000);
  }
}

/**
 * Parses the answer of a store.
 * @returns the reason if there is no valid answer
 */
export function keptIn({ status, stdout, stderr }: ProgramResult): Kept | { readonly unknown: string } {
  if (status !== 0) return { unknown: lastLine(stderr) };
  const { snapshots: headers, ...kept } = readKept(stdout);
  const snapshots = headers.map(snapshotOf);
  const times = [kept.copy, ...snapshots.map((one) => one?.time ?? "")].filter((time) => time !== null);
  if (!times.every((time) => TIME.test(time))) return { unknown: "it reports no time" };
  return { ...kept, snapshots: snapshots.filter((one) => one !== undefined) };
}

/** Queries a store for its content. */
export async function keptBy(
  store: Script,
  signal?: AbortSignal,
): Promise<Kept | { readonly unknown: string }> {
  return keptIn(await patiently(() => ask(store, "kept", signal)));
}

/** Parses the header of a snapshot: see control-plane-snapshot.sh. @returns undefined if it is none */
export function snapshotOf(header: string): Snapshot | undefined {
  const [, time, revision, keys, version, ca, node] = HEADER.exec(header) ?? [];
  if (time === undefined || version === undefined || ca === undefined || node === undefined) return undefined;
  return { time, revision: Number(revision), keys: Number(keys), version, ca, node };
}

export function lastLine(text: string): string {
  return linesOf(text).at(-1) ?? "no answer";
}

/** The snapshots of a cluster's etcd, for a report. */
export interface SnapshotReport {
  readonly vnf: string;
  /** Name of the VNFC with the store. */
  readonly store: string;
  /** Number of verified snapshots in the store. */
  readonly kept: number;
  /** The newest snapshot, with its age in seconds. Undefined: there is none. */
  readonly newest?: Snapshot & { readonly age: number };
}

/**
 * Age in seconds above which the newest snapshot is late: two intervals of five minutes, and a minute for its transfer.
 */
const LATE_SECONDS = 11 * 60;

/**
 * Reports the snapshots in a store.
 * @param scripts scripts that take snapshots for it; running the first one again takes a snapshot, or prints the reason
 * why it cannot
 */
export function snapshotReport(
  store: Script,
  scripts: readonly Script[],
  answer: ProgramResult,
): { readonly report?: SnapshotReport; readonly findings: readonly Finding[] } {
  const { vnf, vnfc = "" } = store;
  const kept = keptIn(answer);
  const place = vnfc === "" ? { vnf } : { vnf, vnfc };
  if ("unknown" in kept) {
    const text = `step ${store.step} cannot be checked: ${kept.unknown}`;
    return { findings: [{ urn: store.urn, ...place, step: store.step, kind: "unchecked", text }] };
  }
  const { snapshots, age, open } = kept;
  const [newest] = snapshots;
  const report = {
    ...{ vnf, store: vnfc, kept: snapshots.length },
    ...(newest !== undefined && age !== null && { newest: { ...newest, age } }),
  };
  const [first = store] = scripts;
  const isLate = Math.min(age ?? Infinity, open) > LATE_SECONDS;
  const last = newest === undefined ? "" : `; the last one is of ${newest.time}`;
  const text = `${vnfc} has received no proven snapshot of etcd for more than 10 minutes${last}: see 'journalctl -u vnfm-control-plane-snapshot' there`;
  const { urn, step, vnfc: taker } = first;
  const finding: Finding = {
    ...{ urn, vnf, ...(taker !== undefined && { vnfc: taker }), step },
    ...{ kind: "differs", wayOut: "mend", text },
  };
  return { report, findings: isLate ? [finding] : [] };
}

/** A report as a line. */
export function describeSnapshots({ vnf, store, kept, newest }: SnapshotReport): string {
  if (newest === undefined) return `${vnf}: no snapshot of etcd on ${store} yet`;
  const { time, age, revision } = newest;
  const minutes = Math.round(age / 60);
  return `${vnf}: etcd of ${time}, proven, ${minutes} min old, revision ${revision}, on ${store} (${kept} kept)`;
}
