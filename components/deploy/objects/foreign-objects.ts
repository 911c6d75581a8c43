import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Holders } from "../../plan/workload/holders";
import { togetherWith } from "../after";
import { kubeCommand } from "./kube-command";
import { OWNER } from "./ownership";

export interface Protection {
  /** The CRDs and Namespaces of the CNF, whose deletion deletes other objects too. */
  readonly holders: Holders;
  /** True if they must not be deleted while they contain objects that the stack did not create. */
  readonly isProtected: boolean;
  /** Instance with the setting protectForeignObjects. */
  readonly settingsOf: string;
  /** Owner of the CNF's objects: see ownerOf. */
  readonly owner: pulumi.Output<string>;
}

/** Data from which scripts recognise the CNF's own objects. */
export function protectionData({ holders, settingsOf, owner }: Protection) {
  return { ...holders, settingsOf, annotation: OWNER, owners: [owner] };
}

export function hasHolders({ definitions, namespaces }: Holders): boolean {
  return definitions.length + namespaces.length > 0;
}

/**
 * Runs before the objects of a CNF are deleted, and fails if its CRDs or Namespaces contain objects that the stack did
 * not create. It does not run if the whole cluster is deleted. CRDs and Namespaces that leave a remaining CNF are
 * checked by `unclaimed`, the first step of each run.
 * @returns undefined for a CNF without CRDs and Namespaces
 */
export function foreignObjects(
  name: string,
  {
    protection,
    kubeconfig,
    provider,
    lifetime,
  }: {
    readonly protection: Protection;
    /** Kubeconfig of the CNF's cluster. */
    readonly kubeconfig: pulumi.Output<string>;
    /** Provider of that cluster. Another provider means another cluster. */
    readonly provider: pulumi.ProviderResource | undefined;
    /** The resource that is deleted only with the whole cluster. Undefined: vnfm does not delete the cluster. */
    readonly lifetime: pulumi.Resource | undefined;
  },
  opts: pulumi.CustomResourceOptions,
): local.Command | undefined {
  if (!hasHolders(protection.holders)) return undefined;
  const data = protectionData(protection);
  return kubeCommand(
    name,
    {
      ...{ script: "foreign-objects", kubeconfig, atDeletion: true, logging: "none" },
      // without the setting the command stays and checks nothing: removed from the program, it would run as it does at
      // the end of the CNF
      data: protection.isProtected ? data : { ...data, definitions: [], namespaces: [] },
      triggers: [provider?.id, lifetime && togetherWith(lifetime)].filter((value) => value !== undefined),
    },
    pulumi.mergeOptions(opts, {
      customTimeouts: { delete: "10m" },
      ...(lifetime && { deletedWith: lifetime, deleteBeforeReplace: true }),
    }),
  );
}
