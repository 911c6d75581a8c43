/** Queries of a script about its results. Only `agree` changes something. */
export type Question = "check" | "use" | "vote" | "kept" | "agree" | "begun" | "expiry" | "holds";

/**
 * Scripts in the folder `scripts` that are script resources, each with the queries that it supports in addition to
 * `create`, `update` and `delete`.
 */
const QUESTIONS = {
  "api-server.sh": [],
  "authorized-keys.sh": [],
  "certificates.sh": ["expiry"],
  "control-plane-copy.sh": ["begun"],
  "control-plane-restore.sh": [],
  "control-plane-snapshots.sh": ["check", "begun"],
  "control-plane-store.sh": ["check", "kept", "agree"],
  "exports-in-use.sh": [],
  "hand-over.sh": [],
  "in-use.sh": [],
  "init-master.sh": [],
  "install-cni.sh": ["check"],
  "join-node.sh": [],
  "keystone-auth.sh": ["check"],
  "kubernetes-version.sh": [],
  "load-balancer.sh": ["check", "holds"],
  "membership.sh": ["check", "vote"],
  "node-labels.sh": ["check"],
  "node-pod-cidr.sh": ["check"],
  "node-ready.sh": [],
  "persistent-volume.sh": ["check", "use"],
  "prepare-node.sh": ["check"],
  "read-access.sh": [],
  "release-volumes.sh": [],
  "service-account.sh": [],
  "storage-server.sh": ["check"],
} as const satisfies Record<string, readonly Question[]>;

export type ScriptName = keyof typeof QUESTIONS;

/** The names of all scripts. */
export const SCRIPTS = Object.keys(QUESTIONS) as readonly ScriptName[];

export function isScriptName(name: string): name is ScriptName {
  return Object.hasOwn(QUESTIONS, name);
}

/** The queries that a script supports. */
export function questionsTo(script: ScriptName): readonly Question[] {
  return QUESTIONS[script];
}
