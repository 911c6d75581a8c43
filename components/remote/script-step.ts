import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { programCommand } from "./program-command";
import type { Reach } from "./reaching";
import { scriptHash } from "./script-text";
import type { ScriptName } from "./scripts";

export interface ScriptStepArgs {
  /** Where it runs. */
  readonly reach: pulumi.Input<Reach>;
  /**
   * The script runs as root, and is safe to run again. Its first argument is `create`, `update`, `delete`, or what it can
   * be asked, such as `check`: then it changes nothing, and prints a line for each difference.
   */
  readonly script: ScriptName;
  /** Shell variables of the script: any text, secrets too. */
  readonly data: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
  /** Id of the server, or name of the cluster, that the script is about. For another one the script runs anew. */
  readonly target: pulumi.Input<string>;
  /** True if the script has something to do when the resource is made; else there is no connection. @default true */
  readonly create?: boolean;
  /** True if the script has something to undo when the resource is deleted. @default false */
  readonly undo?: boolean;
  /** True if its server is deleted after it: what cannot be undone is said, and passed over. @default it fails */
  readonly leaves?: boolean;
  /**
   * How scripts get to its own server, where others are to serve in its place before the script is run with `delete`. It
   * is run with `drain` first, and then the server hands over. @default it serves nothing
   */
  readonly handover?: pulumi.Input<Reach>;
  /**
   * How scripts get to a master that admits the server to its cluster: it creates what the script reads as `admission`, and
   * revokes it once the script is over. @default the script joins no cluster
   */
  readonly admission?: pulumi.Input<Reach>;
  /**
   * Name under which what the script prints when it is deleted is kept on this machine, for the script that is created
   * next with the same name: its variable `not_before`. Empty where nothing is known. @default none
   */
  readonly receipt?: pulumi.Input<string>;
  /** Data that a preview tells of when they change: the state has these in plain text too. @default none */
  readonly shown?: Readonly<Record<string, string>>;
}

/**
 * Runs one of our scripts on a server: the only maker of such steps.
 *
 * The state has the name of the script, its hash and its data, and not its text; where the script has changed, the hash
 * says so in the preview. The data go through standard input, so they show in no process list, log or error message, and
 * are a secret in the state, as what the script prints is: its result.
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
  const stdin = input.apply(({ handover: over, admission: admitting, receipt: name, ...its }) =>
    JSON.stringify({
      ...{ reach: its.reach, data: its.data },
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
      // its words are of a server that goes, and not of one that is made
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
