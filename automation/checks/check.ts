import { askAll } from "./ask";
import { CloudSessions } from "../stack/clouds";
import { findingsOf, type Finding } from "./checks";
import { snapshotReport, type SnapshotReport } from "./etcd-snapshots";
import {
  aptKeyFindings,
  certificateFindings,
  credentialFindings,
  endingCredentials,
  kubeconfigFindings,
} from "./expiries";
import { assertFree } from "../stack/lock";
import type { PulumiStack } from "../stack/pulumi";
import { StackState, type Script } from "../stack/stack-state";
import { awaitedObjects, objectFindings } from "./objects";
import { lostServers, madeServers } from "./servers";
import { volumeFindings } from "./released-volumes";
import { vimsOf } from "./vims";
import { holderFindings } from "./virtual-addresses";

/** Differences between a stack and the result of its last run. */
export interface CheckReport {
  /**
   * Number of checked items: servers, scripts, objects, masters (their certificates), clusters (their volumes), and
   * credentials with an expiry.
   */
  readonly checks: number;
  /** Differences; none if everything is as declared. */
  readonly findings: readonly Finding[];
  /** The snapshots of each kubeadm cluster's etcd. */
  readonly snapshots: readonly SnapshotReport[];
}

/**
 * Compares a stack with the result of its last run: queries the cloud for the servers, the servers for their files and
 * services over SSH, and the clusters for the objects and PersistentVolumes of CNFs; checks the expiry of credentials,
 * certificates and keys. Nothing is changed.
 * @param vnf only this instance
 * @throws HeldFault if another run has locked the stack, UsageFault if the stack has no such instance
 */
export async function check(stack: PulumiStack, vnf?: string, signal?: AbortSignal): Promise<CheckReport> {
  await assertFree(stack);
  const state = new StackState(await stack.plainState());
  if (vnf !== undefined) state.assertMade(vnf);
  const servers = madeServers(state, vnf);
  const sessions = new CloudSessions(stack);
  const lost = await lostServers(servers, (cloud) => sessions.to(cloud));
  const isLost = (one: Script): boolean =>
    lost.some((server) => server.vnf === one.vnf && server.vnfc === one.vnfc);
  const checks = state.scripts(vnf, "check").filter((one) => !isLost(one));
  const clusters = vimsOf(state);
  const vims = clusters
    .map((vim) => ({
      ...vim,
      volumes: vim.volumes.filter((volume) => vnf === undefined || volume.vnf === vnf),
    }))
    .filter(({ volumes }) => volumes.length > 0);
  const objects = awaitedObjects(state, vnf);
  const credentials = endingCredentials(state, vnf);
  const masters = state.scripts(vnf, "expiry").filter((one) => !isLost(one));
  const balancers = state.scripts(vnf, "holds").filter((one) => !isLost(one));
  const stores = state.scripts(vnf, "kept").filter((one) => !isLost(one));
  const [answers, ends, holders, stored, ofObjects, ofVolumes] = await Promise.all([
    askAll(checks, "check", signal),
    askAll(masters, "expiry", signal),
    askAll(balancers, "holds", signal),
    askAll(stores, "kept", signal),
    objectFindings(objects, signal),
    Promise.all(vims.map((vim) => volumeFindings(vim, signal))),
  ]);
  const ofScripts = answers.flatMap(([one, answer]) => findingsOf(one, answer));
  const now = Date.now();
  const ending = [
    ...credentialFindings(credentials, now),
    ...ends.flatMap(([one, answer]) => certificateFindings(one, answer, now)),
    ...kubeconfigFindings(clusters, vnf, now),
    ...aptKeyFindings(state, vnf, now),
  ];
  const takers = checks.filter(({ script }) => script === "control-plane-snapshots.sh");
  const reports = stored.map(([store, answer]) =>
    snapshotReport(
      store,
      takers.filter((one) => one.vnf === store.vnf),
      answer,
    ),
  );
  const checked = [servers, checks, masters, objects, vims, credentials];
  return {
    checks: checked.reduce((sum, { length }) => sum + length, 0),
    findings: [
      ...lost,
      ...ofScripts,
      ...holderFindings(holders),
      ...reports.flatMap(({ findings }) => findings),
      ...ofObjects,
      ...ofVolumes.flat(),
      ...ending,
    ],
    snapshots: reports.flatMap(({ report }) => report ?? []),
  };
}
