/**
 * The steps of a run that `vnfm` tells of in words of their own: commands, each in a component and named for what it
 * belongs to and for its kind. The components name them by this table, and `automation/` knows them by it again.
 */

import type { Phase } from "./phases";

/** Types of components. */
export const VNF = "vnfm:index:Vnf";
export const NODE = "vnfm:openstack:Node";
export const KUBEADM_CLUSTER = "vnfm:kubernetes:KubeadmCluster";
export const CONTROL_PLANE = "vnfm:kubernetes:ControlPlane";
export const MEMBER = "vnfm:kubernetes:Member";
export const STORAGE_SERVER = "vnfm:kubernetes:StorageServer";
export const PERSISTENT_VOLUMES = "vnfm:kubernetes:PersistentVolumes";
export const CNF = "vnfm:cnf:Cnf";

/** The phases of a server among the steps. */
const PHASES = {
  /** The beginning of a cluster, which goes only with all of it. */
  init: [CONTROL_PLANE, "init"],
  /** At its deletion copies a sole master's control plane to a worker, for the next server. */
  copy: [CONTROL_PLANE, "copy"],
  /** Makes a control plane of that copy. */
  restore: [CONTROL_PLANE, "restore"],
  /** The membership of a node in its cluster: at its deletion the node is drained. */
  membership: [MEMBER, "member"],
  /** Waits for a node that has joined. */
  nodeReady: [MEMBER, "ready"],
} as const satisfies Record<string, readonly [component: string, name: Phase]>;

/** Each kind of step, with the component that it is in and the end of its name. */
const STEPS = {
  ...PHASES,
  /** Does nothing: its replacement ends all servers of an instance, and what is on them, before any is made again. */
  wholeHeal: [VNF, "whole"],
  /** Asks a cluster that is to be made anew what is in use on it. */
  evacuation: [VNF, "evacuation"],
  /** Looks which objects of a CNF the cluster has already, made by others. */
  claimCheck: [CNF, "unclaimed"],
  /** Makes the CRDs of a CNF, which are no resources of their own. */
  definitions: [CNF, "definitions"],
  /** At its deletion deletes them. */
  definitionsEnd: [CNF, "definitions-end"],
  /** At its deletion looks for objects of others in the definitions and Namespaces of a CNF. */
  foreignObjects: [CNF, "foreign-objects"],
  /** Waits for an object of a CNF, or for those of a Helm release. */
  objectReady: [CNF, "ready"],
  /** Makes the key that a sole master's copy is encrypted with; runs on no server. */
  storeKey: [KUBEADM_CLUSTER, "store-key"],
} as const satisfies Record<string, readonly [component: string, name: string]>;

export type StepKind = keyof typeof STEPS;

/** Name of the resource of a step. @param owner name of what it belongs to */
export function stepName(owner: string, kind: StepKind): string {
  return `${owner}-${STEPS[kind][1]}`;
}

/**
 * The kind of a step.
 * @param name of its resource
 * @param component type of the component that it is in
 * @returns undefined for a step that is in no words of its own
 */
export function stepKindOf(name: string, component: string | undefined): StepKind | undefined {
  return (Object.keys(STEPS) as StepKind[]).find(
    (kind) => STEPS[kind][0] === component && name.endsWith(`-${STEPS[kind][1]}`),
  );
}

/** What a step of that kind belongs to, by its name. */
export function ownerOfStep(name: string, kind: StepKind): string {
  return name.slice(0, -stepName("", kind).length);
}
