import type { Action } from "../stack/steps";

/** What a stack consists of, as boxes that stand in each other: a network in its cloud, a CNF in its cluster. */
export interface Topology {
  /** The clouds and the clusters that the stack has not made, and the VNF instances that are no longer wanted. */
  readonly boxes: readonly Box[];
  /** What becomes of resources that belong to no VNF instance. */
  readonly marks: readonly Mark[];
}

/** One box of the drawing. */
export interface Box {
  readonly kind: "vim" | "network" | "vnf" | "group";
  readonly name: string;
  /** How many servers, pods or machines a group has. Undefined: something else decides that. */
  readonly count?: number;
  /** What is to be known of it, in a few words each. */
  readonly facts: readonly string[];
  /** The names of the networks that it has ports on, each a box of its own. */
  readonly networks: readonly string[];
  /** What the next run changes of it; what it changes of a box inside stands there. */
  readonly marks: readonly Mark[];
  readonly boxes: readonly Box[];
}

/** What the next run does with some of the things that a box stands for. */
export interface Mark {
  readonly action: Exclude<Action, "discard">;
  /** Names of VNFCs, Kubernetes objects or other resources, each once. */
  readonly names: readonly string[];
}

/** A box without anything in it. */
export function box(kind: Box["kind"], name: string, rest: Partial<Box> = {}): Box {
  return { kind, name, facts: [], networks: [], marks: [], boxes: [], ...rest };
}
