import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Holders } from "../../plan/workload/holders";
import { togetherWith } from "../after";
import { kubeCommand } from "./kube-command";
import { OWNER } from "./ownership";

export interface Protection {
  /** The objects of the CNF that take others with them. */
  readonly holders: Holders;
  /** Refuses to delete them while others have objects in them. */
  readonly isProtected: boolean;
  /** The instance whose setting says so. */
  readonly settingsOf: string;
  /** Owner of the CNF's objects: see ownerOf. */
  readonly owner: pulumi.Output<string>;
}

/** Data by which the scripts know the CNF's own objects. */
export function protectionData({ holders, settingsOf, owner }: Protection) {
  return { ...holders, settingsOf, annotation: OWNER, owners: [owner] };
}

export function hasHolders({ definitions, namespaces }: Holders): boolean {
  return definitions.length + namespaces.length > 0;
}

/**
 * Runs before anything of a CNF goes, and fails where its CustomResourceDefinitions or Namespaces have objects of others.
 * It does not run where the whole cluster goes. What leaves a CNF that stays is looked at by `unclaimed`, which is the
 * first step of each run.
 *
 * @returns undefined where the CNF brings neither
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
    /** Kubeconfig of the cluster that the CNF is on. */
    readonly kubeconfig: pulumi.Output<string>;
    /** Provider of that cluster: another one is another cluster. */
    readonly provider: pulumi.ProviderResource | undefined;
    /** The resource that goes with the whole cluster. @default the program knows of no end of it */
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
      // a command that left the program with the setting would run as it does at the end of the CNF
      data: protection.isProtected ? data : { ...data, definitions: [], namespaces: [] },
      triggers: [provider?.id, lifetime && togetherWith(lifetime)].filter((value) => value !== undefined),
    },
    pulumi.mergeOptions(opts, {
      customTimeouts: { delete: "10m" },
      ...(lifetime && { deletedWith: lifetime, deleteBeforeReplace: true }),
    }),
  );
}
