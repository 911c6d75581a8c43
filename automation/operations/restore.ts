import { jsonData } from "../../components/base/json";
import { minorsAfter } from "../../components/kube/cluster/version-skew";
import { parseVersion } from "../../components/kube/cluster/version";
import { serversOfRole } from "../../components/plan/kubeadm/pools";
import { clusterOf } from "../../components/plan/model";
import { parseAccess } from "../../components/render/access";
import { ask, askAll } from "../checks/ask";
import { keptBy, lastLine, readBegun, type Kept, type Snapshot } from "../checks/etcd-snapshots";
import { bucketOf, keptInBucket } from "../checks/snapshot-bucket";
import { madeServers, NOT_RUNNING, statusesOf, type MadeServer } from "../checks/servers";
import { Fault, UsageFault } from "../fault";
import type { Run } from "../run";
import { intentOf, vnfOf, type IntendedVnf } from "../stack/intent";
import { cloudOfSetting, CloudSessions } from "../stack/clouds";
import type { Moment } from "../stack/moment";
import type { PulumiStack } from "../stack/pulumi";
import type { Script, StackState } from "../stack/stack-state";
import { reveal } from "../stack/state";
import { planHeal } from "./heal";
import { forget, refuseOlder } from "./lost-etcd";
import { operate, type Operation, type Outcome } from "./operation";

/**
 * Restores a kubeadm cluster whose masters are all lost: their servers are replaced, and the first one bootstraps the
 * cluster again from a snapshot of etcd.
 * @param chosen time of the snapshot. @default the newest one
 * @throws UsageFault if there is no such cluster or snapshot, Fault if a master may be running, or the snapshot cannot
 * be used; otherwise as `operate` does
 */
export function restore(
  stack: PulumiStack,
  vnf: string,
  chosen: string | undefined,
  run: Run,
): Promise<Outcome> {
  const token = new Date().toISOString();
  const plan = async (now: Moment): Promise<Operation> => {
    const intended = vnfOf(intentOf(now.settings), vnf);
    const lost = await readLost(stack, intended, await now.state(), run.signal);
    const snapshot = chosenOf(intended, lost, chosen);
    return {
      ...planHeal(now.settings, vnf, [...lost.masters, ...lost.lostStore], token),
      warnings: describeRestore(vnf, lost, snapshot),
      prepare: async () => {
        // a new store has the snapshots of the bucket, and the first master selects one there
        if (lost.lostStore.length === 0) await agree(lost.store, snapshot, run.signal);
        refuseOlder(lost.begin, snapshot.time);
        // a lost master cannot leave, nor leave a copy
        await forget(stack, lost.leaving);
        return undefined;
      },
    };
  };
  return operate(stack, plan, run);
}

/** A cluster whose masters are all lost. */
export interface LostCluster {
  /** Keys of the masters. */
  readonly masters: readonly string[];
  readonly store: Script;
  /** Key of the worker with the store if it is lost too: then the snapshots are in a bucket. Otherwise empty. */
  readonly lostStore: readonly string[];
  /** Place of the snapshots for messages: the name of a VNFC, or `the bucket states`. */
  readonly place: string;
  readonly kept: Pick<Kept, "copy" | "snapshots" | "age">;
  /** The step that creates the control plane of the first master. */
  readonly begin: Script;
  /** The steps that run when a master is deleted. */
  readonly leaving: readonly Script[];
  /** Digest of the CA of the cluster in the state. */
  readonly ca: string;
}

