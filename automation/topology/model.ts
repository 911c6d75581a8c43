import type { Action } from "../stack/steps";

/** The parts of a stack as nested boxes: a network in its cloud, a CNF in its cluster. */
export interface Topology {
  /** The clouds and the clusters that the stack has not made, and the VNF instances that are no longer wanted. */
  readonly boxes: readonly Box[];
  /** Changes of resources that belong to no VNF instance. */
  readonly marks: readonly Mark[];
}

/** One box of the drawing. */
export interface Box {
  readonly kind: "vim" | "network" | "vnf" | "group";
  readonly name: string;
  /** Number of servers, pods or machines of a group. Undefined: something else decides it. */
  readonly count?: number;
  /** Properties of the box, in a few words each. */
  readonly facts: readonly string[];
  /** Names of the networks that it has ports on. Each network is a separate box. */
  readonly networks: readonly string[];
  /** Changes of the box by the next run; those of an inner box stand there. */
  readonly marks: readonly Mark[];
  readonly boxes: readonly Box[];
}

/** An action of the next run on some of the resources that a box stands for. */
export interface Mark {
  readonly action: Exclude<Action, "discard">;
  /** Names of VNFCs, Kubernetes objects or other resources, each once. */
  readonly names: readonly string[];
}

/** A box without anything in it. */
export function box(kind: Box["kind"], name: string, rest: Partial<Box> = {}): Box {
  return { kind, name, facts: [], networks: [], marks: [], boxes: [], ...rest };
}
