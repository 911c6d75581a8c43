/**
 * The steps of a run that `vnfm` describes: commands, each in a component and named after its owner and its kind. The
 * components name their steps by this table, and `automation/` recognises the steps by it.
 */

import type { Phase } from "./phases";

/** Types of components. */
export const VNF = "vnfm:index:Vnf";
export const NODE = "vnfm:openstack:Node";
export const KUBEADM_CLUSTER = "vnfm:kubernetes:KubeadmCluster";
export const CONTROL_PLANE = "vnfm:kubernetes:ControlPlane";
export const STORAGE_SERVER = "vnfm:kubernetes:StorageServer";
export const PERSISTENT_VOLUMES = "vnfm:kubernetes:PersistentVolumes";
export const CNF = "vnfm:cnf:Cnf";

/** The phases of a server among the steps. */
const PHASES = {
  /** Bootstraps a cluster; deleted only with the whole cluster. */
  init: [CONTROL_PLANE, "init"],
  /** Copies a sole master's control plane to a worker when it is deleted, for the next server. */
  copy: [CONTROL_PLANE, "copy"],
  /** Restores a control plane from that copy. */
  restore: [CONTROL_PLANE, "restore"],
  /** Restores the control plane of several masters from a snapshot, if all of them are lost. */
  fromSnapshot: [CONTROL_PLANE, "from-snapshot"],
  /** The membership of a node in its cluster: its deletion drains the node. */
  membership: [KUBEADM_CLUSTER, "member"],
  /** Waits for a node that has joined. */
  nodeReady: [KUBEADM_CLUSTER, "ready"],
} as const satisfies Record<string, readonly [component: string, name: Phase]>;

/** Kinds of steps, with the type of their component and the suffix of their name. */
const STEPS = {
  ...PHASES,
  /**
   * Does nothing: its replacement deletes all servers of an instance, with their software, before any is created again.
   */
  wholeHeal: [VNF, "whole"],
  /** Attaches and detaches ports of a running server. */
  portExchange: [NODE, "ports"],
  /** Checks a cluster that is to be replaced for workloads and volumes in use. */
  evacuation: [VNF, "evacuation"],
  /** Checks which objects of a CNF exist on the cluster and belong to others. */
  claimCheck: [CNF, "unclaimed"],
  /** Creates the CRDs of a CNF that are no resources of the stack. */
  definitions: [CNF, "definitions"],
  /** Deletes these CRDs when it is deleted. */
  definitionsEnd: [CNF, "definitions-end"],
  /** Checks the CRDs and Namespaces of a CNF for objects that the stack did not create, when it is deleted. */
  foreignObjects: [CNF, "foreign-objects"],
  /** Waits for an object of a CNF, or for those of a Helm release. */
  objectReady: [CNF, "ready"],
  /** Generates the key that encrypts the copy of a single control plane; runs on no server. */
  storeKey: [KUBEADM_CLUSTER, "store-key"],
} as const satisfies Record<string, readonly [component: string, name: string]>;

export type StepKind = keyof typeof STEPS;

/**
 * Name of the resource of a step.
 * @param owner name of the resource that the step belongs to
 */
export function stepName(owner: string, kind: StepKind): string {
  return `${owner}-${STEPS[kind][1]}`;
}

/**
 * The kind of a step.
 * @param name of its resource
 * @param component type of its component
 * @returns undefined for a step that is described as part of another one
 */
export function stepKindOf(name: string, component: string | undefined): StepKind | undefined {
  return (Object.keys(STEPS) as StepKind[]).find(
    (kind) => STEPS[kind][0] === component && name.endsWith(`-${STEPS[kind][1]}`),
  );
}

/** The name of the resource that a step of that kind belongs to. */
export function ownerOfStep(name: string, kind: StepKind): string {
  return name.slice(0, -stepName("", kind).length);
}
