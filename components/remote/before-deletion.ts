import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Login } from "../plan/kubeadm/model";
import { clientLogin } from "./client-login";
import type { JumpHost } from "./jump-host";
import type { RotatedKeyPair } from "./key-pair";
import { SCRIPT_OPTIONS } from "./remote-script";
import { clientScriptText, scriptText } from "./script-text";
import { asRoot, shellAssignments } from "./shell";

export interface BeforeDeletionArgs {
  /** A file of remote/scripts. It is run with `delete`, and has to end within 90 s. */
  readonly script: string;
  /** Shell variables of the script. */
  readonly data: Readonly<Record<string, string>>;
  /** Address of the server, and the host key that it must have. */
  readonly host: pulumi.Input<string>;
  readonly hostKey: pulumi.Input<string>;
  /** On the way to it. */
  readonly jumpHost: JumpHost | undefined;
  readonly login: Login;
  /** The instance's own SSH key. */
  readonly key: RotatedKeyPair;
  readonly serverId: pulumi.Input<string>;
}

/**
 * Runs one of our scripts on a server before the server is deleted. One that does not answer is deleted without it. Nova
 * can shut a server down first (`stopBeforeDestroy`), but where its host is down it waits for half an hour and fails.
 * remoteScript is of no use here: its connection waits for a server that boots.
 */
export function beforeDeletion(
  name: string,
  { script, data, host, hostKey, jumpHost, login, key, serverId }: BeforeDeletionArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const stdin = pulumi.all([clientLogin(login, key, jumpHost), host, hostKey]).apply(
    ([client, address, host_key]) =>
      shellAssignments({
        ...client,
        host: address,
        host_key,
        remote_command: asRoot("delete", "90s"),
        remote_script: shellAssignments(data) + scriptText(script),
      }) + clientScriptText("before-deletion.sh"),
  );
  return new local.Command(
    name,
    {
      delete: "exec bash -s",
      stdin: pulumi.secret(stdin),
      triggers: [serverId],
      // standard error says what was left out where the server does not answer
      logging: "stderr",
      addPreviousOutputInEnv: false,
    },
    pulumi.mergeOptions(opts, SCRIPT_OPTIONS),
  );
}
