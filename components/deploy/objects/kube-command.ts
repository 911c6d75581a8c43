import { local, type types } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { programCommand } from "../../remote/program-command";
import { apiAccess } from "../../kube/access/api-access";
import type { Fields } from "../../kube/objects/object";

export interface KubeCommandArgs {
  /** File in the folder scripts; it reads its data as JSON on standard input. */
  readonly script: string;
  /** Kubeconfig of the target cluster; secret. The script gets its access data as `access`. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Further data of the script. */
  readonly data: pulumi.Input<Fields>;
  /** True if the script gets its previous output in its environment. @default false */
  readonly remembers?: boolean;
  /**
   * True if it runs only when it is deleted, with the argument `delete`. @default it runs when it is created or changes
   */
  readonly atDeletion?: boolean;
  /**
   * Data that a preview may show, by name. They are passed as environment variables, but the script must not read them
   * there, because a shell drops names with a dot. @default none
   */
  readonly shown?: Readonly<Record<string, string>>;
  /** Values whose change replaces the command: it is deleted and created again. @default none */
  readonly triggers?: readonly pulumi.Input<string>[];
  /** Output that is shown while it runs. */
  readonly logging: types.enums.local.Logging;
}

/**
 * Runs one of vnfm's scripts for a Kubernetes API on the machine that runs Pulumi. Credentials and data are passed by
 * standard input, as in scriptStep, and are secret in the state.
 */
export function kubeCommand(
  name: string,
  args: KubeCommandArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const { script, kubeconfig, data, remembers = false, atDeletion = false, shown, triggers, logging } = args;
  const stdin = pulumi
    .all([kubeconfig, data])
    .apply(([config, rest]) => JSON.stringify({ access: apiAccess(config), ...rest }));
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
