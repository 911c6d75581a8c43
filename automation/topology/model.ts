import type { Action } from "../stack/steps";

/** The parts of a stack as nested boxes: a network in its cloud, a CNF in its cluster. */
export interface Topology {
  /** Boxes of the cloud, of clusters that the stack does not create, and of VNF instances that will be deleted. */
  readonly boxes: readonly Box[];
  /** Changes of resources that belong to no VNF instance. */
  readonly marks: readonly Mark[];
}

/** One box of the drawing. */
export interface Box {
  readonly kind: "vim" | "network" | "vnf" | "group";
  readonly name: string;
  /** Number of servers, pods or machines of a group. Undefined: it is not set by the plan. */
  readonly count?: number;
  /** Properties of the box, each in a few words. */
  readonly facts: readonly string[];
  /** Names of the networks on which it has ports. Each network is a separate box. */
  readonly networks: readonly string[];
  /** Changes of the box by the next run, without those of inner boxes. */
  readonly marks: readonly Mark[];
  readonly boxes: readonly Box[];
}

/** An action of the next run on resources of a box. */
export interface Mark {
  readonly action: Exclude<Action, "discard">;
  /** Names of VNFCs, Kubernetes objects or other resources, each once. */
  readonly names: readonly string[];
}

/** A box with default values. */
export function box(kind: Box["kind"], name: string, rest: Partial<Box> = {}): Box {
  return { kind, name, facts: [], networks: [], marks: [], boxes: [], ...rest };
}
