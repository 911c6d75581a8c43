import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { CnfPlan } from "../../plan/workload/model";
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
  /** Kubeconfig of the target cluster. */
  readonly kubeconfig: pulumi.Output<string>;
}

/**
 * Fails, before the first object is created, if an object exists on the cluster and belongs to another owner: the
 * Kubernetes provider would take over an object without conflicting fields, and delete it with the CNF. It also fails
 * if an object of that name is being deleted and stays, if the cluster does not know an API version of Kubernetes, and
 * if a CRD or a Namespace that leaves the plan contains objects that the stack did not create. Later runs check only
 * new objects; on another cluster all of them.
 */
export function unclaimed(
  name: string,
  { plan, protection, kubeconfig }: UnclaimedArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const objects = plan.objects.filter(isChecked).map(({ object, retain }) => {
    const { apiVersion, kind, metadata } = object;
    const { name, namespace } = metadata;
    const removed = removedProblem(object);
    return {
      ...{ apiVersion, kind, name, namespace, shown: shown(object) },
      // an object that outlives the CNF may belong to anybody who does not delete it
      shared: retain,
      // the CRD of a custom kind may be part of the CNF
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

/** Skips create-only objects and the default ServiceAccount. */
function isChecked({ object, createOnly }: PlannedObject): boolean {
  return !createOnly && !(groupKind(object) === "/ServiceAccount" && object.metadata.name === "default");
}