/** @throws Fault if a master may be running, or the store does not answer */
async function readLost(
  stack: PulumiStack,
  { name, plan }: IntendedVnf,
  state: StackState,
  signal: AbortSignal | undefined,
): Promise<LostCluster> {
  const cluster = clusterOf(plan);
  if (cluster === undefined)
    throw new UsageFault(`${name} is not a kubeadm cluster: it has no snapshots of etcd`);
  state.assertMade(name);
  const masters = serversOfRole(cluster, "master").map(({ key }) => key);
  const scripts = state.scripts(name);
  const store = scripts.find(({ script }) => script === "control-plane-store.sh");
  const begin = scripts.find(({ kind }) => kind === "restore" || kind === "fromSnapshot");
  if (store === undefined || begin === undefined)
    throw new Fault(`${name} has no store of snapshots: run 'vnfm up', which continues an interrupted run`);
  let listed: ReturnType<Statuses> | undefined;
  const sessions = new CloudSessions(stack);
  const statuses = () => (listed ??= sessions.to(cloudOfSetting(plan.cloud)).then(statusesOf));
  await assertLost(name, masters, state, statuses, signal);
  const workers = serversOfRole(cluster, "worker").map(({ key }) => key);
  const stored = await snapshotsOf(name, store, workers, state, statuses, signal);
  const leaving = [...masters, ...stored.lostStore];
  return {
    ...{ masters, store, begin, ...stored, ca: caOf(state, name) },
    leaving: scripts.filter(
      ({ kind, vnfc }) => kind === "copy" || (kind === "membership" && leaving.includes(vnfc ?? "")),
    ),
  };
}

/** Lists the statuses of the project's servers by id, once. */
type Statuses = () => Promise<ReadonlyMap<string, string>>;

/**
 * The snapshots of a cluster: those of their store, or those of the bucket if the worker with the store is lost.
 * @throws Fault if neither can be read
 */
