/**
 * The phases in the life of a cluster's servers: the scripts that run for each, in their order. The components take
 * names and scripts of their steps from this table, and previews their wording.
 */
import type { ScriptName } from "../remote/scripts";

/** A row of the table; its key is the suffix of the step's name. */
interface Row {
  readonly script: ScriptName;
  /** Description in previews, after the name of the server. */
  readonly words: string;
  /** Description if the script has run for the server before. @default the description, and "again" */
  readonly again?: string;
}

const PHASES = {
  prepare: { script: "prepare-node.sh", words: "is prepared" },
  handover: {
    ...{ script: "hand-over.sh", words: "the script that hands over its leadership is stored" },
    again: "the script that hands over its leadership is stored",
  },
  "load-balancer": { script: "load-balancer.sh", words: "HAProxy and keepalived are set up" },
  store: { script: "control-plane-store.sh", words: "the store for the control-plane node's etcd is set up" },

  init: {
    ...{ script: "init-master.sh", words: "the cluster is bootstrapped" },
    again: "the bootstrap of the cluster is checked",
  },
  copy: {
    ...{
      script: "control-plane-copy.sh",
      words: "the script that copies etcd and certificates to a worker is stored",
    },
    again: "the script that copies etcd and certificates to a worker is stored",
  },
  restore: {
    ...{ script: "control-plane-copy.sh", words: "its control plane is restored" },
    again: "its control plane is checked",
  },
  "from-snapshot": {
    ...{ script: "control-plane-restore.sh", words: "its control plane is restored, if all are lost" },
    again: "its control plane is checked",
  },
  snapshots: { script: "control-plane-snapshots.sh", words: "snapshots of etcd are set up" },
  cni: { script: "install-cni.sh", words: "the CNI is applied" },
  access: { script: "read-access.sh", words: "the cluster's CA is read" },
  "service-account": { script: "service-account.sh", words: "vnfm's service account is set up" },
  version: { script: "kubernetes-version.sh", words: "the version for joining nodes is set" },
  addons: { script: "kubernetes-version.sh", words: "kube-proxy and CoreDNS are upgraded to the version" },

  member: {
    ...{ script: "membership.sh", words: "the script that removes it from the cluster is stored" },
    again: "the script that removes it from the cluster is stored",
  },
  join: {
    ...{ script: "join-node.sh", words: "joins the cluster" },
    again: "is checked, and joins if it left",
  },
  ready: { script: "node-ready.sh", words: "becomes ready" },
  labels: { script: "node-labels.sh", words: "gets its labels and taints" },
  "pod-cidr": { script: "node-pod-cidr.sh", words: "gets its pod CIDR" },

  "api-server-know": { script: "api-server.sh", words: "its API server reads its files" },
  "api-server-use": { script: "api-server.sh", words: "its API server encrypts with the first key" },
  "api-server-forget": { script: "api-server.sh", words: "its API server removes former keys" },
  "keystone-auth": { script: "keystone-auth.sh", words: "k8s-keystone-auth is set up" },
  certificates: {
    ...{ script: "certificates.sh", words: "its certificates are read" },
    again: "its certificates are read, and renewed if a rotation is requested",
  },
  "former-keys": { script: "authorized-keys.sh", words: "former SSH keys are removed" },

  "exports-in-use": { script: "exports-in-use.sh", words: "exports are checked for use" },
  release: {
    ...{ script: "release-volumes.sh", words: "the script that releases its volumes is stored" },
    again: "the script that releases its volumes is stored",
  },
  storage: { script: "storage-server.sh", words: "its volumes and exports are set up" },
} as const satisfies Record<string, Row>;

/** Suffix of the name of a phase's step. */
export type Phase = keyof typeof PHASES;

export function scriptOf(phase: Phase): ScriptName {
  return PHASES[phase].script;
}

/** Returns the phase of a step that runs a script; undefined for a script that belongs to no server of a cluster. */
export function phaseOf(name: string, script: ScriptName): Phase | undefined {
  return (Object.keys(PHASES) as Phase[]).find(
    (phase) => PHASES[phase].script === script && name.endsWith(`-${phase}`),
  );
}

/**
 * Returns the description of a phase for previews.
 * @param isAgain true if it has run for the server before
 */
export function wordsOf(phase: Phase, isAgain: boolean): string {
  const { words, again = `${words} again` }: Row = PHASES[phase];
  return isAgain ? again : words;
}
