import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { programCommand } from "./program-command";
import type { Reach } from "./reaching";
import { scriptHash } from "./script-text";
import type { ScriptName } from "./scripts";

export interface ScriptStepArgs {
  /** Server that the script runs on. */
  readonly reach: pulumi.Input<Reach>;
  /**
   * Name of the script. It runs as root, and can safely run again. Its first argument is `create`, `update`, `delete`,
   * or a query such as `check`, which changes nothing and prints a line for each difference.
   */
  readonly script: ScriptName;
  /** Shell variables of the script; values may be any text, and secret. */
  readonly data: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
  /** Id of the server, or name of the cluster, that the script configures. A new one replaces the step. */
  readonly target: pulumi.Input<string>;
  /** True if the script runs when the resource is created; otherwise there is no connection. @default true */
  readonly create?: boolean;
  /** True if the script runs when the resource is deleted. @default false */
  readonly undo?: boolean;
  /** True if its server is deleted afterwards: a failure is then only reported. @default a failure ends the run */
  readonly leaves?: boolean;
  /**
   * Connection to its own server, if other servers take its services over: the script runs with `drain`, the server
   * hands its services over, then the script runs with `delete`. @default it has no services
   */
  readonly handover?: pulumi.Input<Reach>;
  /**
   * Connection to a master that admits the server to its cluster: it provides the script's variable `admission`, and
   * revokes the admission after the script. @default the script joins no cluster
   */
  readonly admission?: pulumi.Input<Reach>;
  /**
   * Name under which the output of the deleted script is stored on this machine. The next script with the same name
   * gets it as its variable `not_before`, which is empty if there is no output. @default none
   */
  readonly receipt?: pulumi.Input<string>;
  /** Data that a preview shows when they change: the state has these in plain text too. @default none */
  readonly shown?: Readonly<Record<string, string>>;
}

/**
 * Runs one of vnfm's scripts on a server; all such steps are created here. The state has the name of the script, its
 * hash and its data, but not its text: a preview shows a changed script as a changed hash. The data are passed by
 * standard input, so that they appear in no process list, log or error message. In the state they are secret, and so is
 * the output.
 */
export function scriptStep(
  name: string,
  {
    reach,
    script,
    data,
    target,
    create = true,
    undo = false,
    leaves = false,
    handover,
    admission,
    receipt,
    shown,
  }: ScriptStepArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const input = pulumi.all({ reach, data, handover, admission, receipt });
  const stdin = input.apply(({ handover: over, admission: admitting, receipt: name, ...known }) =>
    JSON.stringify({
      ...{ reach: known.reach, data: known.data },
      ...(over !== undefined && { handover: over }),
      ...(admitting !== undefined && { admission: admitting }),
      ...(leaves && { leaves }),
      ...(name !== undefined && { receipt: name }),
    }),
  );
  return new local.Command(
    name,
    {
      ...(create ? { create: commandTo("create"), update: commandTo("update") } : {}),
      ...(undo ? { delete: commandTo("delete") } : {}),
      environment: {
        VNFM_SCRIPT: `${script} ${scriptHash(script)}`,
        ...(shown && { VNFM_SHOWN: JSON.stringify(shown) }),
      },
      stdin: pulumi.secret(stdin),
      triggers: [target],
      // its messages are about a server that is deleted, not about one that is created
      logging: leaves || handover !== undefined ? "stderr" : "none",
      addPreviousOutputInEnv: false,
    },
    pulumi.mergeOptions(opts, {
      deleteBeforeReplace: true,
      additionalSecretOutputs: ["stdout", "stderr"],
      customTimeouts: { create: "30m", update: "30m", delete: "30m" },
    }),
  );
}

/** The program that runs a script, with a verb. */
export const RUN_SCRIPT = "remote/run-script";

function commandTo(verb: "create" | "update" | "delete"): string {
  return `${programCommand(RUN_SCRIPT)} ${verb}`;
}
