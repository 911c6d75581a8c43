import { CONTROL_PLANE, NODE, stepKindOf, VNF, type StepKind } from "../../components/deploy/steps";
import { COMMAND, nameOfUrn, type Step } from "./steps";

/** The place of a resource in the stack. */
export interface Place {
  /** The VNF instance that it belongs to. */
  readonly vnf: string | undefined;
  /** The VNFC that it belongs to. */
  readonly vnfc: string | undefined;
  /** True if that VNFC is a master of its cluster. */
  readonly ofMaster: boolean;
  /** Types of the components that contain it, the innermost first. */
  readonly within: readonly string[];
  /** The kind of step. Undefined: the step is described as part of another one. */
  readonly kind: StepKind | undefined;
}

/** The tree of the resources of a stack. */
export class Places {
  readonly #steps: ReadonlyMap<string, Step>;
  /** The VNFCs of each VNF instance. */
  readonly vnfcs: ReadonlyMap<string, ReadonlySet<string>>;
  /** The VDU of each cluster's masters. */
  readonly #masters = new Map<string, string>();

  /** @param steps of a whole preview, including unchanged resources */
  constructor(steps: readonly Step[]) {
    this.#steps = new Map(steps.map((step) => [step.urn, step]));
    const vnfcs = new Map<string, Set<string>>();
    for (const node of this.#steps.values()) {
      const vnf = node.type === NODE ? this.#vnf(this.#around(node)) : undefined;
      if (vnf === undefined) continue;
      const known = vnfcs.get(vnf);
      if (known === undefined) vnfcs.set(vnf, new Set([keyIn(vnf, node)]));
      else known.add(keyIn(vnf, node));
    }
    this.vnfcs = vnfcs;
    for (const origin of this.#steps.values()) {
      const vnf = origin.type === CONTROL_PLANE ? this.#vnf(this.#around(origin)) : undefined;
      if (vnf !== undefined) this.#masters.set(vnf, vduOf(keyIn(vnf, origin)));
    }
  }

  of(step: Step): Place {
    const around = this.#around(step);
    const vnf = this.#vnf(around);
    const within = around.map(({ type }) => type);
    const kind = step.type === COMMAND ? stepKindOf(nameOfUrn(step.urn), within[0]) : undefined;
    if (vnf === undefined) return { vnf, vnfc: undefined, ofMaster: false, within, kind };
    const known = this.vnfcs.get(vnf) ?? new Set();
    const vnfc =
      around.map((one) => keyIn(vnf, one)).find((key) => known.has(key)) ?? named(vnf, step, known);
    const ofMaster = vnfc !== undefined && vduOf(vnfc) === this.#masters.get(vnf);
    return { vnf, vnfc, ofMaster, within, kind };
  }

  #vnf(around: readonly Step[]): string | undefined {
    const root = around.find(({ type }) => type === VNF);
    return root && nameOfUrn(root.urn);
  }

  #around(step: Step): readonly Step[] {
    const around: Step[] = [];
    for (let urn = step.parent; ;) {
      const parent = this.#steps.get(urn);
      if (parent === undefined || around.includes(parent)) return around;
      around.push(parent);
      urn = parent.parent;
    }
  }
}

/** The key of a VNFC, whose component has the name `<instance>-<VDU>-<ordinal>`. */
function keyIn(vnf: string, { urn }: Step): string {
  const name = nameOfUrn(urn);
  return name.startsWith(`${vnf}-`) ? name.slice(vnf.length + 1) : "";
}

/** The VDU of a VNFC. */
export function vduOf(key: string): string {
  return key.replace(/-\d+$/, "");
}

/** The VNFC whose name is a prefix of the resource's name, for a resource outside of a VNFC's component. */
function named(vnf: string, step: Step, known: ReadonlySet<string>): string | undefined {
  const key = keyIn(vnf, step);
  const all = [...known].filter((vnfc) => key.startsWith(`${vnfc}-`));
  return all.sort((a, b) => b.length - a.length)[0];
}

/** A resource's name without the prefix of its VNFC, or else of its VNF instance. */
export function nameInPlace({ urn, vnf, vnfc }: Pick<Step & Place, "urn" | "vnf" | "vnfc">): string {
  return nameWithin(nameOfUrn(urn), vnfc === undefined ? vnf : `${vnf}-${vnfc}`);
}

/** A resource's name without the prefix of its owner. */
export function nameWithin(name: string, owner: string | undefined): string {
  if (owner === undefined) return name;
  if (name === owner) return "";
  return name.startsWith(`${owner}-`) ? name.slice(owner.length + 1) : name;
}
