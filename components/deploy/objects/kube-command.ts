import { local, type types } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { programCommand } from "../../remote/program-command";
import { apiAccess } from "../../kube/access/api-access";
import type { Fields } from "../../kube/objects/object";

export interface KubeCommandArgs {
  /** File in the folder scripts; reads its data as JSON on standard input. */
  readonly script: string;
  /** Of the cluster whose API the script speaks to; secret. It finds what it needs of it as `access`. */
  readonly kubeconfig: pulumi.Output<string>;
  /** The rest of the script's data. */
  readonly data: pulumi.Input<Fields>;
  /** True if it finds in its environment what it has printed the last time. @default it does not */
  readonly remembers?: boolean;
  /**
   * True if it runs when it is deleted, with the argument `delete`, and only then. @default when it is made or changes
   */
  readonly atDeletion?: boolean;
  /**
   * What a preview may show of its data, by name. It stands in the environment of the script, which must not look for
   * it there: a shell passes no names with a dot. @default nothing
   */
  readonly shown?: Readonly<Record<string, string>>;
  /** What makes it another command, undone and done again. @default nothing */
  readonly triggers?: readonly pulumi.Input<string>[];
  /** What is shown while it runs. */
  readonly logging: types.enums.local.Logging;
}

/**
 * Runs one of our scripts that speak to a Kubernetes API, on the machine that runs Pulumi. Credentials and data
 * go through standard input, as in scriptStep, and are a secret in the state.
 */
export function kubeCommand(
  name: string,
  args: KubeCommandArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const { script, kubeconfig, data, remembers = false, atDeletion = false, shown, triggers, logging } = args;
  const stdin = pulumi
    .all([kubeconfig, data])
    .apply(([its, rest]) => JSON.stringify({ access: apiAccess(its), ...rest }));
  const command = scriptCommand(script);
  return new local.Command(
    name,
    {
      ...(atDeletion ? { delete: `${command} delete` } : { create: command }),
      ...(shown && { environment: shown }),
      ...(triggers && { triggers: [...triggers] }),
      stdin: pulumi.secret(stdin),
      logging,
      addPreviousOutputInEnv: remembers,
    },
    pulumi.mergeOptions(opts, { additionalSecretOutputs: ["stdout", "stderr"] }),
  );
}

/** The command that runs a script. */
export function scriptCommand(script: string): string {
  return programCommand(`deploy/objects/scripts/${script}`);
}
