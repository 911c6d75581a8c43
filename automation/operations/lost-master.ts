import { ALL } from "../../components/plan/heal";
import { serversOfRole } from "../../components/plan/kubeadm/pools";
import { clusterOf } from "../../components/plan/model";
import type { StepKind } from "../../components/deploy/steps";
import { ask } from "../checks/ask";
import { keptBy, lastLine, patiently, readBegun, type Kept } from "../checks/etcd-snapshots";
import { bucketOf } from "../checks/snapshot-bucket";
import { Fault } from "../fault";
import type { IntendedVnf } from "../stack/intent";
import type { Moment } from "../stack/moment";
import type { Script } from "../stack/stack-state";
import type { Operation } from "./operation";
import type { PulumiStack } from "../stack/pulumi";
import { forget, refuseOlder } from "./lost-etcd";

/**
 * Additions to the heal of a single control plane whose etcd cannot be copied: the new server may use the last
 * snapshot, and the resource that makes the copy is removed from the state.
 * @throws Fault if there is no snapshot, or if the heal would delete it
 */
export async function outOfSnapshot(
  stack: PulumiStack,
  now: Pick<Moment, "state">,
  { name, plan }: IntendedVnf,
  vnfcs: readonly string[],
  signal?: AbortSignal,
): Promise<Pick<Operation, "prepare" | "warnings">> {
  const cluster = clusterOf(plan);
  const [master] = cluster?.api.kind === "master" ? serversOfRole(cluster, "master") : [];
  if (master === undefined || !vnfcs.includes(master.key) || vnfcs.includes(ALL)) return {};
  const scripts = (await now.state()).scripts(name);
  const ofKind = (kind: StepKind) => scripts.find((script) => script.kind === kind);
  const [restore, copy] = [ofKind("restore"), ofKind("copy")];
  const store = scripts.find(({ script }) => script === "control-plane-store.sh");
  if (restore === undefined || store === undefined) return {};
  const worker = store.vnfc ?? "";
  const isReached = await hasControlPlane(restore, signal);
  if (isReached === true && copy !== undefined) return {};
  const kept = await keptBy(store, signal);
  const isHealed = vnfcs.includes(worker);
  const hasBucket = bucketOf(store) !== undefined;
  const warnings = describeLoss({
    vnf: name,
    master: master.key,
    worker,
    isReached,
    kept,
    isHealed,
    hasBucket,
  });
  const prepare = async (): Promise<undefined> => {
    const { status, stderr } = await ask(store, "agree", signal);
    if (status !== 0) throw new Fault(`${worker} does not answer: ${lastLine(stderr)}. Nothing was changed`);
    const time = "unknown" in kept ? undefined : (kept.copy ?? kept.snapshots[0]?.time);
    if (time !== undefined) refuseOlder(restore, time);
    await forget(stack, copy === undefined ? [] : [copy]);
  };
  return { warnings, prepare };
}

/** A single control plane whose etcd cannot be copied. */
export interface Lost {
  readonly vnf: string;
  readonly master: string;
  /** The worker with its snapshots. */
  readonly worker: string;
  /**
   * True if the server answers and has a control plane, false if it answers and has none; else the reason why it does
   * not answer.
   */
  readonly isReached: boolean | string;
  readonly kept: Pick<Kept, "copy" | "snapshots"> | { readonly unknown: string };
  /** True if the worker is healed too. */
  readonly isHealed: boolean;
  /** True if the snapshots are in a bucket too. */
  readonly hasBucket: boolean;
}

/**
 * Describes the data loss if the server is replaced, as lines.
 * @throws Fault if the server must not be healed
 */
export function describeLoss({ vnf, master, worker, isReached, kept, ...more }: Lost): readonly string[] {
  if (isReached === true)
    throw new Fault(
      `${master} is running again after its heal failed: set vnfm:vnfs.${vnf}.heal.${master} back to the trigger value ` +
        "before that one, and run 'pulumi up'; then it can be healed without loss of etcd data",
    );
  const state = isReached === false ? "has no control plane" : `does not answer (${isReached})`;
  const wayOut = `Start ${master} again, or re-create the cluster: vnfm heal ${vnf} ${ALL}`;
  if ("unknown" in kept)
    throw new Fault(
      `${master} ${state}, and vnfm cannot query whether ${worker} has a snapshot of its etcd: ${kept.unknown}` +
        (more.hasBucket ? `. If ${worker} is lost too: vnfm restore ${vnf}` : ""),
    );
  const [newest] = kept.snapshots;
  if (kept.copy === null && newest === undefined)
    throw new Fault(`${master} ${state}, and ${worker} has no snapshot of its etcd. ${wayOut}`);
  if (more.isHealed)
    throw new Fault(`${master} ${state}, and ${worker} has its etcd. First: vnfm heal ${vnf} ${master}`);
  return [
    kept.copy === null
      ? `${vnf}: ${master} ${state}: its etcd is restored as of ${newest?.time}, and later writes are lost`
      : `${vnf}: ${master} ${state}: its etcd is restored as of ${kept.copy}, from the copy on ${worker}`,
  ];
}

/** Returns true if a server has a control plane, for Lost.isReached. */
async function hasControlPlane(restore: Script, signal?: AbortSignal): Promise<boolean | string> {
  const { status, stdout, stderr } = await patiently(() => ask(restore, "begun", signal));
  return status === 0 ? readBegun(stdout).begun : lastLine(stderr);
}
