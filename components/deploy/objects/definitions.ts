import * as pulumi from "@pulumi/pulumi";
import type { local } from "@pulumi/command";
import { canonical, digest } from "../../kube/objects/checksum";
import type { KubeObject } from "../../kube/objects/object";
import { togetherWith } from "../after";
import { secondsOf } from "../../base/duration";
import { handOver } from "./handover";
import { kubeCommand } from "./kube-command";
import { BUNDLED, MANAGER, OWNER } from "./ownership";
import { stepName } from "../steps";

export interface DefinitionsArgs {
  /** CRDs. The command annotates each with its owner. */
  readonly objects: readonly KubeObject[];
  /** Owner of the CRDs: see ownerOf. */
  readonly owner: pulumi.Output<string>;
  readonly kubeconfig: pulumi.Output<string>;
  /** The provider of the cluster. Another provider means another cluster. */
  readonly provider: pulumi.ProviderResource | undefined;
  /** The resource that is deleted only with the whole cluster. Undefined: vnfm does not delete the cluster. */
  readonly lifetime: pulumi.Resource | undefined;
  /** Time limit for each CRD to be established, and to be deleted, such as `10m`. */
  readonly timeout: string;
}

/**
 * Creates CRDs whose texts are too large for the state, which contains only a hash of each, so that a preview shows
 * changes. They are created by server-side apply, deleted by name, and not read by a refresh. There are two commands,
 * because a creation that is cut off leaves no command in the state: the first command creates nothing, and deletes the
 * CRDs when it is deleted.
 * @param name of the CNF
 * @returns the second command, on which later resources depend
 */
export function definitions(
  name: string,
  { objects, owner, kubeconfig, provider, lifetime, timeout }: DefinitionsArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const byName = Object.fromEntries(objects.map((object) => [object.metadata.name ?? "", object]));
  const names = Object.keys(byName).sort();
  const hashes = Object.fromEntries(names.map((key) => [key, digest(byName[key]).slice(0, 32)]));
  if (!pulumi.runtime.isDryRun())
    for (const key of names) handOver(hashes[key] ?? "", canonical(byName[key]));
  const seconds = secondsOf(timeout);
  const mine = [
    [OWNER, owner],
    [BUNDLED, "true"],
  ];
  const about = { mine, manager: MANAGER, seconds };
  const limit = `${seconds + 120}s`;
  const options = pulumi.mergeOptions(opts, {
    customTimeouts: { create: limit, update: limit, delete: limit },
    // the CRDs of the next cluster have the same names
    ...(lifetime && { deleteBeforeReplace: true }),
  });
  const common = { script: "definitions", kubeconfig, logging: "stderr" as const };
  const triggers = [provider?.id, lifetime && togetherWith(lifetime)].filter((value) => value !== undefined);
  const end = kubeCommand(
    stepName(name, "definitionsEnd"),
    { ...common, atDeletion: true, data: { ...about, names }, triggers },
    options,
  );
  return kubeCommand(
    stepName(name, "definitions"),
    { ...common, data: { ...about, hashes }, shown: hashes, remembers: true, triggers },
    pulumi.mergeOptions(options, { dependsOn: [end] }),
  );
}
