import { remote, type types } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { SCRIPT_TIME_LIMIT, scriptText, type ScriptFiles } from "./script-text";
import { asRoot, resultIn, shellAssignments } from "./shell";

/** How SSH reaches a host, with the host key that it must have. */
export type Connection = types.input.remote.ConnectionArgs & {
  readonly hostKey: pulumi.Input<string>;
};

export interface RemoteScriptArgs {
  readonly connection: pulumi.Input<Connection>;
  /**
   * Files of remote/scripts. The script runs as root, and is safe to run again. Its first argument is `create`,
   * `update`, `delete` or, where it has that, `check`: then it changes nothing, and prints a line for each difference.
   */
  readonly script: ScriptFiles;
  /** Shell variables of the script: any text, secrets too. */
  readonly data: Readonly<Record<string, pulumi.Input<string>>>;
  /** Id of the server, or name of the cluster, that the script is about. For another one the script runs anew. */
  readonly target: pulumi.Input<string>;
  /** Whether the script has something to do when the resource is made; else there is no connection. @default true */
  readonly create?: boolean;
  /** Whether the script has something to undo when the resource is deleted. @default false */
  readonly undo?: boolean;
}

/**
 * Runs one of our scripts on a host: the only maker of remote commands.
 *
 * Script and data go through standard input, so neither shows in a process list, a log or an error message;
 * the whole of it is a secret in the state. Nothing is logged; what the script prints to standard output is
 * its result, see resultOf, and secret too.
 */
export function remoteScript(
  name: string,
  args: RemoteScriptArgs,
  opts: pulumi.CustomResourceOptions,
): remote.Command {
  const script = scriptText(args.script);
  const stdin = pulumi.all(args.data).apply((data) => shellAssignments(data) + script);
  return new remote.Command(
    name,
    {
      connection: args.connection,
      ...(args.create === false
        ? {}
        : { create: asRoot("create", SCRIPT_TIME_LIMIT), update: asRoot("update", SCRIPT_TIME_LIMIT) }),
      ...(args.undo ? { delete: asRoot("delete", SCRIPT_TIME_LIMIT) } : {}),
      stdin: pulumi.secret(stdin),
      triggers: [args.target],
      logging: "none",
      addPreviousOutputInEnv: false,
    },
    pulumi.mergeOptions(opts, SCRIPT_OPTIONS),
  );
}

/** What a script has printed as its result; secret. @param command of remoteScript or clusterScript */
export function resultOf(command: { readonly stdout: pulumi.Output<string> }): pulumi.Output<string> {
  return command.stdout.apply(resultIn);
}

/** The options of each command that runs one of our scripts: its output is secret, and it may take half an hour. */
export const SCRIPT_OPTIONS: pulumi.CustomResourceOptions = {
  deleteBeforeReplace: true,
  additionalSecretOutputs: ["stdout", "stderr"],
  customTimeouts: { create: "30m", update: "30m", delete: "30m" },
};
