import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { CnfPlan } from "../../plan/workload/cnf";
import type { PlannedObject } from "../../plan/workload/planned-objects";
import { groupKind, isBuiltIn } from "../../kube/objects/kinds";
import { hasHolders, protectionData, type Protection } from "./foreign-objects";
import { kubeCommand } from "./kube-command";
import { shown } from "../../kube/objects/object";
import { OWNER } from "./ownership";
import { removedProblem } from "../../kube/objects/removed-apis";

export interface UnclaimedArgs {
  readonly plan: CnfPlan;
  readonly protection: Protection;
  /** Of the cluster that they are made on. */
  readonly kubeconfig: pulumi.Output<string>;
}

/**
 * Fails, before the first object is made, where an object is on the cluster already and the owner has not made it: the
 * Kubernetes plugin takes over what conflicts in no field, and deletes it with the CNF. It fails too where an object of
 * that name is being deleted and stays, where the cluster does not know an API version of Kubernetes, and where a
 * definition or a Namespace leaves the plan that has objects of others. It looks again for objects that are declared later,
 * and for all of them where the cluster is another.
 */
export function unclaimed(
  name: string,
  { plan, protection, kubeconfig }: UnclaimedArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const objects = plan.objects.filter(isLookedFor).map(({ object, retain }) => {
    const { apiVersion, kind, metadata } = object;
    const { name, namespace } = metadata;
    const removed = removedProblem(object);
    return {
      ...{ apiVersion, kind, name, namespace, shown: shown(object) },
      // one that stays may be anybody's who does not delete it
      shared: retain,
      // a custom kind may come with the CNF
      ofKubernetes: isBuiltIn(object) || removed !== undefined,
      removed,
    };
  });
  objects.sort((a, b) => (a.shown < b.shown ? -1 : 1)); // another order is no reason to look again
  const { owner, isProtected, holders } = protection;
  const data = {
    ...{ vnf: plan.instance, owner: [OWNER, owner], objects },
    ...(hasHolders(holders) && { isProtected, holding: protectionData(protection) }),
  };
  return kubeCommand(name, { script: "unclaimed", kubeconfig, data, remembers: true, logging: "none" }, opts);
}

/** Not what is kept nowhere, and what each Namespace has. */
function isLookedFor({ object, createOnly }: PlannedObject): boolean {
  return !createOnly && !(groupKind(object) === "/ServiceAccount" && object.metadata.name === "default");
}
