import * as pulumi from "@pulumi/pulumi";
import { readForeignObjects } from "./cluster-queries";
import { Findings } from "../base/findings";
import { readFormerKubeconfigs } from "../gather/former-outputs";
import { readVim } from "../gather/other-stacks";
import { own } from "../base/own";
import type { FormerOutputs } from "../plan/former-outputs";
import { leavingHolders, type LeavingHolders } from "../plan/leaving-objects";
import type { InstancePlan, Vim } from "../plan/model";
import { printable } from "../base/printable";
import { assertNone } from "../base/settings-fault";

/** Queries to clusters. */
interface Queries {
  /** Reads the kubeconfig of a cluster. Undefined: it is no longer known. */
  readonly kubeconfig: (vim: LeavingHolders["vim"]) => Promise<string | undefined>;
  /**
   * Describes CRDs and Namespaces with objects that the stack did not create. Undefined: the cluster does not answer.
   */
  readonly foreignObjects: (
    kubeconfig: string,
    leaving: LeavingHolders,
  ) => Promise<readonly string[] | undefined>;
}

/**
 * Refuses a run that would delete CRDs and Namespaces with objects that the stack did not create. Only clusters whose
 * CRDs or Namespaces leave the plan are queried.
 * @param former outputs of the last run
 * @throws SettingsFault with all these objects
 */
export async function checkForeignObjects(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
): Promise<void> {
  const faults = new Findings();
  const queries = { kubeconfig: kubeconfigOf, foreignObjects: readForeignObjects };
  const warnings = await foreignObjectsLost(leavingHolders(plans, former), queries, faults);
  for (const warning of warnings) void pulumi.log.warn(printable(warning));
  assertNone(faults);
}

/**
 * Records the objects that the run would delete although the stack did not create them.
 * @returns a warning for each cluster that does not answer
 */
export async function foreignObjectsLost(
  leaving: readonly LeavingHolders[],
  { kubeconfig, foreignObjects }: Queries,
  faults: Findings,
): Promise<readonly string[]> {
  const warnings = await Promise.all(
    leaving.map(async (holders) => {
      const { instance, definitions, namespaces, vim } = holders;
      const access = await kubeconfig(vim);
      const found = access === undefined ? undefined : await foreignObjects(access, holders);
      const place = faults.instance(instance);
      if (found === undefined) {
        const names = [...definitions, ...namespaces].join(", ");
        return [
          `${place.text}: the run deletes ${names}; whether others have objects there is not known, because the cluster ` +
            "does not answer, or its kubeconfig was removed from the stack config. The update checks again before it deletes them",
        ];
      }
      if (found.length > 0) place.fault(found.join("\n    "));
      return [];
    }),
  );
  return warnings.flat();
}

async function kubeconfigOf(vim: LeavingHolders["vim"]): Promise<string | undefined> {
  switch (vim.kind) {
    case "vnf":
      return own(await readFormerKubeconfigs(), vim.vnf);
    case "stack":
      return readVim(vim);
    case "kubeconfig":
      return (vim as Partial<Extract<Vim, { kind: "kubeconfig" }>>).kubeconfig?.reveal();
  }
}