async function snapshotsOf(
  name: string,
  store: Script,
  workers: readonly string[],
  state: StackState,
  statuses: Statuses,
  signal: AbortSignal | undefined,
): Promise<Pick<LostCluster, "lostStore" | "place" | "kept">> {
  const { vnfc = name } = store;
  const kept = await keptBy(store, signal);
  if (!("unknown" in kept)) return { lostStore: [], place: vnfc, kept };
  const silent = `${vnfc} stores the snapshots, and does not answer: ${kept.unknown}`;
  const bucket = bucketOf(store);
  // the volume of a storage server has the snapshots, and it can be healed without a control plane
  if (bucket === undefined || !workers.includes(vnfc)) throw new Fault(`${silent}. Start or heal it first`);
  const server = madeServers(state, name).find((one) => one.vnfc === vnfc);
  const status = server && runningStatus(server, await statuses());
  if (server !== undefined && status !== undefined)
    throw new Fault(
      `${silent}. The server ${server.id} is ${status}, and may have newer snapshots than the bucket ${bucket.bucket}. ` +
        `Repair it, or stop it to use those of the bucket: openstack server stop ${server.id}. If a restore was ` +
        "interrupted, 'pulumi up' continues it",
    );
  try {
    const inBucket = await keptInBucket(bucket);
    return { lostStore: [vnfc], place: `the bucket ${bucket.bucket}`, kept: inBucket };
  } catch (error) {
    throw new Fault(`${silent}. The bucket ${bucket.bucket} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Checks that all masters that do not answer over SSH are stopped, because two control planes of one cluster must never
 * run at once.
 * @throws Fault if one may be running
 */
async function assertLost(
  name: string,
  masters: readonly string[],
  state: StackState,
  statuses: Statuses,
  signal: AbortSignal | undefined,
): Promise<void> {
  const scripts = state
    .scripts(name, "begun")
    .filter(({ script, vnfc }) => script === "control-plane-snapshots.sh" && masters.includes(vnfc ?? ""));
  const answers = await askAll(scripts, "begun", signal);
  const alive = answers.flatMap(([{ vnfc = "" }, { status, stdout }]) =>
    status === 0 && readBegun(stdout).begun ? [vnfc] : [],
  );
  if (alive.length > 0)
    throw new Fault(
      `${alive.join(", ")}: the server answers and has a control plane, so nothing is restored. If only other masters are ` +
        `lost, run 'vnfm heal ${name}' with these; if etcd is lost on all of them, stop the servers first`,
    );
  const silent = answers.flatMap(([{ vnfc = "" }, { status }]) => (status === 0 ? [] : [vnfc]));
  const servers = madeServers(state, name).filter(({ vnfc }) => silent.includes(vnfc));
  if (servers.length > 0) assertStopped(servers, await statuses());
}

/**
 * @param servers servers that do not answer over SSH
 * @param statuses by the id of a server
 * @throws Fault if one may be running
 */
export function assertStopped(
  servers: readonly Pick<MadeServer, "id" | "vnfc">[],
  statuses: ReadonlyMap<string, string>,
): void {
  for (const { id, vnfc } of servers) {
    const status = runningStatus({ id }, statuses);
    if (status === undefined) continue;
    throw new Fault(
      `${vnfc} does not answer, but the server ${id} is ${status} and may still run etcd, so nothing is restored. Stop ` +
        `it first: openstack server stop ${id}; on a compute host that is down, delete it`,
    );
  }
}

/** Status in Nova of a server that may run. @returns undefined if the server is gone, or does not run */
function runningStatus(
  { id }: Pick<MadeServer, "id">,
  statuses: ReadonlyMap<string, string>,
): string | undefined {
  const status = statuses.get(id);
  return status === undefined || NOT_RUNNING.includes(status) ? undefined : status;
}

function caOf(state: StackState, name: string): string {
  const access = state.of(name).find(({ script }) => script === "read-access.sh");
  return parseAccess(String(reveal(access?.outputs?.["stdout"]))).caCertHash.replace(/^sha256:/, "");
}

/** The snapshot to restore. @throws Fault if there is none, or it cannot be used */
export function chosenOf(
  { name, plan }: Pick<IntendedVnf, "name" | "plan">,
  { place, kept, ca }: Pick<LostCluster, "place" | "kept" | "ca">,
  time: string | undefined,
): Snapshot {
  const own = kept.snapshots.filter((one) => one.ca === ca);
  // etcd of a sole master has not gone on since
  if (time === undefined && kept.copy !== null && kept.copy > (own[0]?.time ?? ""))
    throw new Fault(
      `${place} has a copy of the whole etcd of ${name}, of ${kept.copy}: 'vnfm heal' of the control-plane node uses it. ` +
        "To restore an older snapshot, name it with --snapshot",
    );
  const snapshot = time === undefined ? own[0] : kept.snapshots.find((one) => one.time === time);
  if (snapshot === undefined) {
    const known = own.map((one) => one.time).join(", ");
    if (time === undefined || own.length === 0)
      throw new Fault(
        `${place} has no snapshot of the etcd of ${name}: re-create the cluster: vnfm heal ${name} all`,
      );
    throw new UsageFault(`${place} has no snapshot "${time}" of the etcd of ${name}; it has ${known}`);
  }
  if (snapshot.ca !== ca)
    throw new Fault(
      `the snapshot ${snapshot.time} on ${place} is of another cluster, with another CA: choose another one`,
    );
  const wanted = parseVersion(clusterOf(plan)?.kubernetesVersion);
  const found = parseVersion(snapshot.version);
  if (wanted !== undefined && found !== undefined && minorsAfter(found, wanted) !== 0)
    throw new Fault(
      `the snapshot ${snapshot.time} is of Kubernetes ${snapshot.version}, and kubernetes_version is v1.${wanted.minor}.${wanted.patch}: ` +
        `set kubernetes_version, and the image of the control-plane nodes, to v1.${found.minor}, or choose another snapshot`,
    );
  return snapshot;
}

function describeRestore(
  vnf: string,
  { masters, kept, place, lostStore }: LostCluster,
  snapshot: Snapshot,
): readonly string[] {
  const { time, revision, keys, node } = snapshot;
  const age =
    kept.snapshots[0] === snapshot && kept.age !== null ? `, ${Math.round(kept.age / 60)} min old` : "";
  return [
    `${vnf}: ${masters.join(", ")}: no control plane is left, and etcd is restored as of ${time}${age}, revision ${revision}, ` +
      `${keys} keys, taken by ${node}, from ${place}: later writes are lost`,
    ...lostStore.map((worker) => `${vnf}: ${worker} stored the snapshots, and is replaced too`),
    `${vnf}: afterwards run 'pulumi up --refresh': it creates again what CNFs have got since then`,
  ];
}

/**
 * Selects a snapshot for the first master, if the store finds it complete and signed.
 * @throws Fault if not
 */
async function agree(store: Script, { time }: Snapshot, signal: AbortSignal | undefined): Promise<void> {
  const input = jsonData(store.stdin, "the data of a step") as { readonly data: object };
  const stdin = JSON.stringify({ ...input, data: { ...input.data, snapshot: time } });
  const { status, stderr } = await ask({ ...store, stdin }, "agree", signal);
  if (status !== 0)
    throw new Fault(`the snapshot ${time} cannot be used: ${lastLine(stderr)}. Nothing was changed`);
}
