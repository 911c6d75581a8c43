import { identityOf } from "../kube/objects/object";
import type { FormerOutputs } from "./former-outputs";
import { workloads, type InstancePlan, type Vim } from "./model";
import { madeBy } from "./workload/cnf";
import { holdersOf, shownVim, type Holders, type ShownVim } from "./workload/holders";

/** CRDs and Namespaces of a CNF on a cluster that this run deletes. */
export interface LeavingHolders extends Holders {
  /** Name of the CNF. */
  readonly instance: string;
  readonly settingsOf: string;
  /** The cluster with these objects. */
  readonly vim: Vim | ShownVim;
  /** Owners of this stack's objects. Their other objects are deleted too, unless they are in `kept`. */
  readonly owners: readonly string[];
  /** Identities of the objects of this stack that stay on the cluster. */
  readonly kept: readonly string[];
}

/**
 * CRDs and Namespaces that this run deletes on clusters that stay.
 * @param former outputs of the last run
 */
export function leavingHolders(plans: readonly InstancePlan[], former: FormerOutputs): LeavingHolders[] {
  return Object.entries(former).flatMap(([instance, vnf]) => {
    const { protectedObjects: had } = vnf ?? {};
    if (had === undefined || goes(had.vim, plans)) return [];
    const { vim, owner, settingsOf, named } = had;
    const there = workloads(plans).filter(({ on }) => isSame(shownVim(on), vim));
    const plan = there.find(({ name }) => name === instance);
    const has = plan && holdersOf(plan.cnf);
    const definitions = had.definitions.filter((name) => !has?.definitions.includes(name));
    const namespaces = had.namespaces.filter((name) => !has?.namespaces.includes(name));
    if (definitions.length + namespaces.length === 0) return [];
    const identity = owner.slice(0, -instance.length);
    return [
      {
        ...{ instance, settingsOf, definitions, namespaces, named },
        vim: plan?.on ?? vim,
        owners: Object.keys(former).map((name) => identity + name),
        releases: Object.values(former).flatMap((one) => one?.releases ?? []),
        kept: there.flatMap(({ cnf }) => madeBy(cnf).map(({ object }) => identityOf(object))),
      },
    ];
  });
}

/** Returns true if the cluster is deleted in the same run. */
function goes(vim: ShownVim, plans: readonly InstancePlan[]): boolean {
  return vim.kind === "vnf" && !plans.some(({ name }) => name === vim.vnf);
}

/** Returns true if both may be the same cluster: a kubeconfig may belong to any cluster outside of the stack. */
function isSame(one: ShownVim, other: ShownVim): boolean {
  switch (one.kind) {
    case "vnf":
      return other.kind === "vnf" && one.vnf === other.vnf;
    case "stack":
      if (other.kind !== "stack") return other.kind === "kubeconfig";
      return one.stack === other.stack && one.vim_name === other.vim_name;
    case "kubeconfig":
      return other.kind !== "vnf";
  }
}
