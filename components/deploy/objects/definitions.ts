import * as pulumi from "@pulumi/pulumi";
import type { local } from "@pulumi/command";
import { canonical, digest } from "../../kube/objects/checksum";
import type { KubeObject } from "../../kube/objects/object";
import { togetherWith } from "../after";
import { secondsOf } from "./await-ready";
import { handOver } from "./handover";
import { kubeCommand } from "./kube-command";
import { BUNDLED, MANAGER, OWNER } from "./ownership";
import { stepName } from "../steps";

export interface DefinitionsArgs {
  /** CRDs. The command says on each whose it is. */
  readonly objects: readonly KubeObject[];
  /** Whose they are: see ownerOf. */
  readonly owner: pulumi.Output<string>;
  readonly kubeconfig: pulumi.Output<string>;
  /** The provider of the cluster: another one is another cluster. */
  readonly provider: pulumi.ProviderResource | undefined;
  /** What goes with the whole cluster. @default the program knows of no end of it */
  readonly lifetime: pulumi.Resource | undefined;
  /** How long each may take to be established, and to go, such as `10m`. */
  readonly timeout: string;
}

/**
 * CRDs whose texts are too large for the state: it has a hash of each, and a preview says by it which of them changes.
 * They are applied on the server's side, deleted by name, and not read by a refresh.
 *
 * Two commands, as a creation that is cut off leaves nothing in the state: the first one, which makes nothing, has the
 * deletion.
 * @param name of the CNF
 * @returns the second one: what comes after them depends on it
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
    // those of the next cluster have the same names
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
