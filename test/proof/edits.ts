import fc from "fast-check";
import type { Kind } from "../../automation/changes/kinds";
import type { Subject } from "../../automation/changes/subject";
import { FIRST_FORMS, INSTANCES, LEVELS, NETWORKS, vnfcsOf, type Config, type Instance } from "./config";

/** An edit of the stack config, and of VNF packages with it. Plain data. */
export interface Edit {
  /** From 1 on. */
  readonly number: number;
  readonly kind: EditKind;
  readonly vnf: string;
  /** The VNFC that is healed. */
  readonly vnfc?: string;
  readonly before: Config;
  readonly after: Config;
}

/** What an instance becomes by an edit. */
interface Option {
  readonly vnfc?: string;
  /** Undefined: it is terminated. */
  readonly instance: Instance | undefined;
}

interface Rule {
  /** Each way in which an edit of the kind may go; none where it cannot be made. */
  readonly options: (instance: Instance | undefined, number: number) => readonly Option[];
  /** Returns true for what of its instance the edit may touch, of all that a preview can name. */
  readonly mayTouch: (subject: Subject, edit: Edit) => boolean;
}

const OF_NETWORK: readonly Kind[] = ["network", "subnet", "router", "routerInterface"];

const RULES = {
  "scale out": {
    options: (instance) => {
      if (instance === undefined || instance.level === LEVELS) return [];
      return [{ instance: { ...instance, level: instance.level + 1 } }];
    },
    mayTouch: ({ vnfc = "" }, edit) => comingOrGoing(edit).includes(vnfc),
  },
  "scale in": {
    options: (instance) => {
      if (instance === undefined || instance.level === 0) return [];
      const smaller = { ...instance, level: instance.level - 1 };
      const stay = vnfcsOf(smaller);
      const heal = Object.fromEntries(Object.entries(instance.heal).filter(([vnfc]) => stay.includes(vnfc)));
      return [{ instance: { ...smaller, heal } }];
    },
    mayTouch: ({ vnfc = "" }, edit) => comingOrGoing(edit).includes(vnfc),
  },
  heal: {
    options: (instance, number) =>
      vnfcsOf(instance).map((vnfc) => ({
        vnfc,
        instance: instance && { ...instance, heal: { ...instance.heal, [vnfc]: `edit-${number}` } },
      })),
    // its port, its address and its data outlive the server
    mayTouch: ({ vnfc, kind }, edit) =>
      vnfc === edit.vnfc && (kind === "server" || kind === "volumeAttachment"),
  },
  "another network": {
    options: (instance) =>
      NETWORKS.flatMap((network) =>
        instance === undefined || network === instance.network
          ? []
          : [{ instance: { ...instance, network } }],
      ),
    // an instance has the network that it uses alone
    mayTouch: ({ vnfc, kind }) =>
      vnfc === undefined
        ? OF_NETWORK.includes(kind)
        : ["server", "volumeAttachment", "port", "floatingIp"].includes(kind),
  },
  "floating IPs": {
    options: (instance) =>
      instance === undefined ? [] : [{ instance: { ...instance, isReachable: !instance.isReachable } }],
    // the gateway of the subnet is the router's
    mayTouch: ({ kind }) => ["router", "routerInterface", "floatingIp", "subnet"].includes(kind),
  },
  "other metadata": {
    options: (instance, number) =>
      instance === undefined ? [] : [{ instance: { ...instance, role: `edit-${number}` } }],
    mayTouch: ({ kind }) => kind === "server" || kind === "port",
  },
  "larger volumes": {
    options: (instance) => (instance && [{ instance: { ...instance, sizeGiB: instance.sizeGiB + 1 } }]) || [],
    mayTouch: ({ kind }) => kind === "volume",
  },
  terminate: {
    options: (instance) => (instance === undefined ? [] : [{ instance: undefined }]),
    mayTouch: () => true,
  },
  instantiate: {
    options: (instance) => (instance !== undefined ? [] : FIRST_FORMS.map((form) => ({ instance: form }))),
    mayTouch: () => true,
  },
} as const satisfies Record<string, Rule>;

export type EditKind = keyof typeof RULES;

export const KINDS = Object.keys(RULES) as EditKind[];

/** Returns true for what an edit may touch; a preview that is true and names more is too wide. */
export function mayTouch(edit: Edit, subject: Subject): boolean {
  const rule: Rule = RULES[edit.kind];
  return subject.vnf === edit.vnf && rule.mayTouch(subject, edit);
}

/** The VNFCs that one of the two configs has alone. */
function comingOrGoing({ before, after, vnf }: Edit): readonly string[] {
  const [one, other] = [vnfcsOf(before[vnf]), vnfcsOf(after[vnf])];
  return [...one, ...other].filter((vnfc) => !one.includes(vnfc) || !other.includes(vnfc));
}

/**
 * Edits, each of the config that the one before has left. They depend on the seed alone, so that any of them is known
 * without a cloud; a kind is the likelier the longer it has not come.
 */
export function editsOf(seed: number, count: number, base: Config): readonly Edit[] {
  const edits: Edit[] = [];
  for (let number = 1; number <= count; number += 1) {
    const before = edits.at(-1)?.after ?? base;
    const choices = KINDS.flatMap((kind) => {
      const all = editsOfKind(kind, number, before);
      const last = edits.findLast((edit) => edit.kind === kind)?.number ?? 0;
      return all.length === 0 ? [] : [{ weight: (number - last) ** 2, arbitrary: fc.constantFrom(...all) }];
    });
    const [edit] = fc.sample(fc.oneof(...choices), { seed: seed + number * 0x1000193, numRuns: 1 });
    if (edit === undefined) throw new Error("fast-check has drawn nothing");
    edits.push(edit);
  }
  return edits;
}

/** All edits of a kind that a config leaves room for. One instance stays: a run that ends all of them is refused. */
function editsOfKind(kind: EditKind, number: number, before: Config): readonly Edit[] {
  const rule: Rule = RULES[kind];
  const there = INSTANCES.filter((vnf) => before[vnf] !== undefined);
  return INSTANCES.flatMap((vnf) => {
    if (kind === "terminate" && there.length === 1) return [];
    return rule.options(before[vnf], number).map(({ vnfc, instance }) => {
      const others = Object.fromEntries(Object.entries(before).filter(([name]) => name !== vnf));
      const after = instance === undefined ? others : { ...others, [vnf]: instance };
      return { number, kind, vnf, ...(vnfc !== undefined && { vnfc }), before, after };
    });
  });
}

/** An edit as a line. */
export function sayEdit({ number, kind, vnf, vnfc }: Edit): string {
  return `edit ${number}: ${kind} ${vnf}${vnfc === undefined ? "" : ` ${vnfc}`}`;
}
